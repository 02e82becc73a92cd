import { createHash } from "node:crypto";

/** Numbers that look random and are the same for the same words. */
export interface Chance {
  /** A number from 0, and below 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
}

export function chanceOf(...words: readonly (string | number)[]): Chance {
  let state = createHash("sha256").update(words.join("\n")).digest().readUInt32BE();
  // A Weyl sequence, each number of which is mixed by two rounds of multiplication.
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    const once = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    const twice = Math.imul(once ^ (once >>> 15), 0x735a2d97);
    return ((twice ^ (twice >>> 15)) >>> 0) / 2 ** 32;
  };
  return { next, between: (least, most) => least + Math.floor(next() * (most - least + 1)) };
}
