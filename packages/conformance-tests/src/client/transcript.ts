import type { Exchange } from "../contract/check.js";

/** The number of exchanges that are kept. The oldest give way. */
const EXCHANGES = 500;
/** The kept characters of each exchange. */
const CHARACTERS = 4_000;

/** The messages on the wire, as a failure shows them. */
export interface ExchangeLog {
  readonly exchanges: readonly Exchange[];
  add(kind: Exchange["kind"], text: string): void;
}

export function createTranscript(): ExchangeLog {
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
