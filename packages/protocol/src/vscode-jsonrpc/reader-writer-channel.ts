import type { Disposable, Message, MessageReader, MessageWriter } from "vscode-jsonrpc";
import { LocalError } from "../errors.js";
import type { ChannelSink, MessageChannel } from "../framing/channel.js";
import { handOn } from "./hand-on.js";
import { LineMessageReader, RefusedLine } from "./line-messages.js";
import { onceQuiet } from "./quiet-turns.js";
import { UnsentWrites } from "./unsent-writes.js";

/** Makes a channel of a reader and a writer of `vscode-jsonrpc`: the engine above is ours (P-VSJ-1). */
export function readerWriterChannel(
  reader: MessageReader,
  writer: MessageWriter,
  unsentBytes: number,
): MessageChannel {
  let sink: ChannelSink | undefined;
  let listening: Disposable | undefined;
  let open = true;
  let came = 0;
  let lastWrite = Promise.resolve();
  const unsent = new UnsentWrites(unsentBytes, giveUp, (error) => end(error as Error));

  function end(cause?: Error): void {
    if (!open) return;
    open = false;
    unsent.end();
    sink?.closed(cause);
  }

  function leave(): void {
    writer.end();
    listening?.dispose();
    reader.dispose();
    writer.dispose();
  }

  function giveUp(): void {
    end(new LocalError("CLOSED", `the other side left more than ${unsentBytes} bytes unread`));
    leave();
  }

  const ended = () => onceQuiet(() => came, end);

  function failed(error: Error): void {
    if (error instanceof RefusedLine && error.text !== undefined) sink?.message(error.text);
    else if (error instanceof RefusedLine) sink?.oversized(error.limitBytes);
    else sink?.unreadable?.(`Invalid message: ${error.message}`);
  }

  return {
    integerIds: !(reader instanceof LineMessageReader),
    send(text) {
      if (!open) return;
      lastWrite = writer.write(JSON.parse(text) as Message);
      unsent.add(text.length, lastWrite);
    },
    listen(listener) {
      sink = listener;
      reader.onError(failed);
      reader.onClose(ended);
      writer.onError(([error]) => end(error));
      writer.onClose(ended);
      listening = reader.listen((message) => {
        came += 1;
        handOn(withTextAsId(message), listener);
      });
    },
    close() {
      if (!open) return;
      end();
      lastWrite.then(leave, leave);
    },
    drained: (bytes) => unsent.drained(bytes),
  };
}

/** The requests of the engine above have texts as ids; a {@link LineMessageReader} makes numbers of some. */
function withTextAsId(message: Message): unknown {
  const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
  return method === undefined && typeof id === "number" ? { ...message, id: String(id) } : message;
}
