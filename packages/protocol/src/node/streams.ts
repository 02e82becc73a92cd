import type { Readable, Writable } from "node:stream";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { LineDecoder } from "../framing/lines.js";
import { defaultLimits } from "../limits.js";

export interface LineChannelOptions {
  /** Default: 32 MiB. */
  readonly inboundBytes?: number;
  /** Bytes that the other side may leave unread before the connection is given up. Default: 64 MiB. */
  readonly unsentBytes?: number;
}

/** From this size on a batch is written at once, so that the other side works while this one goes on. */
const BATCH = 4096;
const UNSENT = 64 * 1024 * 1024;

/** Twice as fast as a `TextDecoder` for the length of a question. */
const decodeFast = (bytes: Uint8Array, start: number, end: number) =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString("utf8", start, end);

/** One JSON text a line over a pair of Node streams (P-FRM-1). Closed when the input ends or either fails. */
export function lineChannel(
  input: Readable,
  output: Writable,
  options: LineChannelOptions = {},
): MessageChannel {
  const { inboundBytes = defaultLimits.inboundBytes, unsentBytes = UNSENT } = options;
  const decoder = new LineDecoder(inboundBytes, decodeFast);
  let sink: ChannelSink | undefined;
  let batch = "";
  let open = true;
  let waiting: (() => void)[] = [];

  const lineSink = {
    line: (text: string) => sink?.message(text),
    oversized: () => sink?.oversized(inboundBytes),
  };

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    release();
    sink?.closed(cause);
  }

  function flush(): void {
    const text = batch;
    batch = "";
    if (text === "" || !output.writable) return;
    output.write(text);
    if (output.writableLength <= unsentBytes) return;
    end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
    output.destroy();
  }

  const unsent = () => output.writableLength + batch.length;

  /** Called when all was sent, or the end came. */
  function release(): void {
    const released = waiting;
    waiting = [];
    for (const resolve of released) resolve();
  }

  input.on("error", end);
  output.on("error", end);
  output.on("close", () => end());
  output.on("drain", release);

  return {
    send(text) {
      if (!open) return;
      if (batch === "") process.nextTick(flush);
      batch += `${text}\n`;
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
    close() {
      if (!open) return;
      flush();
      end();
      output.end();
    },
    drained(bytes) {
      if (!open || unsent() <= bytes) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        flush();
        // Below its high-water mark a stream tells nobody that it has drained.
        if (open && !output.writableNeedDrain) output.write("", release);
      });
    },
  };
}
