/**
 * Lines that two texts have in common and that each has once, in the same order in both: a long difference is searched
 * between one and the next. The time grows with the lines alone.
 */
export function anchorsOf(
  old: readonly string[],
  now: readonly string[],
): readonly (readonly [before: number, after: number])[] {
  const places = onceIn(now);
  const pairs = [...onceIn(old)].flatMap(([line, before]) => {
    const after = places.get(line);
    return after === undefined ? [] : [[before, after] as const];
  });
  return longestRise(pairs);
}

/** The lines that a text has once, by their place. */
function onceIn(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) twice.add(line);
    else places.set(line, at);
  }
  for (const line of twice) places.delete(line);
  return places;
}

/** The longest part of the pairs, which rise in their first number, that rises in the second one too. */
function longestRise(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  /** The last pair of the best part of each length, and the pair before each pair. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  const second = (at: number | undefined) => pairs[at ?? 0]?.[1] ?? 0;
  for (const [at, [, after]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (second(ends[middle]) < after) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1];
    ends[low] = at;
  }
  const part: (readonly [number, number])[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) part.push(pairs[at] as [number, number]);
  return part.reverse();
}
