/** The factor from the smaller work to the larger. */
const FACTOR = 16;

/** Between growing with the size, which gives 16, and with its square, which gives 256. */
export const LINEAR = 64;

/**
 * The growth of the work for a size sixteen times as large. It is counted and not timed: the characters that functions of
 * texts and patterns went over, and the elements that functions of lists did. A loop of our own counts only by what it
 * calls, and a pattern that fails where it has to begin (`y`, `^`) as one character.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  const small = await counted(() => work(size));
  return (await counted(() => work(FACTOR * size))) / small;
}

/** The characters and elements that the language's own functions go over while some work is done. */
export async function counted(work: () => unknown): Promise<number> {
  let count = 0;
  const undo: (() => void)[] = [];
  for (const [owner, names, over] of kinds) {
    for (const name of names) {
      const real = Object.getOwnPropertyDescriptor(owner, name) as PropertyDescriptor;
      const counting = function (this: unknown, ...given: unknown[]): unknown {
        const from = this instanceof RegExp ? this.lastIndex : 0;
        const result = real.value.apply(this, given);
        count += 1 + over(this as never, given as never, result as never, from);
        return result;
      };
      Object.defineProperty(owner, name, { ...real, value: counting });
      undo.push(() => Object.defineProperty(owner, name, real));
    }
  }
  try {
    await work();
  } finally {
    for (const restore of undo) restore();
  }
  return count;
}

type Over = (subject: never, given: never, result: never, from: number) => number;

/** A search from a place to what it found, or to the end of the text. */
const searched = (text: string, [what, from = 0]: [string, number?], found: number) =>
  found < 0 ? Math.max(0, text.length - from) : found - from + String(what).length;

/** A pattern tries every place up to its match, or up to the end; one with `y` or `^` only the first. */
function matched(pattern: RegExp, [text]: [string], match: RegExpExecArray | null, last: number) {
  const { global, sticky, multiline, source } = pattern;
  const from = global || sticky ? last : 0;
  if (match !== null) return match.index + match[0].length - from;
  const isPlaced = sticky || (source.startsWith("^") && !multiline);
  return isPlaced ? 0 : Math.max(0, String(text).length - from);
}

const wholeText = (text: string) => String(text).length;
const wholeList = (list: ArrayLike<unknown>) => list.length;

const kinds: readonly (readonly [object, readonly string[], Over])[] = [
  [String.prototype, ["indexOf", "includes"], searched as Over],
  [String.prototype, ["lastIndexOf", "normalize", "toLowerCase", "split"], wholeText as Over],
  [
    String.prototype,
    ["charCodeAt", "codePointAt", "at", "startsWith", "slice", "substring", "trim"],
    () => 0,
  ],
  [RegExp.prototype, ["exec"], matched as Over],
  [
    Array.prototype,
    ["concat", "includes", "indexOf", "join", "map", "filter", "find", "findIndex", "flat", "shift", "slice"],
    wholeList as Over,
  ],
  [Array.prototype, ["splice", "unshift", "reverse", "sort", "some", "every", "reduce"], wholeList as Over],
];
