import type { PlayedPart } from "./player.js";

const LINE_FEED = Uint8Array.of(0x0a);

/** The bytes of some pieces on a stream of lines. */
export const onStream = (parts: readonly PlayedPart[]): Buffer =>
  Buffer.concat(parts.flatMap(({ bytes, isLast }) => (isLast ? [bytes, LINE_FEED] : [bytes])));
