import { files, permissions, prompts } from "./answered.js";
import { forms } from "./forms.js";
import { said } from "./told.js";

/** The tables by their headings. */
export const tables = {
  "What the agent tells": said,
  "What a person says": prompts,
  Permissions: permissions,
  "Forms and links": forms,
  "Files and terminals": files,
} as const;
