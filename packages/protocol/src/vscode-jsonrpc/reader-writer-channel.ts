import type { Disposable, Message, MessageReader, MessageWriter } from "vscode-jsonrpc";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { handOn } from "./hand-on.js";
import { RefusedLine } from "./line-messages.js";
import { onceQuiet } from "./quiet-turns.js";
import { UnsentWrites } from "./unsent-writes.js";

/**
 * A channel over a reader and a writer of `vscode-jsonrpc`: the engine above is ours (P-VSJ-1). The methods work without
 * `this`.
 */
export class ReaderWriterChannel implements MessageChannel {
  readonly #reader: MessageReader;
  readonly #writer: MessageWriter;
  readonly #unsent: UnsentWrites;
  #sink: ChannelSink | undefined;
  #listening: Disposable | undefined;
  #isOpen = true;
  #came = 0;
  #lastWrite = Promise.resolve();

  constructor(reader: MessageReader, writer: MessageWriter, unsentBytes: number) {
    this.#reader = reader;
    this.#writer = writer;
    const full = () => {
      this.#end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
      this.#leave();
    };
    this.#unsent = new UnsentWrites(unsentBytes, full, (error) => this.#end(error as Error));
  }

  send = (text: string): void => {
    if (!this.#isOpen) return;
    this.#lastWrite = this.#writer.write(JSON.parse(text) as Message);
    this.#unsent.add(text.length, this.#lastWrite);
  };

  listen = (sink: ChannelSink): void => {
    this.#sink = sink;
    this.#reader.onError((error) => this.#refuse(error, sink));
    this.#reader.onClose(this.#ended);
    this.#writer.onError(([error]) => this.#end(error));
    this.#writer.onClose(this.#ended);
    this.#listening = this.#reader.listen((message) => {
      this.#came += 1;
      handOn(withTextAsId(message), sink);
    });
  };

  close = (): void => {
    if (!this.#isOpen) return;
    this.#end();
    this.#lastWrite.then(this.#leave, this.#leave);
  };

  drained = (bytes: number): Promise<void> => this.#unsent.drained(bytes);

  #refuse(error: Error, sink: ChannelSink): void {
    if (error instanceof RefusedLine && error.text !== undefined) sink.message(error.text);
    else if (error instanceof RefusedLine) sink.oversized(error.limitBytes);
    else sink.unreadable?.(`Invalid message: ${error.message}`);
  }

  #ended = () =>
    onceQuiet(
      () => this.#came,
      () => this.#end(),
    );

  #end(cause?: Error): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#unsent.end();
    this.#sink?.closed(cause);
  }

  #leave = (): void => {
    this.#writer.end();
    this.#listening?.dispose();
    this.#reader.dispose();
    this.#writer.dispose();
  };
}

/** The requests of the engine above have texts as ids; a `LineMessageReader` makes numbers of some. */
function withTextAsId(message: Message): unknown {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return method === undefined && typeof id === "number" ? { ...message, id: String(id) } : message;
}
