/** @import { Readable } from "node:stream" */

const newline = 10;

/**
 * Calls `line` for every line of UTF-8 text.
 * @type {(input: Readable, line: (text: string) => void) => void}
 */
export function onLine(input, line) {
  /** @type {Buffer | null} */
  let rest = null;
  input.on("data", (/** @type {Buffer} */ data) => {
    const chunk = rest === null ? data : Buffer.concat([rest, data]);
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      line(chunk.toString("utf8", start, end));
      start = end + 1;
    }
    rest = start < chunk.length ? chunk.subarray(start) : null;
  });
}
