import type { AskingSession } from "@askwire/adapters/claude";
import type { Asked, ClientSession } from "@askwire/client";
import { defined } from "@askwire/protocol/internal";
import { type AskedContent, askedContentIn } from "./asked-content.js";
import {
  type AnsweredQuestions,
  type Ask,
  CallMistake,
  type GatewayAsker,
  type Listed,
  type OpenQuestions,
  type Result,
  type ToAsk,
} from "./asking.js";
import type { OpenAtPlace } from "./connected-gateway.js";
import { afterwards, gatewayReply, inTime, retried } from "./gateway-replies.js";
import { GatewaySession } from "./gateway-session.js";
import { type Handles, isOfApproval } from "./handles.js";
import { type SharedAsk, SharedAsks } from "./shared-asks.js";
import { type Undelivered, undeliveredHandles } from "./undelivered.js";

export interface GatewayWayOptions {
  readonly handles: Handles;
  /** The folder of the questions by handle. */
  readonly contentIn: string;
  /** The folder of the questions whose outcome no call has had. */
  readonly undeliveredIn: string;
  /** Connects to the gateway, under the name of the agent. */
  readonly connect: (name: string) => Promise<ClientSession>;
  /** Looks at the open questions of the gateway, oldest first. */
  readonly openQuestions: (name: string) => Promise<readonly OpenAtPlace[]>;
  /** The fate of questions whose call is cancelled, or whose host is gone. */
  readonly onCancel: "keep" | "withdraw";
  /** The time for the gateway's reply where no person is awaited, in milliseconds. Default: 30,000. */
  readonly replyMs?: number;
  /** The time, in milliseconds since 1970. Default: the machine's. */
  readonly now?: () => number;
}

/** The most handles that a result lists. */
const MOST_LISTED = 64;
/** The time for withdrawals to arrive and the connection to close while the process ends, in milliseconds. */
const CLOSE_MS = 2_000;

/** Asks through the wire's `ask`, whose key is the handle. */
export const throughGateway = (options: GatewayWayOptions): GatewayWay => new GatewayWay(options);

/** The way to the people of a gateway. Its functions can be given away. */
export class GatewayWay {
  readonly #options: GatewayWayOptions;
  readonly #replyMs: number;
  readonly #session: GatewaySession;
  readonly #asks: SharedAsks;
  /** The asks of sessions that were given away, which are taken back at the end. */
  readonly #asked = new Set<Promise<unknown>>();
  readonly #leaving = new AbortController();
  /** Nobody is asked twice what is open, or was answered a short time ago. */
  readonly #undelivered: Undelivered;
  /** The labels of an answer are read from the questions. */
  readonly #content: AskedContent;

  constructor(options: GatewayWayOptions) {
    this.#options = options;
    this.#replyMs = options.replyMs ?? 30_000;
    this.#session = new GatewaySession(options.connect);
    this.#asks = new SharedAsks((name) => this.#session.get(name));
    this.#content = askedContentIn(options.contentIn);
    this.#undelivered = undeliveredHandles(options.undeliveredIn, options.now ?? Date.now);
  }

  readonly ask: Ask = async (what, context) => {
    const { signal, waitMs, asker } = context;
    signal.throwIfAborted();
    const content = "handle" in what ? undefined : what;
    const handle = this.#handleOf(what, asker);
    // An end before this call was told to an earlier call: an old yes does not answer a new question.
    const isNew = content !== undefined && !this.#asks.has(handle);
    const shared = this.#asks.wait(handle, asker, content);
    this.#asks.count(handle, asker, shared, 1);
    const stopped = afterwards(waitMs, signal);
    try {
      const end = await gatewayReply(Promise.race([shared.asked, stopped.over]));
      if (end === undefined) return await this.#leaveOpen(handle, shared, signal);
      // The host drops the result of a call that it has cancelled.
      if (!signal.aborted) this.#undelivered.delivered(handle);
      const before = isNew ? (await shared.put).outcome : undefined;
      if (before === undefined) return this.#resultOf(handle, end);
      const { status, at = "" } = before;
      const counts = status !== "withdrawn" && !this.#undelivered.isStale(Date.parse(at));
      return counts ? { ...this.#resultOf(handle, end), earlier: at } : this.ask(what, context);
    } finally {
      this.#asks.count(handle, asker, shared, -1);
      stopped.clear();
    }
  };

  /** The questions of a handle at this moment. */
  readonly look = async (handle: string, asker: GatewayAsker): Promise<Result> => {
    const key = this.#own(handle, asker);
    const found = await inTime(this.#asks.look(key, asker), this.#replyMs);
    if (found?.outcome !== undefined) this.#undelivered.delivered(key);
    return this.#resultOf(key, found);
  };

  /** The questions of this asker that are open, oldest first. */
  readonly open = async (asker: GatewayAsker): Promise<Listed<OpenQuestions>> => {
    const { openQuestions, handles } = this.#options;
    return newest(
      (await openQuestions(asker.name)).flatMap(({ key, texts }) =>
        key !== undefined && handles.isOwn(key, asker) ? [{ handle: key, questions: texts }] : [],
      ),
    );
  };

  /** The questions of this asker that have ended, and whose outcome no call has fetched, oldest first. */
  readonly answered = async (asker: GatewayAsker): Promise<Listed<AnsweredQuestions>> => {
    const looks = this.#undelivered.of(asker).map(async ({ handle, questions }) => {
      const at = await this.#endOf(handle, asker);
      return at === undefined || this.#undelivered.isStale(Date.parse(at)) ? [] : [{ handle, questions, at }];
    });
    return newest((await Promise.all(looks)).flat());
  };

