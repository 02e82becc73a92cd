import type { Asked, ClientSession, QuestionView } from "@askwire/client";
import { LocalError, WireError } from "@askwire/protocol";
import type { AskedQuestion } from "../ask/questions.js";
import { type Ask, CallMistake, type OpenQuestions, type Result } from "./asking.js";
import type { Handles } from "./handles.js";

/** The way to the people of a gateway. */
export interface GatewayWay {
  readonly ask: Ask;
  /** The questions of this asker that are open, oldest first. */
  open(asker: string): Promise<readonly OpenQuestions[]>;
  /** The questions of a handle at this moment. */
  look(handle: string, asker: string): Promise<Result>;
  /** Ends the connection. With `withdraw` the questions that calls wait for are withdrawn first. */
  close(): Promise<void>;
}

export interface GatewayWayOptions {
  readonly handles: Handles;
  /** Connects to the gateway, under the name of the one who asks. */
  readonly connect: (asker: string) => Promise<ClientSession>;
  /** Looks at what is open at the gateway, oldest first. */
  readonly openQuestions: (asker: string) => Promise<readonly QuestionView[]>;
  /** The fate of questions whose call is cancelled, or whose host is gone. */
  readonly onCancel: "keep" | "withdraw";
}

interface Waiting {
  /** Resolves once the gateway has the questions: only then can somebody come back for them. */
  readonly put: Promise<unknown>;
  readonly asked: Promise<Asked>;
  withdraw(): void;
}

/** The most handles that a result lists. */
const MOST_LISTED = 64;
/** The attempts of an ask whose gateway was replaced by one at another address. */
const ATTEMPTS = 3;
/** The time for a withdrawal to arrive while the process ends, in milliseconds. */
const WITHDRAW_MS = 2_000;

/** Asks through the wire's `ask`, whose key is the handle. */
export function throughGateway({ handles, connect, openQuestions, onCancel }: GatewayWayOptions): GatewayWay {
  let connecting: Promise<ClientSession> | undefined;
  /** By handle: calls for the same questions share one ask. */
  const waiting = new Map<string, Waiting>();
  /** The handles of questions that a call has left open, by their text: the same questions are not asked twice. */
  const left = new Map<string, string>();

  async function session(asker: string): Promise<ClientSession> {
    connecting ??= connect(asker);
    try {
      const found = await connecting;
      if (found.connection !== "closed") return found;
    } catch (error) {
      connecting = undefined;
      throw error;
    }
    connecting = connect(asker);
    return connecting;
  }

  const own = (handle: string, asker: string): string => {
    if (handles.isOwn(handle, asker)) return handle;
    throw new CallMistake(
      "handle: expected one that a call of this tool has returned here, or leave it out to ask",
    );
  };

  /** Waits for the outcome under a handle. The wait outlives the call. */
  function wait(handle: string, asker: string, questions?: readonly AskedQuestion[]): Waiting {
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
    const one = { put, asked, withdraw: () => withdrawal.abort() };
    waiting.set(handle, one);
    const over = () => {
      waiting.delete(handle);
      for (const [text, open] of left) if (open === handle) left.delete(text);
    };
    asked.then(over, over);
    return one;
  }

  async function ask(...[what, { signal, waitMs, asker }]: Parameters<Ask>): Promise<Result> {
    signal.throwIfAborted();
    const text = "questions" in what ? JSON.stringify(what.questions) : undefined;
    const handle =
      "handle" in what
        ? own(what.handle, asker)
        : (text !== undefined && left.get(text)) || handles.make(asker);
    const { put, asked, withdraw } = wait(handle, asker, "questions" in what ? what.questions : undefined);
    const stopped = afterwards(waitMs, signal);
    try {
      const end = await told(Promise.race([asked, stopped.over]));
      if (end === undefined && !signal.aborted) await told(Promise.race([put, aborted(signal)]));
      if (end !== undefined) return { ...resultOf(end), handle };
      if (signal.aborted && onCancel === "withdraw") withdraw();
      else if (text !== undefined) left.set(text, handle);
      return { outcome: undefined, answers: {}, items: [], handle };
    } finally {
      stopped.clear();
    }
  }

  return {
    ask,
    async look(handle, asker) {
      const key = own(handle, asker);
      return {
        ...resultOf(await told((await session(asker)).ask({ key, wait: false, onLost: "keep" }))),
        handle,
      };
    },
    async open(asker) {
      return (await openQuestions(asker))
        .flatMap(({ program, questions }) =>
          program !== undefined && handles.isOwn(program.key, asker)
            ? [{ handle: program.key, questions: questions.map(({ question }) => question) }]
            : [],
        )
        .slice(-MOST_LISTED);
    },
    async close() {
      if (connecting === undefined) return;
      const from = await connecting.catch(() => undefined);
      if (onCancel === "withdraw" && from?.connection === "connected") {
        const ended = [...waiting.values()].map(({ asked, withdraw }) => {
          withdraw();
          return asked.catch(() => {});
        });
        const limit = afterwards(WITHDRAW_MS);
        await Promise.race([Promise.all(ended), limit.over]);
        limit.clear();
      }
      await from?.close();
    },
  };
}

const resultOf = ({ outcome, answers, items }: Asked): Result => ({ outcome, answers, items });

/** Tries again where the connection was closed to be replaced. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LocalError && error.code === "CLOSED") || tries === ATTEMPTS) throw error;
    }
  }
}

/** Rejects with words for the model, where the server refuses what was asked. */
async function told<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof WireError && error.code === -32011)
      throw new CallMistake("handle: the questions under it are no longer known: ask again without it");
    if (error instanceof WireError && error.code === -32602) throw new CallMistake(error.message);
    throw error;
  }
}

/** Resolves when the signal comes. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Resolves after so many milliseconds, or when the signal comes. */
function afterwards(ms: number, signal?: AbortSignal) {
  let clear = () => {};
  const over = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    clear = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    };
  });
  return { over, clear: () => clear() };
}
