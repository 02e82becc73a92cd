// Every dialect that ships, by the name that it is chosen by.
import type { Dialect } from "./dialect.js";
import { kimi } from "./kimi/kimi.js";

/** Makes each dialect that ships; all settings may be left out. */
export const dialects = {
  kimi,
} as const satisfies Record<string, () => Dialect>;
/** The name of a dialect that ships. */
export type DialectName = keyof typeof dialects;

export { kimi };
