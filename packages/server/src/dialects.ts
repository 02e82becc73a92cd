// Every dialect that ships, by the name that it is chosen by.
import { type AdpSettings, adp } from "./dialects/adp/adp.js";
import type { Dialect, ToolDialect } from "./dialects/dialect.js";
import { type KiloSettings, kilo } from "./dialects/kilo/kilo.js";
import { kimi } from "./dialects/kimi/kimi.js";
import { type KlaudeSettings, klaude } from "./dialects/klaude/klaude.js";
import { type RedcSettings, redc } from "./dialects/redc/redc.js";

/** Factories of all shipped dialects. All settings may be left out. */
export const dialects = {
  kimi,
  klaude,
  kilo,
  "kilo-xml": (settings?: Omit<KiloSettings, "form">) => kilo({ ...settings, form: "xml" }),
  redc,
} as const satisfies Record<string, () => Dialect>;
/** The name of a dialect that ships. */
export type DialectName = keyof typeof dialects;

/** Factories of all shipped ways of calling tools. The callable services must be given. */
export const toolDialects = {
  adp,
  "adp-native": (settings: Omit<AdpSettings, "form">) => adp({ ...settings, form: "native" }),
} as const satisfies Record<string, (settings: AdpSettings) => ToolDialect>;

export type { AdpForm, ErrorForm, QueryPolicy, Service } from "./dialects/adp/adp.js";
export type { KiloForm } from "./dialects/kilo/read-call.js";
export type { SwitchMode } from "./dialects/kilo/render.js";
export type { UserInteractionOptions, UserInteractions } from "./in-process/interaction-channel.js";
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
} from "./in-process/interaction-shapes.js";
export { userInteractions } from "./in-process/user-interactions.js";
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
