/** Reads UTF-8 from a part of some bytes, keeping a byte order mark. Invalid bytes become U+FFFD. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Works in any runtime. */
export const decodeAnywhere: Decode = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));

/** The pieces as one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
