// The only file that knows the SDK, which is loaded with the first agent.

import { LocalError } from "@askwire/protocol";
import { type Abilities, abilitiesOf } from "./abilities.js";
import { AcpError } from "./acp-error.js";
import { type AcpVersion, acpIntroduction, type IntroducedAgent } from "./introduce.js";
import { messageStream } from "./message-stream.js";

/** Answers a request of the agent. Throws AcpError for an error as the answer. */
export type AnswersRequest = (params: unknown, signal: AbortSignal) => unknown;

/** The reactions to an agent's messages. */
export interface AgentMessages {
  /** The methods that are there, by their names. */
  readonly requests: ReadonlyMap<string, AnswersRequest>;
  /** Takes a notification, and returns a promise that further input waits for, where it has to. */
  notification(method: string, params: unknown): Promise<void> | undefined;
  /** Takes a line for the log about a message that has no effect. */
  stray(problem: string): void;
}

/** A connection to an agent, in either version. */
export interface AcpConnection {
  readonly abilities: Abilities;
  /**
   * Sends a request.
   *
   * @throws AcpError for an error as the reply, and the cause where the connection ends first.
   */
  request(method: string, params: Record<string, unknown>): Promise<unknown>;
  notify(method: string, params: Record<string, unknown>): void;
  /** True until the agent is gone. */
  readonly isOpen: boolean;
  /** Settles with the cause once the agent is gone; undefined for an orderly end. */
  readonly closed: Promise<Error | undefined>;
  /** Ends the agent: its input first, then the process. */
  close(): void;
}

/**
 * Connects to an agent that has introduced itself.
 *
 * @throws LocalError BAD_PEER for an invalid introduction, or in a version that is not spoken, INVALID_STATE without
 * the SDK.
 */
export async function connectAcp(
  { channel, initialized }: IntroducedAgent,
  messages: AgentMessages,
): Promise<AcpConnection> {
  const abilities = abilitiesOf(initialized);
  let isOpen = true;
  let ended: (cause: Error | undefined) => void;
  const closed = new Promise<Error | undefined>((resolve) => {
    ended = resolve;
  });
  const stream = messageStream(channel, initialized, {
    notification: messages.notification,
    stray: messages.stray,
    closed(cause) {
      isOpen = false;
      ended(cause);
    },
  });
  const { app, RequestError } = await loadSdk(abilities.version);
  app.onRequest("*", async ({ method, params, signal }) => {
    try {
      const answer = messages.requests.get(method);
      if (answer === undefined) throw new AcpError("methodNotFound", `${method} is not offered`);
      return await answer(params, signal);
    } catch (error) {
      const told = error instanceof AcpError ? error : unexpected(signal);
      if (told !== error && !signal.aborted) messages.stray(`its request ${method} failed: ${error}`);
      throw new RequestError(told.code, told.message, told.data);
    }
  });
  const { agent } = app.connect(stream);
  if (abilities.version === 2) await agent.request("initialize", acpIntroduction(2));
  return {
    abilities,
    request: (method, params) =>
      agent.request(method, params).catch((error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        throw new AcpError(error.code, error.message, error.data);
      }),
    notify: (method, params) => void agent.notify(method, params).catch(() => {}),
    get isOpen() {
      return isOpen;
    },
    closed,
    close: () => channel.close(),
  };
}

/** The part of the SDK's client that both versions have. */
interface ClientApp {
  onRequest(
    method: "*",
    handler: (call: { method: string; params: unknown; signal: AbortSignal }) => unknown,
  ): unknown;
  connect(stream: ReturnType<typeof messageStream>): {
    readonly agent: {
      request(method: string, params: unknown): Promise<unknown>;
      notify(method: string, params: unknown): Promise<void>;
    };
  };
}

/** The answer to a request that nobody answers: the agent has taken it back, or something here has failed. */
const unexpected = ({ aborted }: AbortSignal) =>
  aborted
    ? new AcpError("cancelled", "the request was cancelled")
    : new AcpError("internal", "Internal error");

const missing = (cause: unknown) => {
  const next = "npm install @agentclientprotocol/sdk zod";
  return new LocalError("INVALID_STATE", `agents of ACP need the SDK of that protocol: ${next}`, { cause });
};

/**
 * The part of the SDK for a version. That of the draft is loaded where an agent speaks the draft.
 *
 * @throws LocalError INVALID_STATE where it is not installed.
 */
async function loadSdk(version: AcpVersion) {
  const { client, RequestError } = await import("@agentclientprotocol/sdk").catch((cause: unknown) => {
    throw missing(cause);
  });
  if (version === 1) return { app: client() as ClientApp, RequestError };
  const draft = await import("@agentclientprotocol/sdk/experimental/v2");
  return { app: draft.client() as ClientApp, RequestError };
}
