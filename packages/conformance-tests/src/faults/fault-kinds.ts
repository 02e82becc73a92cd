import { randomInt } from "node:crypto";
import { WrongUse } from "../wrong-use.js";

/** The faults around a conversation, each with the promise that a correct program keeps all the same. */
export const faultKinds = {
  split: "a message comes in pieces",
  together: "two messages come in one chunk",
  crlf: "a message ends with CR LF",
  blank: "a blank line comes before a message",
  bom: "a line with a byte-order mark alone comes before a message",
  delay: "a message comes late, by up to 30 ms",
  repeat: "a message that counts once comes twice",
  drop: "the connection is lost and opened again",
} as const;

export type FaultKind = keyof typeof faultKinds;

/** Ordered faults. The same seed gives the same bytes in the same places. */
export interface Faults {
  readonly kinds: readonly FaultKind[];
  readonly seed: number;
}

const all = Object.keys(faultKinds) as FaultKind[];
const LARGEST_SEED = 2 ** 31 - 1;

/**
 * Reads the options `--faults` and `--seed`.
 *
 * @param words kinds, separated by commas, or `all`.
 * @returns undefined where no faults are ordered.
 * @throws WrongUse
 */
export function readFaults(words: string | undefined, seed: string | undefined): Faults | undefined {
  if (words === undefined) {
    if (seed !== undefined) throw new WrongUse(`--seed ${seed}: there is no chance without --faults`);
    return undefined;
  }
  const named = words.split(",").map((word) => word.trim().toLowerCase());
  const unknown = named.filter((word) => word !== "all" && !Object.hasOwn(faultKinds, word));
  if (unknown.length > 0)
    throw new WrongUse(
      `--faults ${words}: expected all, or some of ${all.join(", ")}, not ${unknown.join(", ")}`,
    );
  const kinds = named.includes("all") ? all : all.filter((kind) => named.includes(kind));
  return { kinds, seed: seed === undefined ? randomInt(LARGEST_SEED) : readSeed(seed) };
}

function readSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > LARGEST_SEED)
    throw new WrongUse(`--seed ${text}: expected a whole number from 0 to ${LARGEST_SEED}`);
  return seed;
}

/** The options that order the same faults once more. */
export function faultOptions({ kinds, seed }: Faults): string {
  return `--faults${kinds.length === all.length ? "" : ` ${kinds.join(",")}`} --seed ${seed}`;
}
