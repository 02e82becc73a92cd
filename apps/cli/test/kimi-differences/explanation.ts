import type { Difference } from "./compare.js";

/** Differences that stay, with the reason: a row of docs/differences.md. */
export interface Explanation {
  /** The subject of the differences. */
  readonly about: string;
  readonly kimi: string;
  readonly ours: string;
  readonly why: string;
  /** True if load and chance decide about their occurrence. Default: they always occur. */
  readonly sometimes?: true;
  /** The places of the differences. Each must have one. */
  readonly where: readonly Place[];
}

/** Which differences are meant: all members that are there have to fit. */
export interface Place {
  /** The name of the scenario. */
  readonly scenario?: RegExp;
  /** The message, as `Difference` has it. */
  readonly message?: RegExp;
  readonly path?: RegExp;
  readonly values?: (kimi: unknown, ours: unknown) => boolean;
}

/** True if a place covers a difference of a scenario. */
export function fits(place: Place, scenario: string, { message, path, kimi, ours }: Difference): boolean {
  return (
    (place.scenario?.test(scenario) ?? true) &&
    (place.message?.test(message) ?? true) &&
    (place.path?.test(path) ?? true) &&
    (place.values?.(kimi, ours) ?? true)
  );
}
