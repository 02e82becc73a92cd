import type { ChannelSink, MessageChannel } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import type { AskwireServer, Session } from "../../server/src/index.js";
import type { ConnectOptions } from "../src/index.js";
import { fakeTiming } from "./extended-server.js";

/** Cuts a channel by hand, or at its n-th message of either direction: before it is handed over, or right after. */
export function cutAt(
  channel: MessageChannel,
  n: number,
  after: boolean,
): { channel: MessageChannel; count(): number; cut(): void } {
  let sink: ChannelSink | undefined;
  let count = 0;
  let isCut = false;
  function pass(hand: () => void): void {
    if (isCut) return;
    count += 1;
    const cut = count === n;
    if (!cut || after) hand();
    if (cut) end();
  }
  function end(): void {
    isCut = true;
    channel.close();
    queueMicrotask(() => sink?.closed(new Error("cut")));
  }
  return {
    cut: end,
    count: () => count,
    channel: {
      ...channel,
      send: (text) => pass(() => channel.send(text)),
      listen(listener) {
        sink = listener;
        channel.listen({
          ...listener,
          message: (text) => pass(() => listener.message(text)),
          closed: (cause) => void (isCut || listener.closed(cause)),
        });
      },
    },
  };
}

/** The way to a session of a server whose first connection is cut at its n-th message, and the next one opened at once. */
export function firstCutAt(server: AskwireServer, session: Session, n: number, after: boolean) {
  const time = fakeTiming();
  let first: ReturnType<typeof cutAt> | undefined;
  const options: Pick<ConnectOptions, "timing" | "onConnection"> = {
    timing: time.timing,
    onConnection: ({ state }) =>
      void (state === "lost" && setImmediate(() => time.waits().length > 0 && time.fire())),
  };
  return {
    options,
    /** The messages of the first connection. */
    messages: () => first?.count() ?? 0,
    open() {
      const { left, right } = linkedPair();
      server.connect(left, { session, graceMs: 30_000 });
      if (first !== undefined) return right;
      first = cutAt(right, n, after);
      return first.channel;
    },
  };
}
