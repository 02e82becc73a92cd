import { isAbsolute, relative } from "node:path";
import type { ClaudePermissionUpdate } from "@askwire/adapters/claude";
import { defined } from "@askwire/protocol/internal";

/** The tools of Claude Code that a rule for `Edit` covers. */
const WRITING = ["Write", "Edit", "NotebookEdit"];
/** The longest command for which a rule is offered, in UTF-16 units. */
const LONGEST_COMMAND = 500;

/**
 * The rules that a person may add with a decision, for this folder: Claude Code suggests none to a permission tool.
 * None where a rule would not cover the call, or would cover more than it says.
 */
export function rulesFor(
  name: string,
  input: Readonly<Record<string, unknown>>,
  folder: string,
): ClaudePermissionUpdate[] {
  const rule = (toolName: string, ruleContent?: string): ClaudePermissionUpdate[] => [
    {
      ...{ type: "addRules", behavior: "allow", destination: "localSettings" },
      rules: [{ toolName, ...defined({ ruleContent }) }],
    },
  ];
  const { command } = input;
  if (WRITING.includes(name))
    return isIn(folder, input.file_path ?? input.notebook_path) ? rule("Edit", "/**") : [];
  if (name === "Bash") return typeof command === "string" && isPlain(command) ? rule("Bash", command) : [];
  return name.startsWith("mcp__") ? rule(name) : [];
}

function isIn(folder: string, path: unknown): boolean {
  if (typeof path !== "string") return false;
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way);
}

/** True for a command that a rule names word for word: of these characters some are signs for others. */
const isPlain = (command: string) =>
  command.length <= LONGEST_COMMAND && !/[*()\\\r\n]|:$/.test(command.trim());
