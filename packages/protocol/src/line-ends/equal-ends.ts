/** The lines that two texts have in common at their ends. */
export interface EqualEnds {
  /** The equal lines before the first changed one. */
  readonly head: number;
  /** The equal lines after the last changed one. No line counts for both. */
  readonly tail: number;
}

/** Counts the equal lines before the first change and after the last one. */
export function equalEnds(old: readonly string[], now: readonly string[]): EqualEnds {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return { head, tail };
}
