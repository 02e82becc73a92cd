import type { Readable, Writable } from "node:stream";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { contentLengthFrame } from "../framing/content-length.js";
import { defaultLimits } from "../limits.js";
import { BatchedOutput } from "./batched-output.js";
import { FramedInput, type Framing } from "./framed-input.js";

/** The bounds of a channel over a pair of streams. */
export interface LineChannelOptions {
  /** The size limit of an inbound line or body, in bytes; a longer one is skipped. Default: 32 MiB. */
  readonly inboundBytes?: number;
  /** Bytes that the other side may leave unread before the connection is given up. Default: 64 MiB. */
  readonly unsentBytes?: number;
  /**
   * True if an id on a line must be a string, as Kimi's server has it (P-FRM-5). Default: false. Under `Content-Length`
   * framing, which that server does not know, integers are ids in any case.
   */
  readonly stringIds?: boolean;
}

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
  return new StreamChannel(input, output, options, "lines");
}

/**
 * Makes a {@link lineChannel} that turns to `Content-Length` framing if the first bytes are its header (P-FRM-7).
 * Framing then holds both ways. A message sent before any input is a line.
 */
export function framedChannel(
  input: Readable,
  output: Writable,
  options: LineChannelOptions = {},
): MessageChannel {
  return new StreamChannel(input, output, options, undefined);
}

/** A channel over a pair of Node streams. Its methods of a channel work without `this`. */
class StreamChannel implements MessageChannel {
  stringIds: boolean;
  #isFramed = false;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #messages: FramedInput;
  readonly #batches: BatchedOutput;
  #sink: ChannelSink | undefined;
  #isOpen = true;
  /** The number of promises that input waits for. */
  #holds = 0;

  constructor(
    input: Readable,
    output: Writable,
    {
      inboundBytes = defaultLimits.inboundBytes,
      unsentBytes = UNSENT,
      stringIds = false,
    }: LineChannelOptions,
    framing: Framing,
  ) {
    this.stringIds = stringIds;
    this.#input = input;
    this.#output = output;
    this.#messages = this.#messagesIn(framing, inboundBytes);
    this.#batches = new BatchedOutput(output, unsentBytes, () => {
      this.#end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
      output.destroy();
    });
    input.on("error", this.#end);
    output.on("error", this.#end);
    output.on("close", () => this.#end());
  }

  send = (text: string): void => {
    if (!this.#isOpen) return;
    this.#batches.add(this.#isFramed ? contentLengthFrame(text, Buffer.byteLength(text)) : `${text}\n`);
  };

  listen = (sink: ChannelSink): void => {
    this.#sink = sink;
    this.#input.on("data", (chunk: Buffer) => this.#messages.push(chunk));
    this.#input.on("end", () => {
      this.#messages.end();
      this.#end();
    });
    this.#input.on("close", () => this.#end());
  };

  close = (): void => {
    if (!this.#isOpen) return;
    this.#batches.flush();
    this.#end();
    this.#output.end();
  };

  hold = (until: Promise<unknown>): void => {
    this.#holds += 1;
    this.#input.pause();
    const goOn = () => {
      this.#holds -= 1;
      if (this.#holds === 0) this.#input.resume();
    };
    until.then(goOn, goOn);
  };

  drained = (bytes: number): Promise<void> => this.#batches.drained(bytes);

  #messagesIn(framing: Framing, inboundBytes: number): FramedInput {
    const deliver = (text: string) => this.#sink?.message(text);
    return new FramedInput(framing, inboundBytes, {
      framed: (framing) => {
        if (framing !== "content-length") return;
        this.#isFramed = true;
        this.stringIds = false;
      },
      line: deliver,
      body: deliver,
      oversized: () => this.#sink?.oversized(inboundBytes),
      unreadable: (problem) => {
        this.#sink?.unreadable?.(problem);
        this.close();
      },
    });
  }

  #end = (cause?: Error): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#batches.end();
    this.#sink?.closed(cause);
  };
}
