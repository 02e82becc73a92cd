import type { Asked, ClientSession, QuestionView } from "@askwire/client";
import type { AskedQuestion } from "../ask/questions.js";
import { Failure } from "../input/failure.js";
import {
  type AnsweredQuestions,
  type Ask,
  type Asker,
  CallMistake,
  type OpenQuestions,
  type Result,
} from "./asking.js";
import { afterwards, inTime, retried, told } from "./gateway-replies.js";
import type { Handles } from "./handles.js";
import { undeliveredHandles } from "./undelivered.js";

/** The way to the people of a gateway. */
export interface GatewayWay {
  readonly ask: Ask;
  /** The questions of this asker that are open, oldest first. */
  open(asker: Asker): Promise<readonly OpenQuestions[]>;
  /** The questions of this asker that have ended, and whose outcome no call has fetched, oldest first. */
  answered(asker: Asker): Promise<readonly AnsweredQuestions[]>;
  /** The questions of a handle at this moment. */
  look(handle: string, asker: Asker): Promise<Result>;
  /** Ends the connection. With `withdraw` the questions that calls wait for are withdrawn first. */
  close(): Promise<void>;
}

export interface GatewayWayOptions {
  readonly handles: Handles;
  /** The folder of the questions whose outcome no call has had. */
  readonly undeliveredIn: string;
  /** Connects to the gateway, under the name of the agent. */
  readonly connect: (name: string) => Promise<ClientSession>;
  /** Looks at the open questions of the gateway, oldest first. */
  readonly openQuestions: (name: string) => Promise<readonly QuestionView[]>;
  /** The fate of questions whose call is cancelled, or whose host is gone. */
  readonly onCancel: "keep" | "withdraw";
  /** The time for the gateway's reply where no person is awaited, in milliseconds. Default: 30,000. */
  readonly replyMs?: number;
  /** The time, in milliseconds since 1970. Default: the machine's. */
  readonly now?: () => number;
}

interface Waiting {
  /** Resolves once the gateway has the questions: only then can somebody come back for them. */
  readonly put: Promise<Asked>;
  readonly asked: Promise<Asked>;
  /** The number of calls that wait, and as the gateway knows it. */
  calls: number;
  told: number;
  withdraw(): void;
}

/** The most handles that a result lists. */
const MOST_LISTED = 64;
/** The time for withdrawals to arrive and the connection to close while the process ends, in milliseconds. */
const CLOSE_MS = 2_000;

