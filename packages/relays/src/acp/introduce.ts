import type { DialedChannel } from "@askwire/client/stdio";
import { LocalError, type MessageChannel } from "@askwire/protocol";
import { Room } from "@askwire/protocol/internal";
import { SERVER_VERSION } from "@askwire/server";
import { messageIn } from "./peer-message.js";

/** The newest version of ACP that is spoken; 2 is a draft. */
export type AcpVersion = 1 | 2;

/** An ACP agent that has introduced itself. */
export interface IntroducedAgent {
  /** The channel, to which nothing but `initialize` was sent. It delivers all that came after the answer. */
  readonly channel: MessageChannel & Pick<DialedChannel, "kill">;
  /** The result of `initialize`, as it came. */
  readonly initialized: unknown;
}

/** The form and link of elicitations, in both versions. */
const elicitation = { form: {}, url: {} };

/**
 * The parameters of `initialize`, which introduce us in both versions of ACP.
 *
 * @param newest the newest version that is offered. An agent answers with the version that it will speak.
 */
export function acpIntroduction(newest: AcpVersion): Readonly<Record<string, unknown>> {
  const info = { name: "askwire", title: "Askwire", version: SERVER_VERSION };
  return {
    protocolVersion: newest,
    clientInfo: info,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      terminal: false,
      session: { compaction: {}, notices: {}, configOptions: { boolean: {} } },
      elicitation,
    },
    ...(newest === 2 && { info, capabilities: { elicitation } }),
  };
}

/** The id of `initialize`: a text, so that it matches none of the numbers of later requests. */
const ID = "initialize";

/** Messages that may come between the answer and the next listener, and the UTF-16 units of all. */
const MOST_EARLY = { count: 4_096, units: 32 * 1_048_576 };

/**
 * Introduces us on a channel.
 *
 * @param timeoutMs the time for the answer.
 * @throws LocalError TIMEOUT without an answer in time, BAD_PEER for an error as the answer, and the cause of a channel
 * that ends first. The channel is then closed.
 */
export function introduceAgent(
  channel: MessageChannel & Pick<DialedChannel, "introduced" | "kill">,
  newest: AcpVersion,
  timeoutMs: number,
): Promise<IntroducedAgent> {
  return new Promise((resolve, reject) => {
    const early: string[] = [];
    const room = new Room(MOST_EARLY);
    let listener: Parameters<MessageChannel["listen"]>[0] | undefined;
    let end: { readonly cause: Error | undefined } | undefined;

    function fail(error: Error): void {
      clearTimeout(timer);
      channel.close();
      reject(error);
    }

    function answered(text: string): void {
      const { id, result, error } = messageIn(text) ?? {};
      if (id !== ID) return;
      clearTimeout(timer);
      if (result === undefined) return fail(refused(error));
      taken = later;
      channel.introduced?.();
      resolve({ channel: { ...channel, listen }, initialized: result });
    }

    function later(text: string): void {
      if (listener !== undefined) listener.message(text);
      else if (room.take(text.length)) early.push(text);
      else channel.close();
    }

    function listen(to: NonNullable<typeof listener>): void {
      listener = to;
      for (const text of early) to.message(text);
      if (end !== undefined) to.closed(end.cause);
    }

    let taken = answered;
    const timer = setTimeout(() => fail(new LocalError("TIMEOUT", "it did not introduce itself")), timeoutMs);
    channel.listen({
      message: (text) => taken(text),
      oversized: (bytes) => listener?.oversized(bytes),
      closed(cause) {
        end = { cause };
        if (listener !== undefined) return listener.closed(cause);
        fail(cause ?? new LocalError("CLOSED", "the agent ended before it introduced itself"));
      },
    });
    const params = acpIntroduction(newest);
    channel.send(JSON.stringify({ jsonrpc: "2.0", id: ID, method: "initialize", params }));
  });
}

function refused(error: unknown): LocalError {
  const { message } = Object(error) as { readonly message?: unknown };
  const why = typeof message === "string" ? `: ${message}` : "";
  return new LocalError("BAD_PEER", `the agent refused to be introduced${why}; expected an agent of ACP`);
}
