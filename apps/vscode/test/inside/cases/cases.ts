// All cases in their order, by their sentences. The first ones see the folder before it is trusted.
import type { Case } from "../inside.js";
import { approvals } from "./approvals.js";
import { attached } from "./attached.js";
import { commands } from "./commands.js";
import { keys } from "./keys.js";
import { settings } from "./settings.js";
import { trust } from "./trust.js";

export const cases: Readonly<Record<string, Case>> = {
  ...trust,
  ...settings,
  ...commands,
  ...approvals,
  ...attached,
  ...keys,
};
