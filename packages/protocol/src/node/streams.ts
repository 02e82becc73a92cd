import type { Readable, Writable } from "node:stream";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { LineDecoder } from "../framing/lines.js";
import { defaultLimits } from "../limits.js";

export interface LineChannelOptions {
  /** Default: 32 MiB. */
  readonly inboundBytes?: number;
  /** Called by `close`, after the output was ended; to end a process, for instance. */
  readonly onClose?: () => void;
}

/** From this size on a batch is written at once, so that the other side works while this one goes on. */
const BATCH = 4096;

/** One JSON text a line over a pair of Node streams (P-FRM-1). Closed when the input ends or either fails. */
export function lineChannel(
  input: Readable,
  output: Writable,
  options: LineChannelOptions = {},
): MessageChannel {
  const limit = options.inboundBytes ?? defaultLimits.inboundBytes;
  const decoder = new LineDecoder(limit);
  let sink: ChannelSink | undefined;
  let batch = "";
  let batched = 0;
  let written = 0;
  let open = true;
  const waiting: { bytes: number; resolve: () => void }[] = [];

  const lineSink = {
    line: (text: string) => sink?.message(text),
    oversized: () => sink?.oversized(limit),
  };

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    release();
    sink?.closed(cause);
  }

  function flush(): void {
    const text = batch;
    const count = batched;
    batch = "";
    batched = 0;
    if (text === "" || output.destroyed || output.writableEnded) return;
    written += count;
    output.write(text, () => {
      written -= count;
      release();
    });
  }

  const unsentBytes = () => output.writableLength + batch.length;

  function release(): void {
    for (let i = waiting.length - 1; i >= 0; i--) {
      const waiter = waiting[i] as (typeof waiting)[number];
      if (open && unsentBytes() > waiter.bytes) continue;
      waiting.splice(i, 1);
      waiter.resolve();
    }
  }

  input.on("error", end);
  output.on("error", end);
  output.on("close", () => end());

  return {
    send(text) {
      if (!open) return;
      if (batch === "") process.nextTick(flush);
      batch += `${text}\n`;
      batched += 1;
      if (batch.length >= BATCH) flush();
    },
    listen(listener) {
      sink = listener;
      input.on("data", (chunk: Buffer) => decoder.push(chunk, lineSink));
      input.on("end", () => {
        decoder.end(lineSink);
        end();
      });
      input.on("close", () => end());
    },
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    close() {
      if (!open) return;
      flush();
      end();
      output.end();
      options.onClose?.();
    },
    unsent: () => ({ bytes: unsentBytes(), messages: written + batched }),
    drained: (bytes) =>
      !open || unsentBytes() <= bytes
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ bytes, resolve })),
  };
}
