/** Ctrl-Z. */
const STOP = 0x1a;
const ESCAPE = 0x1b;
const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/** The pause after which a paste without an end is over, in milliseconds. */
const PASTE_PAUSE_MS = 2_000;

/**
 * Cuts typed bytes at each Ctrl-Z, which is no key; undefined stands in its place. In a paste Ctrl-Z is a plain
 * character.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function createStopKey(now: () => number): (chunk: Buffer) => (Buffer | undefined)[] {
  let pasting = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  /** The bytes since an escape character, which may begin a mark. */
  let tail = "";
  return (chunk) => {
    if (now() - lastAt > PASTE_PAUSE_MS) pasting = false;
    lastAt = now();
    if (tail === "" && !chunk.includes(STOP) && !chunk.includes(ESCAPE)) return [chunk];
    const parts: (Buffer | undefined)[] = [];
    let from = 0;
    for (const [index, byte] of chunk.entries()) {
      tail = byte === ESCAPE ? "\u001b" : tail && tail + String.fromCharCode(byte);
      if (tail === PASTE_BEGIN) pasting = true;
      if (tail === PASTE_END) pasting = false;
      if (tail.length >= PASTE_BEGIN.length) tail = "";
      if (byte !== STOP || pasting) continue;
      if (index > from) parts.push(chunk.subarray(from, index));
      parts.push(undefined);
      from = index + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    return parts;
  };
}
