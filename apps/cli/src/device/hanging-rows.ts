import { widthOf, wrapped } from "./fitted-text.js";

/**
 * Stands in a line of our own behind what the rest of it hangs from, such as a line number. It has no width, is never
 * written, and is in no foreign text, where it would be made visible.
 */
export const HANGS = "\u2060";
/** Marks a row that goes on with the line above it. */
const GOES_ON = "↪ ";
/** The fewest columns of a text beside what it hangs from. */
const LEAST = 8;

/** The rows of a line: those of a text that hangs stand below each other, all but the first with a mark. */
export function* hangingRows(
  line: string,
  columns: number,
  wrap: (text: string, columns: number) => Iterable<string> = wrapped,
): Generator<string> {
  const at = line.indexOf(HANGS);
  if (at === -1) return yield* wrap(line, columns);
  const lead = line.slice(0, at);
  const width = Math.max(widthOf(lead), GOES_ON.length);
  const text = line.slice(at + HANGS.length);
  if (columns - width < LEAST) return yield* wrap(lead + text, columns);
  let before = lead;
  for (const row of wrap(text, columns - width)) {
    yield before + row;
    before = GOES_ON.padStart(width);
  }
}
