import type { Tool } from "@askwire/server";
import type { AdpForm } from "./arguments.js";
import type { Catalogue } from "./catalogue.js";
import { adpDescription, always, native, oncePerTool, optional } from "./prose.js";

const twoSteps = { text: adpDescription, native };

/** The instructions on when to ask for parameters (P-03). */
const policies = { optional, "once-per-tool": oncePerTool, always };
/**
 * The time at which the model is told to query parameters: when unsure, before a tool's first call, or before every
 * call.
 */
export type QueryPolicy = keyof typeof policies;
/** Every {@link QueryPolicy}. */
export const queryPolicies = Object.keys(policies) as readonly QueryPolicy[];

const header = {
  text: "Here are the available services and their tools. To see parameters for a specific tool, use the <tool_param> tag.",
  native:
    "Here are the available services and their tools. To see parameters for a specific tool, call param_query.",
};

/**
 * Writes the instructions: services and actions by their names only, and the two steps of a call (P-01, P-02).
 *
 * @param offered reports if an action is available in this step. Default: each is.
 */
export function adpPrompt(
  { services, actions }: Catalogue,
  form: AdpForm,
  policy: QueryPolicy,
  offered: (tool: Tool) => boolean = () => true,
): string {
  const first = actions.find(({ tool }) => offered(tool));
  if (first === undefined) return "";
  const listed = services.flatMap(({ id, description, actions: all }) => {
    const own = all.filter(({ tool }) => offered(tool));
    if (own.length === 0) return [];
    const names = own.map(({ tool }) => `  - ${tool.name}`);
    return [[`**Service: ${id}**`, `Description: ${description}`, "Tools:", ...names].join("\n")];
  });
  const steps = twoSteps[form]
    .trim()
    .replaceAll("{service}", first.service.id)
    .replaceAll("{action}", first.tool.name);
  return [header[form], ...listed, steps, policies[policy].trim()].join("\n\n");
}
