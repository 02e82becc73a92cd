/** The most comparisons of lines in a stretch where no line occurs once: 256 lines with 256. */
const MOST_COMPARED = 65_536;
/** The most times that a stretch is cut at the lines that occur once in it. */
const MOST_CUTS = 16;

/** A stretch of both texts: lines from `a` to before `aEnd`, and from `b` to before `bEnd`. */
interface Stretch {
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

/**
 * Finds for each line of a changed text the line before the change that it is, in the same order. The work grows with
 * the lines, whatever they are.
 *
 * @returns for each line the position before; -1 for a line that is new or changed.
 */
export function sameLines(old: readonly string[], now: readonly string[]): Int32Array {
  const same = new Int32Array(now.length).fill(-1);
  const open: (Stretch & { readonly cuts: number })[] = [
    { a: 0, aEnd: old.length, b: 0, bEnd: now.length, cuts: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const rest = withoutEqualEnds(old, now, next, same);
    if (rest.a === rest.aEnd || rest.b === rest.bEnd) continue;
    if ((rest.aEnd - rest.a) * (rest.bEnd - rest.b) <= MOST_COMPARED) longestCommon(old, now, rest, same);
    else if (next.cuts < MOST_CUTS) {
      for (const cut of cutAtAnchors(old, now, rest, same)) open.push({ ...cut, cuts: next.cuts + 1 });
    }
  }
  return same;
}

/** Takes the equal lines at both ends of a stretch, and gives what is left. */
function withoutEqualEnds(
  old: readonly string[],
  now: readonly string[],
  { a: first, aEnd: last, b: firstNow, bEnd: lastNow }: Stretch,
  same: Int32Array,
): Stretch {
  let [a, aEnd, b, bEnd] = [first, last, firstNow, lastNow];
  for (; a < aEnd && b < bEnd && old[a] === now[b]; a += 1, b += 1) same[b] = a;
  for (; a < aEnd && b < bEnd && old[aEnd - 1] === now[bEnd - 1]; aEnd -= 1, bEnd -= 1)
    same[bEnd - 1] = aEnd - 1;
  return { a, aEnd, b, bEnd };
}

/** Takes the most lines that both sides have in the same order. */
function longestCommon(
  old: readonly string[],
  now: readonly string[],
  { a, aEnd, b, bEnd }: Stretch,
  same: Int32Array,
): void {
  const [rows, columns] = [aEnd - a, bEnd - b];
  const width = columns + 1;
  const best = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => best[row * width + column] as number;
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      best[row * width + column] =
        old[a + row] === now[b + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (old[a + row] === now[b + column]) {
      same[b + column] = a + row;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
}

/** Takes the lines that occur once on both sides as far as their order is the same, and gives what lies between. */
function cutAtAnchors(
  old: readonly string[],
  now: readonly string[],
  stretch: Stretch,
  same: Int32Array,
): Stretch[] {
  const anchors = inSameOrder(linesThatOccurOnce(old, now, stretch));
  if (anchors.length === 0) return [];
  const between: Stretch[] = [];
  let { a, b } = stretch;
  for (const [inOld, inNow] of anchors) {
    same[inNow] = inOld;
    between.push({ a, aEnd: inOld, b, bEnd: inNow });
    [a, b] = [inOld + 1, inNow + 1];
  }
  return [...between, { ...stretch, a, b }];
}

type Pair = readonly [inOld: number, inNow: number];

/** The pairs of lines that occur once on each side, by their order in the changed text. */
function linesThatOccurOnce(
  old: readonly string[],
  now: readonly string[],
  { a, aEnd, b, bEnd }: Stretch,
): Pair[] {
  const onlyIn = (lines: readonly string[], from: number, to: number) => {
    const places = new Map<string, number>();
    for (let index = from; index < to; index += 1) {
      const line = lines[index] as string;
      places.set(line, places.has(line) ? -1 : index);
    }
    return places;
  };
  const before = onlyIn(old, a, aEnd);
  return [...onlyIn(now, b, bEnd)].flatMap(([line, inNow]) => {
    const inOld = before.get(line) ?? -1;
    return inNow === -1 || inOld === -1 ? [] : [[inOld, inNow] as const];
  });
}

/** The most pairs whose lines come in the same order on both sides. The pairs are in the order of one side. */
function inSameOrder(pairs: readonly Pair[]): Pair[] {
  const sorted = [...pairs].sort(([, b1], [, b2]) => b1 - b2);
  const before = new Int32Array(sorted.length).fill(-1);
  /** By length: the last pair of a row of that length, with the smallest position. */
  const ends: number[] = [];
  for (const [index, [inOld]] of sorted.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[ends[middle] as number] as Pair)[0] < inOld) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = index;
  }
  const row: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] as number)
    row.push(sorted[index] as Pair);
  return row.reverse();
}
