import type { Asked, AskInit, ClientSession } from "@askwire/client";
import { Failure } from "../input/failure.js";
import { clientToken, type TokenOptions } from "../input/token.js";
import type { AskedQuestion } from "./questions.js";

/** The way of a request to the people of a running server. */
export interface ConnectedOptions extends TokenOptions {
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

/**
 * Asks the people of a session of a running server. Undefined where the signal comes while no server hears of it.
 *
 * @param signal withdraws the questions.
 * @throws Failure for a server that does not let programs ask; LocalError and WireError as the client does.
 */
export async function askConnected(
  questions: readonly AskedQuestion[],
  options: ConnectedOptions,
  signal: AbortSignal,
): Promise<Asked | undefined> {
  const { connect: address, key, name = "askwire-ask", deadline, wait } = options;
  const token = /#./s.test(address) ? undefined : clientToken(options);
  const { connectWebSocket } = await import("@askwire/client/websocket");
  const left = untilAborted(signal);
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
      throw new Failure(`--connect ${address.replace(/#.*/s, "")}: this server does not let programs ask`);
    }
    const init: AskInit = {
      questions,
      signal,
      ...(key !== undefined && { key }),
      ...(deadline !== undefined && { deadline: { ms: deadline * 1_000, on_expiry: "cancel" } }),
      ...(wait === false && { wait, onLost: "keep" }),
    };
    return await Promise.race([session.ask(init), unheard(session, left)]);
  } finally {
    await session.close();
  }
}

const tell = (text: string) => void process.stderr.write(`askwire: ask: ${text}\n`);

const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });

/** Resolves when the command is to end and there is no server to be told. */
async function unheard(session: ClientSession, left: Promise<undefined>): Promise<undefined> {
  await left;
  if (session.connection === "lost") {
    tell("the server could not be told: a question with a key stays open there");
    return undefined;
  }
  return new Promise(() => {});
}
