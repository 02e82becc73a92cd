import type { ChannelSink, MessageChannel } from "../src/index.js";

/** One end of a connection whose other end is the test itself: it types what arrives and reads what was sent. */
export function rawChannel() {
  let sink: ChannelSink | undefined;
  const sent: string[] = [];
  const closes: (number | undefined)[] = [];
  const channel: { -readonly [K in keyof MessageChannel]: MessageChannel[K] } = {
    send: (text) => void sent.push(text),
    listen: (listener) => {
      sink = listener;
    },
    close: (code) => void closes.push(code),
    drained: () => Promise.resolve(),
  };
  return {
    channel,
    /** What was sent, as text. */
    sent,
    /** The same, parsed. */
    messages: () => sent.map((text) => JSON.parse(text) as Record<string, unknown>),
    closes,
    /** Delivers messages within one turn of the event loop. A string goes as it is. */
    receive(...messages: (string | object)[]) {
      for (const message of messages) {
        sink?.message(typeof message === "string" ? message : JSON.stringify(message));
      }
    },
    oversized: (limit: number) => sink?.oversized(limit),
    end: (cause?: Error) => sink?.closed(cause),
  };
}

/** Lets everything run that is ready to run: so many turns of the event loop. */
export async function turns(count = 3): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** What became of a promise, without waiting for it any longer than a few turns. */
export async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const pending = turns().then(() => "pending");
  return await Promise.race([
    promise.then(
      (value) => ({ resolved: value }),
      (error: { code?: unknown }) => ({ rejected: error.code ?? String(error) }),
    ),
    pending,
  ]);
}
