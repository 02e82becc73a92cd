import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import type { FaultKind, FaultPlan, Side } from "./fault.js";
import { faultyWay, type Way } from "./way.js";

/** A connection in memory, with what may go wrong on it. */
export interface MemoryLink {
  readonly server: MessageChannel;
  readonly client: MessageChannel;
  /** True if the link is lost and the client does not know. */
  readonly isDeaf: boolean;
  /** True if the server holds its end. */
  readonly isServed: boolean;
}

/**
 * Two linked channels in one process, which deliver in order and never within the sender's call.
 *
 * @param sent is given what the client sends.
 */
export function memoryLink(plan: FaultPlan, sent: (text: string) => void): MemoryLink {
  const ends = { server: channelEnd(), client: channelEnd() };
  const ways = { server: way("server"), client: way("client") };

  function way(to: Side): Way<string> {
    const back = to === "server" ? "client" : "server";
    return faultyWay<string>(plan, to, {
      deliver: (text) => ends[to].sink?.message(text),
      deliverHalf: () => {},
      delivered: () => ways[back].release(),
      finished: () => end(),
      cut,
    });
  }

  function end(): void {
    ways.server.end();
    ways.client.end();
    ends.server.close();
    ends.client.close();
  }

  function cut(kind: FaultKind): void {
    ways.server.end();
    ways.client.end();
    const cause = new Error("the connection was cut");
    if (kind !== "lost, unseen by the server") ends.server.close(cause);
    if (kind !== "lost, unseen by the client") ends.client.close(cause);
  }

  function channel(of: Side): MessageChannel {
    const to = of === "server" ? "client" : "server";
    return {
      send(text) {
        if (!ends[of].isOpen) return;
        if (of === "client") sent(text);
        ways[to].send(text);
      },
      listen: (sink) => ends[of].listen(sink),
      close() {
        ways[to].finish();
        // Of a connection that was cut unseen nobody else is left.
        if (ways[to].ended) ends[of].close();
      },
      drained: () => Promise.resolve(),
    };
  }

  return {
    server: channel("server"),
    client: channel("client"),
    get isDeaf() {
      return ways.client.ended && ends.client.isOpen;
    },
    get isServed() {
      return ends.server.isOpen;
    },
  };
}

/** The listener of a side. Hears of the end once, and never within its own call. */
function channelEnd() {
  let sink: ChannelSink | undefined;
  let isOpen = true;
  return {
    get sink() {
      return sink;
    },
    get isOpen() {
      return isOpen;
    },
    listen(listener: ChannelSink) {
      sink = listener;
    },
    close(cause?: Error) {
      if (!isOpen) return;
      isOpen = false;
      queueMicrotask(() => sink?.closed(cause));
    },
  };
}
