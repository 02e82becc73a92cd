import type { Asked, AskInit, ClientSession } from "@askwire/client";
import { CommandFailure } from "../input/failure.js";
import { clientToken, type TokenOptions } from "../input/token.js";
import { type AddressOptions, addressingIn } from "./addressing.js";
import type { AskedQuestion } from "./questions.js";

/** The way of a request to the people of a running server. */
export interface ConnectedOptions extends TokenOptions, AddressOptions {
  /** The address of the session. */
  readonly connect: string;
  readonly key?: string;
  /** The name that people are told. */
  readonly name?: string;
  /** Seconds. */
  readonly deadline?: number;
  /** False to leave once it is asked. */
  readonly wait?: boolean;
}

/** The questions as the command leaves them; without an outcome they stay open. */
export type UnansweredAsk = Pick<Asked, "key" | "outcome" | "answers" | "items">;

/** The two ways in which the command ends before an answer. */
export interface Leaving {
  /** A person takes the questions back. */
  readonly withdrawal: AbortSignal;
  /** The command ends, and decides nothing: questions with a key stay open, for whoever comes back. */
  readonly departure: AbortSignal;
}

/**
 * Asks the people of a session of a running server. Undefined where the end comes while no server hears of it.
 *
 * @throws Failure for a server that does not let programs ask; LocalError and WireError as the client does.
 */
export async function askConnected(
  questions: readonly AskedQuestion[],
  options: ConnectedOptions,
  { withdrawal, departure }: Leaving,
): Promise<UnansweredAsk | undefined> {
  const { connect: address, key, name = "askwire-ask", deadline, wait } = options;
  const token = /#./s.test(address) ? undefined : clientToken(options);
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const anyEnd = AbortSignal.any([withdrawal, departure]);
  // Without a key nobody can come back for the questions.
  const withdrawn = key === undefined ? anyEnd : withdrawal;
  const left = untilAborted(anyEnd);
  let isLost = false;
  const opening = connectWebSocket(address, {
    client: { name, version: __ASKWIRE_VERSION__ },
    ...(token !== undefined && { token }),
    onConnection(change) {
      if (change.state === "lost" && !isLost) tell("the connection is lost, trying again");
      if (change.state === "connected" && isLost) tell("connected again");
      isLost = change.state === "lost";
    },
  });
  const session = await Promise.race([opening, left]);
  if (session === undefined) {
    opening.then((late) => late.close()).catch(() => {});
    return undefined;
  }
  try {
    if (session.server?.capabilities?.askwire?.ask !== true) {
      throw new CommandFailure(
        `--connect ${address.replace(/#.*/s, "")}: this server does not let programs ask`,
      );
    }
    const forWhom = addressingIn(options, "ask");
    const isForSome = forWhom.to !== undefined || forWhom.exclusive === true;
    if (isForSome && session.server?.capabilities?.askwire?.to !== true) {
      throw new CommandFailure(
        `--connect ${address.replace(/#.*/s, "")}: this server asks everybody: leave --to and --exclusive out, or update it`,
      );
    }
    const kept = key === undefined ? [] : [untilAborted(departure).then(() => open(key))];
    const init: AskInit = {
      questions,
      signal: withdrawn,
      ...(key !== undefined && { key }),
      ...(deadline !== undefined && { deadline: { ms: deadline * 1_000, on_expiry: "cancel" } }),
      ...(wait === false && { wait, onLost: "keep" }),
      ...forWhom,
    };
    if (process.stderr.isTTY && wait !== false)
      tell("waits for somebody to answer; Ctrl-C takes the question back");
    return await Promise.race([session.ask(init), unheard(session, withdrawn), ...kept]);
  } finally {
    await session.close();
  }
}

const open = (key: string): UnansweredAsk => ({ key, outcome: undefined, answers: {}, items: [] });

const tell = (text: string) => void process.stderr.write(`askwire: ask: ${text}\n`);

const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });

/** Resolves when the questions are to be withdrawn and there is no server to be told. */
async function unheard(session: ClientSession, withdrawn: AbortSignal): Promise<undefined> {
  await untilAborted(withdrawn);
  if (session.connection === "lost") {
    tell("the server could not be told: a question with a key stays open there");
    return undefined;
  }
  return new Promise(() => {});
}
