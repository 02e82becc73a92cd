import type { Readable, Writable } from "node:stream";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { ContentLengthDecoder, contentLengthFrame, framingOf } from "../framing/content-length.js";
import { LineDecoder } from "../framing/lines.js";
import { defaultLimits } from "../limits.js";
import { afterPromises } from "./after-promises.js";

/** The bounds of a channel over a pair of streams. */
export interface LineChannelOptions {
  /** The size limit of an inbound line or body, in bytes; a longer one is skipped. Default: 32 MiB. */
  readonly inboundBytes?: number;
  /** Bytes that the other side may leave unread before the connection is given up. Default: 64 MiB. */
  readonly unsentBytes?: number;
}

/** The size of a batch that is written at once, so that the other side works in parallel. In characters. */
const BATCH = 4096;
const UNSENT = 64 * 1024 * 1024;

/**
 * Makes a channel of one JSON text a line over a pair of Node streams (P-FRM-1). Closes when the input ends or either
 * fails.
 */
export function lineChannel(
  input: Readable,
  output: Writable,
  options: LineChannelOptions = {},
): MessageChannel {
  return streamChannel(input, output, options, "lines");
}

/**
 * Makes a {@link lineChannel} that turns to `Content-Length` framing if the first bytes are its header (P-FRM-7).
 * Framing then holds both ways, and ids may be integers. A message sent before any input is a line.
 */
export function framedChannel(
  input: Readable,
  output: Writable,
  options: LineChannelOptions = {},
): MessageChannel {
  return streamChannel(input, output, options, undefined);
}

type Framing = ReturnType<typeof framingOf>;

function streamChannel(
  input: Readable,
  output: Writable,
  { inboundBytes = defaultLimits.inboundBytes, unsentBytes = UNSENT }: LineChannelOptions,
  known: Framing,
): MessageChannel {
  let framing = known;
  let decoder = decoderFor(framing, inboundBytes);
  /** The bytes received before the framing was known. */
  let start: Uint8Array = new Uint8Array();
  let sink: ChannelSink | undefined;
  let batch = "";
  let open = true;
  /** The number of promises that input waits for. */
  let holds = 0;
  let waiting: (() => void)[] = [];

  const deliver = (text: string) => sink?.message(text);
  const decoded = {
    line: deliver,
    body: deliver,
    oversized: () => sink?.oversized(inboundBytes),
    unreadable(problem: string) {
      sink?.unreadable?.(problem);
      close();
    },
  };

  function receive(chunk: Buffer): void {
    if (framing !== undefined) return decoder.push(chunk, decoded);
    start = Buffer.concat([start, chunk]);
    framing = framingOf(start);
    if (framing === undefined) return;
    channel.integerIds = framing === "content-length";
    decoder = decoderFor(framing, inboundBytes);
    pushStart();
  }

  /** Clears the bytes first: a reader may throw, and the end of the input comes nevertheless. */
  function pushStart(): void {
    const bytes = start;
    start = new Uint8Array();
    decoder.push(bytes, decoded);
  }

  function finish(): void {
    pushStart();
    decoder.end(decoded);
    end();
  }

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    release();
    sink?.closed(cause);
  }

  function close(): void {
    if (!open) return;
    flush();
    end();
    output.end();
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

  const channel = {
    integerIds: false,
    send(text: string) {
      if (!open) return;
      if (batch === "") afterPromises(flush);
      batch += framing === "content-length" ? contentLengthFrame(text, Buffer.byteLength(text)) : `${text}\n`;
      if (batch.length >= BATCH) flush();
    },
    listen(listener: ChannelSink) {
      sink = listener;
      input.on("data", receive);
      input.on("end", finish);
      input.on("close", () => end());
    },
    close,
    hold(until: Promise<unknown>) {
      holds += 1;
      input.pause();
      const goOn = () => {
        holds -= 1;
        if (holds === 0) input.resume();
      };
      until.then(goOn, goOn);
    },
    drained(bytes: number): Promise<void> {
      if (!open || unsent() <= bytes) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        flush();
        // Below its high-water mark a stream tells nobody that it has drained.
        if (open && !output.writableNeedDrain) output.write("", release);
      });
    },
  };
  return channel;
}

const decoderFor = (framing: Framing, inboundBytes: number) =>
  framing === "content-length"
    ? new ContentLengthDecoder(inboundBytes, decodeFast)
    : new LineDecoder(inboundBytes, decodeFast);

/** Twice as fast as a `TextDecoder` for the length of a question. */
const decodeFast = (bytes: Uint8Array, start: number, end: number) =>
  (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes)).toString("utf8", start, end);
