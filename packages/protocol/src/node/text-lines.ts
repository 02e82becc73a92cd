import type { Readable } from "node:stream";
import { LineDecoder, type LineSink } from "../framing/lines.js";
import { defaultLimits } from "../limits.js";

/**
 * Hears each line of a stream of bytes, without its end: LF or CR LF, and nothing else. `readline` of Node 24 and later
 * also ends a line at U+2028 and U+2029, which a JSON text or a person's words may contain. A last line without an end
 * counts as one; one of more than 32 MiB is dropped.
 *
 * @returns a function that stops hearing, and stops reading.
 */
export function onLines(input: Readable, hear: (line: string) => void): () => void {
  const decoder = new LineDecoder(defaultLimits.inboundBytes);
  const sink = lineSink(hear);
  const take = (chunk: Buffer) => decoder.push(chunk, sink);
  const finish = () => decoder.end(sink);
  input.on("data", take);
  input.once("end", finish);
  return () => {
    input.off("data", take);
    input.off("end", finish);
    input.pause();
  };
}

/**
 * The lines of a stream of bytes, as {@link onLines} cuts them. Reads no further than it is asked to, and ends with the
 * stream, also where that is destroyed.
 *
 * @throws the error of the stream.
 */
export async function* textLines(input: Readable): AsyncGenerator<string, void, void> {
  const decoder = new LineDecoder(defaultLimits.inboundBytes);
  const lines: string[] = [];
  const sink = lineSink((line) => lines.push(line));
  try {
    for await (const chunk of input) {
      decoder.push(chunk, sink);
      yield* lines.splice(0);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
  decoder.end(sink);
  yield* lines.splice(0);
}

const lineSink = (hear: (line: string) => void): LineSink => ({
  line: (text) => void hear(text.endsWith("\r") ? text.slice(0, -1) : text),
  oversized() {},
});
