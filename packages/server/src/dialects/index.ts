// Every dialect that ships, by the name that it is chosen by.
import { type AdpSettings, adp } from "./adp/adp.js";
import type { Dialect, ToolDialect } from "./dialect.js";
import { type KiloSettings, kilo } from "./kilo/kilo.js";
import { kimi } from "./kimi/kimi.js";
import { type KlaudeSettings, klaude } from "./klaude/klaude.js";
import { type RedcSettings, redc } from "./redc/redc.js";

/** Makes each dialect that ships; all settings may be left out. */
export const dialects = {
  kimi,
  klaude,
  kilo,
  "kilo-xml": (settings?: Omit<KiloSettings, "form">) => kilo({ ...settings, form: "xml" }),
  redc,
} as const satisfies Record<string, () => Dialect>;
/** The name of a dialect that ships. */
export type DialectName = keyof typeof dialects;

/** Makes each way of calling tools that ships; what may be called has to be said. */
export const toolDialects = {
  adp,
  "adp-native": (settings: Omit<AdpSettings, "form">) => adp({ ...settings, form: "native" }),
} as const satisfies Record<string, (settings: AdpSettings) => ToolDialect>;

export type { AdpForm, ErrorForm, QueryPolicy, Service } from "./adp/adp.js";
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
export {
  type AdpSettings,
  adp,
  type KiloSettings,
  type KlaudeSettings,
  kilo,
  kimi,
  klaude,
  type RedcSettings,
  redc,
};
