import type { Stream } from "@agentclientprotocol/sdk";
import type { MessageChannel } from "@askwire/protocol";

/** The receiver of all that the SDK does not handle. */
export interface StreamEvents {
  /**
   * Takes a notification, in the order in which the agent sent it. The SDK would hand on the reply to a prompt before an
   * update that came right before the reply.
   *
   * @returns a promise that further input waits for; undefined where none has to.
   */
  notification(method: string, params: unknown): Promise<void> | undefined;
  /** Takes a line that is no message, or a message that nobody awaits. */
  stray(problem: string): void;
  /** Told once, at the end, with the cause unless the end was orderly. */
  closed(cause: Error | undefined): void;
}

/** The most requests of an agent that are answered at a time. */
const MOST_ASKED = 256;

const REFUSED = {
  code: -32603,
  message: `more than ${MOST_ASKED} requests at a time: await some replies first`,
};

/** Notifications that belong to the engine. */
const CANCEL = "$/cancel_request";

/** A message of JSON-RPC, of which nothing is known yet. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/**
 * Makes the stream of messages that the SDK runs on, out of a channel on which `initialize` was said. The SDK's own
 * `initialize` is answered with that result, and reaches nobody.
 */
export function messageStream(channel: MessageChannel, initialized: unknown, events: StreamEvents): Stream {
  /** The ids of our requests that wait for a reply, and of the agent's that wait for ours. */
  const awaited = new Set<unknown>();
  let asked = 0;

  function send(message: unknown): void {
    channel.send(JSON.stringify(message));
  }

  function receive(text: string, take: (message: Message) => void): void {
    const message = messageIn(text);
    if (message === undefined)
      return events.stray(`it wrote a line that is no message: ${text.slice(0, 200)}`);
    if (typeof message.method !== "string") {
      if (!awaited.delete(message.id)) return events.stray("it replied to a request that nobody made");
      return take(message);
    }
    if (!("id" in message)) {
      if (message.method === CANCEL) return take(message);
      const until = events.notification(message.method, message.params);
      if (until !== undefined) channel.hold?.(until);
    } else if (asked >= MOST_ASKED) {
      events.stray(`it made more than ${MOST_ASKED} requests at a time`);
      send({ jsonrpc: "2.0", id: message.id, error: REFUSED });
    } else {
      asked += 1;
      take(message);
    }
  }

  let enqueue: (message: Message) => void = () => {};
  const readable = new ReadableStream({
    start(controller) {
      enqueue = (message) => controller.enqueue(message);
      let open = true;
      channel.listen({
        message(text) {
          if (open) receive(text, enqueue);
        },
        oversized: (bytes) =>
          events.stray(`it sent a message of more than ${bytes} bytes, which was skipped`),
        closed(cause) {
          open = false;
          events.closed(cause);
          if (cause === undefined) controller.close();
          else controller.error(cause);
        },
      });
    },
    cancel: () => channel.close(),
  });
  const writable = new WritableStream({
    write(message: Message) {
      if (message.method === "initialize") {
        return enqueue({ jsonrpc: "2.0", id: message.id, result: initialized } as Message);
      }
      if (typeof message.method !== "string") asked = Math.max(0, asked - 1);
      else if ("id" in message) awaited.add(message.id);
      send(message);
    },
  });
  return { readable, writable } as Stream;
}

function messageIn(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
