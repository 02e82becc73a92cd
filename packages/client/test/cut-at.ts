import type { ChannelSink, MessageChannel } from "@askwire/protocol";

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
