import type { ChannelSink, MessageChannel } from "./channel.js";

/** Sees every message before it is delivered. */
export type Sniffer = (from: "left" | "right", text: string) => void;

/**
 * Makes two channels in one process, to connect an agent and a UI of the same program. Each channel delivers to the
 * other in order, and never within the sender's call.
 */
export function linkedPair(sniff: Sniffer = () => {}): { left: MessageChannel; right: MessageChannel } {
  const left = end((text) => sniff("left", text));
  const right = end((text) => sniff("right", text));
  left.connect(right);
  right.connect(left);
  return { left, right };
}

interface End extends MessageChannel {
  connect(other: End): void;
  receive(text: string): void;
  end(): void;
}

function end(sniff: (text: string) => void): End {
  let other: End | undefined;
  let sink: ChannelSink | undefined;
  let open = true;
  let scheduled = false;
  const queue: (string | null)[] = [];

  function schedule(): void {
    if (scheduled || sink === undefined) return;
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      while (queue.length > 0) {
        const text = queue.shift() as string | null;
        if (text !== null) sink?.message(text);
        else sink?.closed();
      }
    });
  }
  return {
    connect: (end) => {
      other = end;
    },
    receive(text) {
      queue.push(text);
      schedule();
    },
    end() {
      if (!open) return;
      open = false;
      queue.push(null);
      schedule();
    },
    send(text) {
      if (!open) return;
      sniff(text);
      other?.receive(text);
    },
    listen(listener) {
      sink = listener;
      schedule();
    },
    close() {
      other?.end();
      this.end();
    },
    drained: () => Promise.resolve(),
  };
}
