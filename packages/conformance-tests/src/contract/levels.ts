import type { Check, CheckContext } from "./check.js";

/** Whose promise a check is about: what Kimi documents of its Wire 1.10, or what docs/protocol.md adds. */
export const profiles = ["wire-1.10", "askwire"] as const;
export type CheckedProfile = (typeof profiles)[number];

/** The parts of a profile that a program may have, or leave out. */
export const levels = [
  "core",
  "questions",
  "approvals",
  "tools",
  "hooks",
  "sessions",
  "journal",
  "extended",
  "resilience",
  "security",
] as const;
export type Level = (typeof levels)[number];

/** The place of a check among the profiles and levels. */
export interface CheckPlace {
  readonly profile: CheckedProfile;
  readonly level: Level;
  /** `SHOULD` where none of the sentences that the check proves is a MUST. Such a check fails no run. */
  readonly weight: "MUST" | "SHOULD";
}

/** A check with its place. */
export type PlacedCheck<Context extends CheckContext = CheckContext> = Check<Context> & CheckPlace;

/** A check of Kimi's documented wire, unless its row says that the promise is ours. */
export function atLevel<Context extends CheckContext>(
  level: Level,
  checks: readonly Check<Context>[],
  profile: CheckedProfile = "wire-1.10",
): PlacedCheck<Context>[] {
  return checks.map((check) => ({
    ...check,
    level,
    profile: check.isOurs === true ? "askwire" : profile,
    weight: check.isAdvice === true ? "SHOULD" : "MUST",
  }));
}

/** The levels that a program says it has. A check that cannot be tested there is red. */
export type Claims = (place: CheckPlace) => boolean;

/**
 * Reads what a program claims: levels, profiles, and `profile/level`. `all` is everything.
 *
 * @returns the words that say nothing, or the claims.
 */
export function readClaims(
  words: readonly string[],
): { readonly unknown: string[] } | { readonly claims: Claims } {
  const known = new Set<string>([
    "all",
    ...profiles,
    ...levels,
    ...profiles.flatMap((p) => levels.map((l) => `${p}/${l}`)),
  ]);
  const unknown = words.filter((word) => !known.has(word));
  if (unknown.length > 0) return { unknown };
  const said = new Set(words);
  return {
    claims: ({ profile, level }) =>
      ["all", profile, level, `${profile}/${level}`].some((word) => said.has(word)),
  };
}
