import { addAbortSignal } from "node:stream";

/** The most bytes of standard input. */
const MOST_READ = 16 * 1024 * 1024;

/** The complaint about an input that is too long. */
export const TOO_LONG = "standard input: expected at most 16 MiB";

/**
 * Reads standard input to its end. Undefined for more than 16 MiB, of which the rest is not read.
 *
 * @throws the error of the stream, and that of the signal once it is aborted.
 */
export async function standardInput(signal: AbortSignal): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, process.stdin)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_READ) return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}
