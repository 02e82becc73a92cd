import type { Asked, ClientSession, QuestionView } from "@askwire/client";
import type { AskedQuestion } from "../ask/questions.js";
import { Failure } from "../input/failure.js";
import { type Ask, type Asker, CallMistake, type OpenQuestions, type Result } from "./asking.js";
import { afterwards, inTime, retried, told } from "./gateway-replies.js";
import type { Handles } from "./handles.js";

/** The way to the people of a gateway. */
export interface GatewayWay {
  readonly ask: Ask;
  /** The questions of this asker that are open, oldest first. */
  open(asker: Asker): Promise<readonly OpenQuestions[]>;
  /** The questions of a handle at this moment. */
  look(handle: string, asker: Asker): Promise<Result>;
  /** Ends the connection. With `withdraw` the questions that calls wait for are withdrawn first. */
  close(): Promise<void>;
}

export interface GatewayWayOptions {
  readonly handles: Handles;
  /** Connects to the gateway, under the name of the agent. */
  readonly connect: (name: string) => Promise<ClientSession>;
  /** Looks at the open questions of the gateway, oldest first. */
  readonly openQuestions: (name: string) => Promise<readonly QuestionView[]>;
  /** The fate of questions whose call is cancelled, or whose host is gone. */
  readonly onCancel: "keep" | "withdraw";
  /** The time for the gateway's reply where no person is awaited, in milliseconds. Default: 30,000. */
  readonly replyMs?: number;
}

interface Waiting {
  /** Resolves once the gateway has the questions: only then can somebody come back for them. */
  readonly put: Promise<unknown>;
  readonly asked: Promise<Asked>;
  /** The number of calls that wait. */
  calls: number;
  withdraw(): void;
}

/** The most handles that a result lists. */
const MOST_LISTED = 64;
/** The most questions whose handle is found by their text: as many as a gateway remembers (P-XAK-4). */
const MOST_UNDELIVERED = 256;
/** The time for withdrawals to arrive and the connection to close while the process ends, in milliseconds. */
const CLOSE_MS = 2_000;

/** Asks through the wire's `ask`, whose key is the handle. */
export function throughGateway({
  handles,
  connect,
  openQuestions,
  onCancel,
  replyMs = 30_000,
}: GatewayWayOptions): GatewayWay {
  let connecting: Promise<ClientSession> | undefined;
  let isClosed = false;
  /** By handle: calls for the same questions share one ask. */
  const waiting = new Map<string, Waiting>();
  /** The handles of questions whose outcome no call has delivered, by agent and text: nobody is asked twice. */
  const undelivered = new Map<string, string>();

  /** The connection. A connection that has failed or was closed is replaced. */
  async function session({ name }: Asker): Promise<ClientSession> {
    const known = connecting;
    const found = await known?.catch(() => undefined);
    if (found !== undefined && found.connection !== "closed") return found;
    if (isClosed) throw new Failure("the host has closed this server");
    if (connecting === known || connecting === undefined) connecting = connect(name);
    return connecting;
  }

  function handleFor(text: string, asker: Asker): string {
    const handle = undelivered.get(text) ?? handles.make(asker);
    undelivered.set(text, handle);
    const [oldest] = undelivered.keys();
    if (undelivered.size > MOST_UNDELIVERED && oldest !== undefined) undelivered.delete(oldest);
    return handle;
  }

  function delivered(handle: string): void {
    for (const [text, kept] of undelivered) if (kept === handle) undelivered.delete(text);
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
    const one = { put, asked, calls: 0, withdraw: () => withdrawal.abort() };
    waiting.set(handle, one);
    const over = () => void waiting.delete(handle);
    asked.then(over, over);
    return one;
  }

  async function ask(...[what, { signal, waitMs, asker }]: Parameters<Ask>): Promise<Result> {
    signal.throwIfAborted();
    const questions = "questions" in what ? what.questions : undefined;
    const handle =
      "handle" in what ? own(what.handle, asker) : handleFor(JSON.stringify([asker, questions]), asker);
    const shared = wait(handle, asker, questions);
    const { put, asked } = shared;
    shared.calls += 1;
    const stopped = afterwards(waitMs, signal);
    try {
      const end = await told(Promise.race([asked, stopped.over]));
      if (end === undefined) {
        // A handle is told once the gateway knows it.
        if (!signal.aborted) await inTime(put, replyMs, signal);
        if (signal.aborted && onCancel === "withdraw" && shared.calls === 1) {
          shared.withdraw();
          delivered(handle);
        }
        return { outcome: undefined, answers: {}, items: [], handle };
      }
      // The host drops the result of a call that it has cancelled.
      if (!signal.aborted) delivered(handle);
      return { ...resultOf(end), handle };
    } finally {
      shared.calls -= 1;
      stopped.clear();
    }
  }

  return {
    ask,
    async look(handle, asker) {
      const key = own(handle, asker);
      const found = await inTime(
        retried(async () => (await session(asker)).ask({ key, wait: false, onLost: "keep" })),
        replyMs,
      );
      if (found?.outcome !== undefined) delivered(key);
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
    async close() {
      const limit = afterwards(CLOSE_MS);
      await Promise.race([leave(), limit.over]);
      limit.clear();
    },
  };

  async function leave(): Promise<void> {
    const from = await connecting?.catch(() => undefined);
    if (from !== undefined && onCancel === "withdraw") {
      for (const { withdraw } of waiting.values()) withdraw();
      await Promise.allSettled([...waiting.values()].map(({ asked }) => asked));
    }
    isClosed = true;
    await from?.close();
  }
}

const resultOf = ({ outcome, answers, items }: Asked): Result => ({ outcome, answers, items });
