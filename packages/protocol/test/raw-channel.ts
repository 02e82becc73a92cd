import type { ChannelSink, MessageChannel } from "../src/index.js";

/** An end of a connection whose other end is the test: arriving text is typed, sent text is read. */
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
    /** The sent messages, as text. */
    sent,
    /** The sent messages, parsed. */
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

/** The state of a promise after a few turns. */
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
