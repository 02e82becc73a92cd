// Every dialect that ships, by the name that it is chosen by.
import type { Dialect } from "./dialect.js";
import { type KiloSettings, kilo } from "./kilo/kilo.js";
import { kimi } from "./kimi/kimi.js";
import { type KlaudeSettings, klaude } from "./klaude/klaude.js";
import { type RedcSettings, redc } from "./redc/redc.js";

/** Makes each dialect that ships; all settings may be left out. */
export const dialects = {
  kimi,
  klaude,
  redc,
  kilo,
  "kilo-xml": (settings?: Omit<KiloSettings, "form">) => kilo({ ...settings, form: "xml" }),
} as const satisfies Record<string, () => Dialect>;
/** The name of a dialect that ships. */
export type DialectName = keyof typeof dialects;

export type { KiloForm } from "./kilo/read-call.js";
export type { SwitchMode } from "./kilo/render.js";
export type { UserInteractionOptions, UserInteractions } from "./klaude/interaction-channel.js";
export {
  type InteractionOption,
  type InteractionQuestion,
  OTHER_OPTION,
  type UserInteractionInit,
  type UserInteractionPayload,
  type UserInteractionRequest,
  UserInteractionResponse,
  type UserInteractionSource,
  userInteractionSources,
} from "./klaude/interaction-shapes.js";
export { userInteractions } from "./klaude/user-interactions.js";
export { type KiloSettings, type KlaudeSettings, kilo, kimi, klaude, type RedcSettings, redc };