/** Asks through the wire's `ask`, whose key is the handle. */
export function throughGateway({
  handles,
  undeliveredIn,
  connect,
  openQuestions,
  onCancel,
  replyMs = 30_000,
  now = Date.now,
}: GatewayWayOptions): GatewayWay {
  let connecting: Promise<ClientSession> | undefined;
  let isClosed = false;
  /** By handle: calls for the same questions share one ask. */
  const waiting = new Map<string, Waiting>();
  /** Nobody is asked twice what is open, or was answered a short time ago. */
  const undelivered = undeliveredHandles(undeliveredIn, now);

  /** The connection. A connection that has failed or was closed is replaced. */
  async function session({ name }: Asker): Promise<ClientSession> {
    const known = connecting;
    const found = await known?.catch(() => undefined);
    if (found !== undefined && found.connection !== "closed") return found;
    if (isClosed) throw new Failure("the host has closed this server");
    if (connecting === known || connecting === undefined) connecting = connect(name);
    return connecting;
  }

  const own = (handle: string, asker: Asker): string => {
    if (handles.isOwn(handle, asker)) return handle;
    throw new CallMistake(
      "handle: expected one that a call of this tool has returned here, or leave it out to ask",
    );
  };

  /** Waits for the outcome under a handle. The wait outlives the call. */
  function wait(handle: string, asker: Asker, questions?: readonly AskedQuestion[]): Waiting {
    const known = waiting.get(handle);
    if (known !== undefined) return known;
    const withdrawal = new AbortController();
    const init = {
      ...{ key: handle, signal: withdrawal.signal, onLost: "keep" as const },
      ...(questions !== undefined && { questions }),
    };
    const attempt = (wait: boolean) => retried(async () => (await session(asker)).ask({ ...init, wait }));
    const put = attempt(false);
    const asked = put.then(() => attempt(true));
    const one = { put, asked, calls: 0, told: 1, withdraw: () => withdrawal.abort() };
    waiting.set(handle, one);
    const over = () => void waiting.delete(handle);
    asked.then(over, over);
    return one;
  }

  /** Another number of calls waits, which people are told (P-XAK-10). A gateway that does not hear it needs no word. */
  function count(handle: string, asker: Asker, shared: Waiting, by: number): void {
    shared.calls += by;
    const { calls, told } = shared;
    if (calls === told || waiting.get(handle) !== shared) return;
    shared.told = calls;
    shared.put.then(() => looked(handle, asker, { calls })).catch(() => {});
  }

  /** Looks at the questions under a key, and tells how many calls wait for them where that is given. */
  const looked = (key: string, asker: Asker, told: { readonly calls?: number } = {}): Promise<Asked> =>
    retried(async () => (await session(asker)).ask({ key, wait: false, onLost: "keep", ...told }));

  async function ask(...[what, context]: Parameters<Ask>): Promise<Result> {
    const { signal, waitMs, asker } = context;
    signal.throwIfAborted();
    const questions = "questions" in what ? what.questions : undefined;
    const handle =
      questions === undefined
        ? own((what as { handle: string }).handle, asker)
        : undelivered.handleFor(asker, questions, () => handles.make(asker));
    const isJoined = waiting.has(handle);
    const shared = wait(handle, asker, questions);
    const { put, asked } = shared;
    count(handle, asker, shared, 1);
    const stopped = afterwards(waitMs, signal);
    try {
      const end = await told(Promise.race([asked, stopped.over]));
      if (end === undefined) {
        // A handle is told once the gateway knows it.
        if (!signal.aborted) await inTime(put, replyMs, signal);
        if (signal.aborted && onCancel === "withdraw" && shared.calls === 1) {
          shared.withdraw();
          undelivered.delivered(handle);
        }
        return { outcome: undefined, answers: {}, items: [], handle };
      }
      // The host drops the result of a call that it has cancelled.
      if (!signal.aborted) undelivered.delivered(handle);
      // An end before this call was told to an earlier call: an old yes does not answer a new question.
      const before = isJoined || questions === undefined ? undefined : (await put).outcome;
      if (before === undefined) return { ...resultOf(end), handle };
      const { status, at = "" } = before;
      const counts = status !== "withdrawn" && !undelivered.isStale(Date.parse(at));
      return counts ? { ...resultOf(end), earlier: at, handle } : ask(what, context);
    } finally {
      count(handle, asker, shared, -1);
      stopped.clear();
    }
  }

  return {
    ask,
    async look(handle, asker) {
      const key = own(handle, asker);
      const found = await inTime(looked(key, asker), replyMs);
      if (found?.outcome !== undefined) undelivered.delivered(key);
      return { outcome: undefined, answers: {}, items: [], ...(found && resultOf(found)), handle };
    },
    async open(asker) {
      return (await openQuestions(asker.name))
        .flatMap(({ program, questions }) =>
          program !== undefined && handles.isOwn(program.key, asker)
            ? [{ handle: program.key, questions: questions.map(({ question }) => question) }]
            : [],
        )
        .slice(-MOST_LISTED);
    },
    async answered(asker) {
      const looks = undelivered.of(asker).map(async ({ handle, questions }) => {
        const found = await inTime(looked(handle, asker), replyMs).catch(unknown);
        // Questions that the gateway has forgotten, and that are not on their way to it.
        if (found === undefined && !waiting.has(handle)) undelivered.delivered(handle);
        const at = found?.outcome?.at;
        return at === undefined || undelivered.isStale(Date.parse(at)) ? [] : [{ handle, questions, at }];
      });
      return (await Promise.all(looks)).flat().slice(-MOST_LISTED);
    },
    async close() {
      const limit = afterwards(CLOSE_MS);
      await Promise.race([leave(), limit.over]);
      limit.clear();
    },
  };

  async function leave(): Promise<void> {
    const from = await connecting?.catch(() => undefined);
    if (from !== undefined && onCancel === "withdraw") {
      for (const [handle, { withdraw }] of waiting) {
        withdraw();
        undelivered.delivered(handle);
      }
      await Promise.allSettled([...waiting.values()].map(({ asked }) => asked));
    }
    isClosed = true;
    await from?.close();
  }
}

/** Of a gateway that does not know the questions there is nothing to tell. */
function unknown(error: unknown): undefined {
  if (!(error instanceof CallMistake)) throw error;
}

const resultOf = ({ outcome, answers, items }: Asked): Result => ({ outcome, answers, items });
