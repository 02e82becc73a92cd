import fc from "fast-check";
import { expect, test } from "vitest";

/** Places at which a network may cut a stream, however long it is. */
export const anyCuts = fc.array(fc.nat(), { maxLength: 20 });

/** The bytes in pieces, cut at these places. */
export function cutBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}

/** Stands for a message over the limit among those that were decoded. */
export const OVERSIZED = Symbol("oversized");

/** A framing under test: `frame` writes a message, and `decode` reads a text whose bytes are cut at these places. */
interface Framing {
  readonly anyText: fc.Arbitrary<string>;
  frame(text: string): string;
  decode(text: string, cuts: readonly number[], limit?: number): readonly unknown[];
}

/** Tests that messages come through a framing wherever the network cuts them, and that its limit holds. */
export function wantFraming(name: string, { anyText, frame, decode }: Framing, sentence: string): void {
  test(`any messages arrive unchanged as ${name}, wherever the network cuts them (${sentence})`, () => {
    fc.assert(
      fc.property(fc.array(anyText), anyCuts, (texts, cuts) => {
        expect(decode(texts.map(frame).join(""), cuts)).toEqual(texts);
      }),
    );
  });

  test(`${name} up to the limit arrive, longer ones are reported once, in their place (P-LIM-2)`, () => {
    const limit = 8;
    const size = fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(7, 8, 9));
    fc.assert(
      fc.property(fc.array(size), anyCuts, (sizes, cuts) => {
        const text = sizes.map((length) => frame("x".repeat(length))).join("");
        const expected = sizes.map((length) => (length > limit ? OVERSIZED : "x".repeat(length)));
        expect(decode(text, cuts, limit)).toEqual(expected);
      }),
    );
  });
}
