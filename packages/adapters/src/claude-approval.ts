import type { ApprovalToAsk, AskedOption } from "@askwire/client";
import type { DisplayBlockInput } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import { askKey } from "./ask-key.js";
import { type ClaudePermissionUpdate, wordsOfUpdates } from "./claude-permissions.js";

/** A call of a tool, with what Claude says of it. */
export interface ClaudeCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly decisionReason?: string | undefined;
  readonly blockedPath?: string | undefined;
  /** The changes that come with "always", all together. */
  readonly suggestions: readonly ClaudePermissionUpdate[];
  /** True if no policy may answer it. */
  readonly personOnly: boolean;
}

/** The content of the file at a path; undefined for one that is not there, null for one that cannot be shown. */
export type ReadText = (path: string) => Promise<string | undefined | null>;

/** The approval of a call, and how what the person changed becomes its input. */
export interface ClaudeApproval {
  readonly ask: ApprovalToAsk;
  /** The member of the input that the person may change; undefined where nothing may be changed. */
  readonly edits: string | undefined;
}

/** The option by which the suggestions are taken too. */
export const ALWAYS = "always";
/** The option that rejects the call and ends the turn. */
export const STOP = "stop";

/** The longest text that the person may change, in UTF-16 units, as of our own tools (P-XAO-7). */
const MOST_EDITED = 262_144;

/** The words, the blocks and the ways to answer for a call. Its command, its difference or its plan is shown whole. */
export async function claudeApproval(call: ClaudeCall, read: ReadText): Promise<ClaudeApproval> {
  const shown = await shownOf(call, read);
  const reasons = [call.decisionReason, call.blockedPath && `It reaches ${call.blockedPath}.`];
  const description = [shown.description, ...reasons].filter(Boolean).join("\n");
  const { member, path, language } = shown.edit ?? {};
  const content = member === undefined ? undefined : call.input[member];
  const mayEdit = typeof content === "string" && content.length <= MOST_EDITED && !content.includes("\u0000");
  return {
    ask: {
      action: call.name,
      description,
      display: shown.display,
      options: await optionsFor(call.suggestions),
      ...((call.personOnly || shown.personOnly) && { person_only: true }),
      ...(mayEdit && { edit: { content, max_length: MOST_EDITED, ...defined({ path, language }) } }),
    },
    edits: mayEdit ? member : undefined,
  };
}

interface Shown {
  readonly description: string;
  readonly display: DisplayBlockInput[];
  readonly edit?: { readonly member: string; readonly path?: string; readonly language?: string };
  readonly personOnly?: boolean;
}

async function shownOf(call: ClaudeCall, read: ReadText): Promise<Shown> {
  const { name, input, title, description: said } = call;
  const text = (member: string) =>
    typeof input[member] === "string" ? (input[member] as string) : undefined;
  const command = text("command");
  if ((name === "Bash" || name === "PowerShell") && command !== undefined) {
    const language = name === "Bash" ? "bash" : "powershell";
    return {
      description: said ?? text("description") ?? "Run a command",
      display: [{ type: "shell", language, command }],
      edit: { member: "command", language },
    };
  }
  const [path, content, before, after] = ["file_path", "content", "old_string", "new_string"].map(text);
  if (name === "Write" && path !== undefined && content !== undefined) {
    const old_text = await read(path);
    return {
      description:
        title ?? (old_text === null ? `Write ${path}, whose content cannot be shown` : `Write ${path}`),
      display: [{ type: "diff", path, old_text: old_text ?? "", new_text: content }],
      edit: { member: "content", path },
    };
  }
  if (name === "Edit" && path !== undefined && before !== undefined && after !== undefined) {
    const everywhere = input.replace_all === true ? ", wherever it is" : "";
    return {
      description: title ?? `Change ${path}${everywhere}`,
      display: [{ type: "diff", path, old_text: before, new_text: after }],
      edit: { member: "new_string", path },
    };
  }
  const plan = text("plan");
  if (name === "ExitPlanMode") {
    return {
      description:
        plan === undefined ? "Leave plan mode and begin. There is no plan to show" : "Carry out this plan",
      display: plan === undefined ? [] : [{ type: "brief", text: plan }],
      personOnly: true,
    };
  }
  const json = JSON.stringify(input, null, 2);
  return {
    description: title ?? said ?? `Call the tool ${name}`,
    display: [{ type: "shell", language: "json", command: json }],
  };
}

/** Once, as Claude suggests from now on, or not; not in two ways. */
async function optionsFor(suggestions: readonly ClaudePermissionUpdate[]): Promise<AskedOption[]> {
  const once: AskedOption = { id: "once", kind: "allow" };
  const no: AskedOption[] = [
    { id: "reject", kind: "reject" },
    { id: STOP, kind: "reject", label: "Reject and stop the turn" },
  ];
  if (suggestions.length === 0) return [once, ...no];
  const words = wordsOfUpdates(suggestions);
  const value = await askKey(JSON.stringify(suggestions));
  const scope = { kind: "claude_permissions", value, text: words };
  return [once, { id: ALWAYS, kind: "allow", label: `Approve, and from now on ${words}`, scope }, ...no];
}
