import type { ContentPart, DisplayBlockInput, ToolCall, ToolReturnValue } from "@askwire/protocol";
import { contentText, partOf } from "./content.js";
import { wholeFileDiff } from "./diff-blocks.js";
import { patchBlocks } from "./patch-blocks.js";
import type { ToolCallContent, ToolCallNews } from "./shapes.js";
import { callTodos } from "./todos.js";

/** The most characters of a result's text, of a name, and the most parts of an output. */
const MOST_TEXT = 262_144;
const MOST_NAME = 80;
const MOST_PARTS = 1_000;

/** A tool call of an agent, with all that was told of it. */
export type AgentCall = ToolCallNews & { readonly content: readonly ToolCallContent[] };

/** A name of a tool, as the first title of a call has it where an agent tells no name (OpenCode). */
const TOOL_NAME = /^[a-z][a-z0-9_-]*$/;

/** Adds news to a call: each member that is there takes the place of the earlier one. */
export function withNews(call: AgentCall | undefined, news: ToolCallNews): AgentCall {
  const told = Object.entries(news).filter(([, value]) => value != null);
  const first = call?.title ?? "";
  const named = TOOL_NAME.test(first) && { name: first };
  const { content = [], ...rest } = { ...named, ...call, ...Object.fromEntries(told) } as AgentCall;
  return { ...rest, toolCallId: news.toolCallId, content: content.slice(0, MOST_PARTS) };
}

/** Adds a part to the output of a call. */
export const withContent = (call: AgentCall, content: ToolCallContent): AgentCall => ({
  ...call,
  content: [...call.content, content].slice(0, MOST_PARTS),
});

/** The name of the tool: its own, else the title of the call, else its kind. */
export function acpToolName({ name, title, kind, _meta }: AgentCall): string {
  const { claudeCode } = Object(_meta) as { readonly claudeCode?: { readonly toolName?: unknown } };
  const known = name ?? claudeCode?.toolName;
  const named = typeof known === "string" ? known : (title ?? kind ?? "tool");
  return firstLine(named).slice(0, MOST_NAME) || "tool";
}

/** The purpose of the call in a line. */
export const callTitle = (call: AgentCall): string => firstLine(call.title ?? "") || acpToolName(call);

/** A call as clients see it. Its arguments are the agent's, or the title and the places where there are none. */
export function wireCall(call: AgentCall): ToolCall {
  const { toolCallId: id, title, kind, rawInput } = call;
  const paths = pathsOf(call);
  const shown = {
    ...(title != null && title !== acpToolName(call) && { title }),
    ...(paths.length > 0 && { paths }),
  };
  const args = isFilled(rawInput) ? rawInput : shown;
  return {
    type: "function",
    id,
    function: { name: acpToolName(call), arguments: JSON.stringify(isObject(args) ? args : { input: args }) },
    extras: { acp: { ...(kind != null && { kind }), ...(title != null && { title }) } },
  };
}

/** The result of a call that has ended. A list of what is to do is shown, and not said as text once more. */
export function wireResult(call: AgentCall): ToolReturnValue {
  const display = displayOf(call);
  const isShown = display.some(({ type }) => type === "todo");
  const shown = display.length > 0 ? display : [{ type: "brief", text: callTitle(call) }];
  return {
    is_error: call.status !== "completed",
    output: isShown && call.status === "completed" ? "" : outputOf(call),
    message: call.status === "cancelled" ? "The call was cancelled." : "",
    display: shown as ToolReturnValue["display"],
    extras: null,
  };
}

/** The result of a call of which the agent told no end. */
export const unknownResult = (call: AgentCall): ToolReturnValue => ({
  ...wireResult(call),
  is_error: true,
  message: "The agent did not tell how this call ended.",
});

/** The text of a call so far; empty where it has none, or more than text. */
export function textOf(call: AgentCall): string {
  const output = outputOf(call);
  return typeof output === "string" ? output : "";
}

function outputOf({ content, rawOutput }: AgentCall): string | ContentPart[] {
  const parts = content.flatMap(({ type, content }) =>
    type === "content" && content !== undefined ? [partOf(content)] : [],
  );
  if (parts.length === 0) return cut(rawText(rawOutput));
  const text = contentText(parts);
  return text === undefined ? parts : cut(text);
}

/** The display of a call for a person: its command, and the changes of files. */
export function displayOf({ kind, rawInput, content }: AgentCall): DisplayBlockInput[] {
  const command = kind === "execute" ? commandIn(rawInput) : undefined;
  const todos = callTodos(rawInput);
  return [
    ...(command === undefined ? [] : [shellBlock(command)]),
    ...(todos === undefined ? [] : [todos]),
    ...content.flatMap(changeBlocks),
  ];
}

/** A command to show. */
export const shellBlock = (command: string): DisplayBlockInput => ({
  type: "shell",
  language: "sh",
  command,
});

function changeBlocks({
  type,
  path,
  oldText,
  newText,
  changes,
  patch,
}: ToolCallContent): DisplayBlockInput[] {
  if (type !== "diff") return [];
  if (path !== undefined && newText !== undefined) return [wholeFileDiff(path, oldText ?? null, newText)];
  const blocks = patch?.format === "git_patch" ? patchBlocks(patch.text, changes ?? []) : undefined;
  if (blocks !== undefined) return blocks;
  if (patch != null) return [{ type: "shell", language: "diff", command: cut(patch.text) }];
  const listed = (changes ?? []).map((change) =>
    [change.operation, change.oldPath, change.path].filter((word) => word !== undefined).join(" "),
  );
  return listed.length === 0 ? [] : [{ type: "brief", text: listed.join("\n") }];
}

/** The paths that a call is about, each once. */
export function pathsOf({ locations, content }: Pick<AgentCall, "locations" | "content">): string[] {
  const places = (locations ?? []).map(({ path, line }) => (line == null ? path : `${path}:${line}`));
  const changed = content.flatMap(({ type, path }) => (type === "diff" && path !== undefined ? [path] : []));
  return [...new Set([...places, ...changed.filter((path) => !places.includes(path))])].slice(0, MOST_PARTS);
}

/** A command as agents write it among the arguments: a text, or a list of words. */
function commandIn(rawInput: unknown): string | undefined {
  const { command } = Object(rawInput) as { readonly command?: unknown };
  if (typeof command === "string") return command;
  return Array.isArray(command) && command.every((word) => typeof word === "string")
    ? command.join(" ")
    : undefined;
}

/** True for arguments that say something: agents send an empty object while the model still writes. */
export const isFilled = (value: unknown): boolean =>
  value != null && value !== "" && !(isObject(value) && Object.keys(value).length === 0);

/** True once the arguments of a call are known. OpenCode tells the folder of a command before the command. */
export const hasArguments = ({ kind, rawInput }: AgentCall): boolean =>
  kind === "execute" && isObject(rawInput) && "cwd" in rawInput
    ? commandIn(rawInput) !== undefined
    : isFilled(rawInput);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const rawText = (value: unknown) =>
  value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value, null, 2);

const cut = (text: string) =>
  text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}\n(cut: ${text.length} characters in all)`;

const firstLine = (text: string) => text.trim().split("\n", 1)[0] as string;
