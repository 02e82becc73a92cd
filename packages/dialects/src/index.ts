// The public surface of @askwire/dialects: every dialect that ships, by the name that it is chosen by.
import type { Dialect, ToolDialect } from "@askwire/server";
import { type AdpSettings, adp } from "./adp/adp.js";
import { type KiloSettings, kilo } from "./kilo/kilo.js";
import { askUserQuestion, type KimiSettings, kimi } from "./kimi/kimi.js";
import { type KlaudeSettings, klaude } from "./klaude/klaude.js";
import { type RedcSettings, redc } from "./redc/redc.js";

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

export type { AdpForm, ErrorForm, QueryPolicy, Service } from "./adp/adp.js";
export type { KiloForm } from "./kilo/read-call.js";
export type { SwitchMode } from "./kilo/render.js";
export {
  type AdpSettings,
  adp,
  askUserQuestion,
  type KiloSettings,
  type KimiSettings,
  type KlaudeSettings,
  kilo,
  kimi,
  klaude,
  type RedcSettings,
  redc,
};
