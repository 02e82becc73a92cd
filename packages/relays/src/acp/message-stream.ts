import type { Stream } from "@agentclientprotocol/sdk";
import type { MessageChannel } from "@askwire/protocol";
import { moreThan, Room } from "@askwire/protocol/internal";
import { messageIn, type PeerMessage } from "./peer-message.js";

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

/** The requests of an agent that are answered at a time, and the UTF-16 units of all. */
const MOST_ASKED = { count: 256, units: 64 * 1_048_576 };

const REFUSED = {
  code: -32603,
  message: `${moreThan(MOST_ASKED, "requests")} at a time: await some replies first`,
};

/** Notifications that belong to the engine. */
const CANCEL = "$/cancel_request";

/**
 * Makes the stream of messages that the SDK runs on, out of a channel on which `initialize` was said. The SDK's own
 * `initialize` is answered with that result, and reaches nobody.
 */
export function messageStream(channel: MessageChannel, initialized: unknown, events: StreamEvents): Stream {
  /** The ids of our requests that wait for a reply, and of the agent's that wait for ours. */
  const awaited = new Set<unknown>();
  /** The sizes of the agent's requests that wait for our reply, by their ids, of which an agent may use one twice. */
  const asked = new Map<unknown, number[]>();
  const room = new Room(MOST_ASKED);

  function send(message: unknown): void {
    channel.send(JSON.stringify(message));
  }

  function answered(id: unknown): void {
    const [units, ...others] = asked.get(id) ?? [];
    if (units !== undefined) room.leave(units);
    if (others.length > 0) asked.set(id, others);
    else asked.delete(id);
  }

  function receive(text: string, take: (message: PeerMessage) => void): void {
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
    } else if (!room.take(text.length)) {
      events.stray(`it made ${moreThan(MOST_ASKED, "requests")} at a time`);
      send({ jsonrpc: "2.0", id: message.id, error: REFUSED });
    } else {
      asked.set(message.id, [...(asked.get(message.id) ?? []), text.length]);
      take(message);
    }
  }

  let enqueue: (message: PeerMessage) => void = () => {};
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
    write(message: PeerMessage) {
      if (message.method === "initialize") {
        return enqueue({ jsonrpc: "2.0", id: message.id, result: initialized } as PeerMessage);
      }
      if (typeof message.method !== "string") answered(message.id);
      else if ("id" in message) awaited.add(message.id);
      send(message);
    },
  });
  return { readable, writable } as Stream;
}
