// Texts with ends of any kind and changes of them, for the tests of every surface where a text is changed before it is
// approved: what was not touched has to stay, byte for byte.

/** A change as a person makes it, in a text with a line feed at each end of a line. */
export interface Touch {
  readonly from: number;
  readonly to: number;
  /** The text that is typed there. */
  readonly typed: string;
}

/** A text, what a person changes of it one after the other, and what then has to be there. */
export interface TouchedText {
  readonly text: string;
  readonly touches: readonly Touch[];
  /** Says what is wrong with a result; undefined if all that was not touched is the same. */
  problemOf(result: string): string | undefined;
}

/** A character that a text area shows; `is` has the bytes of an end, and is undefined for an end that was typed. */
interface Shown {
  readonly as: string;
  readonly is: string | undefined;
}

export const shownText = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Makes a text and its changes. The same seed makes the same. */
export function touchedText(seed: number): TouchedText {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const text = textOf(below);
  let now: Shown[] = [...text.matchAll(/\r\n|./gsu)].map(([is]) => ({ as: shownText(is), is }));
  const touches: Touch[] = [];
  for (let left = 1 + below(5); left > 0; left -= 1) {
    const shown = now.map(({ as }) => as).join("");
    // The mark at the beginning cannot be seen, so nobody deletes it.
    const first = shown.startsWith("\ufeff") ? 1 : 0;
    const at = first + below(now.length + 1 - first);
    const to = Math.min(now.length, at + (below(3) === 0 ? below(12) : 0));
    const typed = typedWords[below(typedWords.length)] as string;
    const after = [...now.slice(0, at), ...[...typed].map((as) => shownAs(as)), ...now.slice(to)];
    if (isOneEnd(after, to > at) || after.length === first) continue;
    const offset = (count: number) => now.slice(0, count).reduce((sum, { as }) => sum + as.length, 0);
    touches.push({ from: offset(at), to: offset(to), typed });
    now = after;
  }
  return { text, touches, problemOf: (result) => problem(now, result) };
}

const shownAs = (as: string): Shown => ({ as, is: as === "\n" ? undefined : as });

/** True where a carriage return and a line feed that were apart would be one end by a deletion. */
const isOneEnd = (shown: readonly Shown[], isDeletion: boolean) =>
  shown.some(
    ({ as, is }, index) =>
      shown[index + 1]?.is === "\n" && (is === "\r" || (isDeletion && as === "\n" && is === undefined)),
  );

function textOf(below: (count: number) => number): string {
  const kinds = endKinds[below(endKinds.length)] as readonly string[];
  const count = below(4) === 0 ? below(120) : below(12);
  let text = below(5) === 0 ? "\ufeff" : "";
  for (let line = 0; line < count; line += 1) {
    const words = lineWords[below(lineWords.length)] as string;
    const last = line === count - 1 && below(3) === 0;
    const end = last ? "" : (kinds[below(kinds.length)] as string);
    // A carriage return and a line feed behind it are one end.
    text += text.endsWith("\r") && words === "" && end === "\n" ? "\r" : words + end;
  }
  return text;
}

const endKinds = [
  ["\r\n"],
  ["\r\n"],
  ["\n"],
  ["\r"],
  ["\r\n", "\n"],
  ["\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n"],
  ["\r\n", "\n", "\r"],
];

const lineWords = [
  "",
  "",
  "}",
  "x",
  "  return a;  ",
  "\tone two",
  "trailing blanks   \t",
  "a\u2028b\u2029c",
  "a\u0085b\u000bc\u000cd",
  "Grüße, 世界 🚀",
];

const typedWords = ["", "", "z", "new\n", "\n", "\nmore", "one\ntwo\nthree", " "];

/** Compares a result with what has to be there: any end will do where one was typed. */
function problem(shown: readonly Shown[], result: string): string | undefined {
  let at = 0;
  for (const [index, { as, is }] of shown.entries()) {
    const found = is ?? /^(?:\r\n|\n|\r)/.exec(result.slice(at, at + 2))?.[0] ?? as;
    if (!result.startsWith(found, at))
      return `expected ${JSON.stringify(found)} as character ${index}, found ${JSON.stringify(result.slice(at, at + 12))}`;
    at += found.length;
  }
  return at === result.length ? undefined : `expected an end, found ${JSON.stringify(result.slice(at))}`;
}

/** The generator mulberry32: numbers from 0 to below 1. */
function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
}