  /** A session of this asker, which outlives the connection. Its asks are taken back with the end of this process. */
  readonly asking = ({ name }: GatewayAsker): AskingSession => ({
    ask: ((init: Parameters<AskingSession["ask"]>[0]) => {
      const signal = AbortSignal.any([this.#leaving.signal, ...(init.signal ? [init.signal] : [])]);
      const asked = retried(async () => (await this.#session.get(name)).ask({ ...init, signal }));
      const over = () => void this.#asked.delete(asked);
      this.#asked.add(asked);
      asked.then(over, over);
      return asked;
    }) as AskingSession["ask"],
  });

  /** Ends the connection. With `withdraw` the questions that calls wait for are withdrawn first. */
  readonly close = async (): Promise<void> => {
    const limit = afterwards(CLOSE_MS);
    await Promise.race([this.#leave(), limit.over]);
    limit.clear();
  };

  #handleOf(what: ToAsk, asker: GatewayAsker): string {
    if ("handle" in what) return this.#own(what.handle, asker);
    const kind = "approval" in what ? "approval" : "question";
    const made = () => this.#options.handles.make(asker, kind);
    const handle = this.#undelivered.handleFor(asker, what, made);
    if ("questions" in what) this.#content.keep(handle, what.questions);
    return handle;
  }

  /** A request as it stands, of its kind. */
  #resultOf(handle: string, found: Asked | undefined): Result {
    const { outcome, answers = {}, items = [], response, feedback } = found ?? {};
    if (isOfApproval(handle)) return { outcome, answers, items, decision: { response, feedback }, handle };
    return { outcome, answers, items, ...defined({ questions: this.#content.of(handle) }), handle };
  }

  #own(handle: string, asker: GatewayAsker): string {
    if (this.#options.handles.isOwn(handle, asker)) return handle;
    throw new CallMistake(
      "handle: expected one that a call of this tool has returned here, or leave it out to ask",
    );
  }

  /** The result of a call whose time is over, or which the host has cancelled. */
  async #leaveOpen(handle: string, shared: SharedAsk, signal: AbortSignal): Promise<Result> {
    // A handle is told once the gateway knows it.
    if (!signal.aborted) await inTime(shared.put, this.#replyMs, signal);
    if (signal.aborted && this.#options.onCancel === "withdraw" && shared.calls === 1) {
      shared.withdraw();
      this.#undelivered.delivered(handle);
    }
    return this.#resultOf(handle, undefined);
  }

  /** The time of the end of questions; undefined while they are open, or if nothing is known of them. */
  async #endOf(handle: string, asker: GatewayAsker): Promise<string | undefined> {
    const found = await inTime(this.#asks.look(handle, asker), this.#replyMs).catch(unknown);
    // Questions that the gateway has forgotten, and that are not on their way to it.
    if (found === undefined && !this.#asks.has(handle)) this.#undelivered.delivered(handle);
    return found?.outcome?.at;
  }

  async #leave(): Promise<void> {
    const session = await this.#session.current();
    if (session !== undefined && this.#options.onCancel === "withdraw")
      await this.#asks.withdraw((handle) => this.#undelivered.delivered(handle));
    this.#leaving.abort();
    await Promise.allSettled(this.#asked);
    await this.#session.close(session);
  }
}

/** The newest of a list, as many as a result names. */
const newest = <T>(all: readonly T[]): Listed<T> => ({
  listed: all.slice(-MOST_LISTED),
  more: Math.max(0, all.length - MOST_LISTED),
});

/** A gateway that does not know the questions has nothing to report. */
function unknown(error: unknown): undefined {
  if (!(error instanceof CallMistake)) throw error;
}
