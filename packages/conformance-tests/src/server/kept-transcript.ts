import type { Exchange } from "../check.js";
import { shortened } from "../expectations.js";

/** How many lines of the wire are kept for a failure, and how many characters of each. */
const KEPT = { lines: 400, characters: 4_000 };

/** What went over the wire last. */
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
