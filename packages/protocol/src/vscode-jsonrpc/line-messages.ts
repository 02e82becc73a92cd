import type { Readable, Writable } from "node:stream";
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc";
import { jsonText } from "../framing/json-text.js";
import { LineDecoder } from "../framing/lines.js";
import { tooDeepAt, tooManyAt } from "../framing/nesting.js";
import { defaultLimits } from "../limits.js";

/** The bounds of a {@link LineMessageReader}. */
export interface LineMessageReaderOptions {
  /** Bytes of one line; a longer one is skipped. Default: 32 MiB. */
  readonly inboundBytes?: number;
  /** Levels of objects and arrays that are parsed. Default: 1,000; the engine has a lower limit (P-LIM-3). */
  readonly nesting?: number;
}

/** A line that no message can be made of, told by the reader's `onError`. */
export class RefusedLine extends Error {
  override readonly name = "RefusedLine";
  /** The line as it came; undefined for a line over the limit. */
  readonly text: string | undefined;
  /** The limit of the reader, in bytes. */
  readonly limitBytes: number;

  constructor(problem: string, text: string | undefined, limitBytes: number) {
    super(problem);
    this.text = text;
    this.limitBytes = limitBytes;
  }
}

/**
 * Reads one message a line (P-FRM-1, P-FRM-2), for `createMessageConnection`. A response to a request that a
 * {@link LineMessageWriter} gave a text as id gets its number back. A line that is no JSON, too long, nested too deep
 * or of too many values is reported by `onError`, and reading continues.
 */
export class LineMessageReader extends AbstractMessageReader implements MessageReader {
  readonly #input: Readable;
  readonly #inboundBytes: number;
  readonly #nesting: number;
  #ended = false;

  constructor(
    input: Readable,
    { inboundBytes = defaultLimits.inboundBytes, nesting = 1_000 }: LineMessageReaderOptions = {},
  ) {
    super();
    this.#input = input;
    this.#inboundBytes = inboundBytes;
    this.#nesting = nesting;
  }

  listen(callback: DataCallback): Disposable {
    const decoder = new LineDecoder(this.#inboundBytes);
    const lines = {
      line: (text: string) => this.#deliver(text, callback),
      oversized: () => this.#refuse(`a line of more than ${this.#inboundBytes} bytes was skipped`),
    };
    const read = (chunk: Uint8Array) => decoder.push(chunk, lines);
    const failed = (error: Error) => this.fireError(error);
    const end = () => {
      decoder.end(lines);
      this.#end();
    };
    const close = () => this.#end();
    this.#input.on("data", read).on("end", end).on("close", close).on("error", failed);
    return Disposable.create(() => {
      // A standard input that flows on would keep the process alive.
      this.#input.off("data", read).off("end", end).off("close", close).pause();
    });
  }

  #deliver(text: string, callback: DataCallback): void {
    const deep = tooDeepAt(text, this.#nesting);
    if (deep !== -1) return this.#refuse(`a line is nested too deep at character ${deep + 1}`, text);
    const many = tooManyAt(text, defaultLimits.values);
    if (many !== -1) return this.#refuse(`a line has too many values at character ${many + 1}`, text);
    let message: Message;
    try {
      message = JSON.parse(text) as Message;
    } catch (error) {
      return this.#refuse(`a line is no JSON: ${(error as Error).message}`, text);
    }
    // The library throws at a cancellation without params.
    try {
      callback(withNumberAsId(message));
    } catch (error) {
      this.fireError(error);
    }
  }

  #refuse(problem: string, text?: string): void {
    this.fireError(new RefusedLine(problem, text, this.#inboundBytes));
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.fireClose();
  }
}

/**
 * Writes one message a line (P-FRM-1, P-FRM-3, P-FRM-4), for `createMessageConnection`. The numbers that the library
 * gives its requests become texts, which Kimi's server and clients ask for (P-FRM-5).
 */
export class LineMessageWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #output: Writable;
  #corked = false;

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.on("error", (error) => this.fireError(error));
    output.on("close", () => this.fireClose());
  }

  /** Resolves when the stream has taken the line. Lines of one turn of the event loop are written together. */
  write(message: Message): Promise<void> {
    const line = `${jsonText(withTextAsId(message))}\n`;
    this.#cork();
    return new Promise((resolve, reject) => {
      this.#output.write(line, (error) => {
        if (error == null) return resolve();
        this.fireError(error, message, 1);
        reject(error);
      });
    });
  }

  end(): void {
    this.#output.end();
  }

  #cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#output.cork();
    process.nextTick(() => {
      this.#corked = false;
      this.#output.uncork();
    });
  }
}

interface Members {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

function withTextAsId(message: Message): Message {
  const { id, method, params } = message as Members;
  if (method === undefined) return message;
  if (typeof id === "number") return { ...message, id: String(id) } as Message;
  if (method !== "$/cancelRequest") return message;
  const { id: cancelled } = (params ?? {}) as Members;
  return typeof cancelled === "number"
    ? ({ ...message, params: { id: String(cancelled) } } as Message)
    : message;
}

/** Only responses have an id that this side gave; the library counts its requests from 0. */
function withNumberAsId(message: Message): Message {
  const { id, method } = (message ?? {}) as Members;
  if (method !== undefined || typeof id !== "string" || !/^(0|[1-9]\d{0,14})$/.test(id)) return message;
  return { ...message, id: Number(id) } as Message;
}
