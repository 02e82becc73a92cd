import type { Exchange } from "../contract/check.js";
import { shortened } from "../contract/expectations.js";

/** The lines of the wire that are kept for a failure, and the characters of each. */
const KEPT = { lines: 400, characters: 4_000 };

/** The last messages on the wire. */
export interface KeptTranscript {
  readonly transcript: readonly Exchange[];
  record(exchange: Exchange): void;
}

export function keptTranscript(): KeptTranscript {
  const transcript: Exchange[] = [];
  return {
    transcript,
    record({ kind, text }) {
      if (transcript.length === KEPT.lines) transcript.shift();
      transcript.push({ kind, text: shortened(text, KEPT.characters) });
    },
  };
}
