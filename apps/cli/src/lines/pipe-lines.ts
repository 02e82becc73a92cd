import { LineDecoder } from "@askwire/protocol";
import type { LineReaders, LineSource } from "./line-readers.js";

/** The most bytes of a line from a pipe. */
const LINE_LIMIT = 1024 * 1024;
/** The most lines of a pipe that wait to be read; after them the writer waits. */
const WAITING_LINES = 256;

/** Reads lines from a pipe. A pipe has no half-typed text, and nothing to lend. */
export function pipeLines(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  readers: LineReaders,
): LineSource {
  const decoder = new LineDecoder(LINE_LIMIT);
  const { queue } = readers;
  const sink = { line: (line: string) => readers.push(line), oversized: () => readers.push("") };
  input.on("data", (chunk: Buffer) => {
    decoder.push(chunk, sink);
    if (queue.length > WAITING_LINES) input.pause();
  });
  input.on("end", () => {
    decoder.end(sink);
    readers.end("over");
  });
  input.on("error", () => readers.end("over"));
  return {
    draws: false,
    lent: false,
    typing: false,
    lastKeyAt: Number.NEGATIVE_INFINITY,
    lend: () => undefined,
    untilSent: async (signal) => signal.throwIfAborted(),
    ask: ({ prompt }) => void output.write(`${prompt}\n`),
    suspend() {},
    abandon() {},
    left() {},
    /** Makes room for another line. */
    took() {
      if (queue.length <= WAITING_LINES && input.isPaused()) input.resume();
    },
    dropTyped() {},
    shows() {},
    suggests() {},
    changed() {},
    endText() {},
    write: (text) => void output.write(text),
    answered: async () => {},
    close() {
      readers.end("closed");
      input.destroy();
    },
  };
}
