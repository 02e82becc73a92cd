import fc from "fast-check";

/** Places at which a network may cut a stream, however long it is. */
export const anyCuts = fc.array(fc.nat(), { maxLength: 20 });

/** The bytes in pieces, cut at these places. */
export function cutBytes(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}
