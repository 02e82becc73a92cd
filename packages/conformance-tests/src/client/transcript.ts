import type { Exchange } from "../check.js";

/** How many exchanges are kept; the oldest give way. */
const EXCHANGES = 500;
/** How many characters of each. */
const CHARACTERS = 4_000;

/** What went over the wire, as a failure shows it. */
export interface Transcript {
  readonly exchanges: readonly Exchange[];
  add(kind: Exchange["kind"], text: string): void;
}

export function createTranscript(): Transcript {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    add(kind, text) {
      const rest = text.length - CHARACTERS;
      exchanges.push({
        kind,
        text: rest <= 0 ? text : `${text.slice(0, CHARACTERS)}… (${rest} more characters)`,
      });
      if (exchanges.length > EXCHANGES) exchanges.shift();
    },
  };
}
