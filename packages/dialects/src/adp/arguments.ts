import { isObject } from "@askwire/server/internal";
import type { Action } from "./catalogue.js";
import { jsonType } from "./parameters.js";

/** The forms of a model's calls: elements in its text, or calls of a provider's tools. */
export const adpForms = ["text", "native"] as const;
/** A value of {@link adpForms}. */
export type AdpForm = (typeof adpForms)[number];

/** The arguments of a call, or the mistake in the native words. */
export type ReadArguments = { readonly args: Record<string, unknown> } | { readonly wrong: string };

/** UTF-16 units of a call that its correction repeats. */
const MAX_REPEATED = 2000;

/** Reads arguments: a JSON object, or other text as the only parameter that must be there (P-21), then checks them. */
export function readActionArguments(action: Action, text: string | null, form: AdpForm): ReadArguments {
  const read = asObject(action, (text ?? "").trim(), form);
  if ("wrong" in read) return read;
  const wrong = wrongWith(action, read.args);
  return wrong === undefined ? read : { wrong };
}

function asObject(action: Action, text: string, form: AdpForm): ReadArguments {
  if (text === "") return { args: {} };
  const json = parsed(text);
  if ("value" in json) {
    const { value } = json;
    if (isObject(value)) return { args: value };
    if (Array.isArray(value)) return { wrong: `参数必须是JSON对象格式\n${suggestion(action)}` };
    if (form === "text") return only(action, text);
    return typeof value === "string"
      ? only(action, value)
      : { wrong: `不支持的参数类型: ${jsonType(value)}\n${suggestion(action)}` };
  }
  // Arguments in a model's text may be anything. A provider hands on JSON, or an attempt at JSON.
  return text.startsWith("{")
    ? { wrong: `JSON格式错误: ${json.problem}\n${suggestion(action)}` }
    : only(action, text);
}

function parsed(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** Text that is no JSON object is the parameter that must be there, if that is one. */
function only(action: Action, text: string): ReadArguments {
  const { required, table } = action.parameters;
  const [name, ...others] = required;
  if (name === undefined || others.length > 0) {
    return { wrong: `工具 ${nameOf(action)} 需要多个参数，请使用JSON格式\n${suggestion(action)}` };
  }
  const json = table.get(name)?.type === "string" ? undefined : parsed(text);
  return { args: { [name]: json !== undefined && "value" in json ? json.value : text } };
}

/** Describes missing and surplus arguments in the native words, then other misfits with the schema (P-22). */
function wrongWith({ parameters, written }: Action, args: Record<string, unknown>): string | undefined {
  const { required, table, open } = parameters;
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  const extra = open ? [] : Object.keys(args).filter((name) => !table.has(name));
  const wrong = [
    ...(missing.length > 0 ? [`缺少必需参数: ${list(missing)}`] : []),
    ...(extra.length > 0 ? [`无效参数: ${list(extra)}，有效参数: ${list([...table.keys()])}`] : []),
  ];
  return wrong.length > 0 ? wrong.join("\n") : written.problem(args);
}

/** Tells the model the mistake in a call, with the query for the right parameters. */
export function correction(action: Action, wrong: string, input: string | null, form: AdpForm): string {
  const { service, tool } = action;
  const query =
    form === "text"
      ? `<tool_param><tool_id>${service.id}</tool_id><action>${tool.name}</action></tool_param>`
      : `param_query ${JSON.stringify({ tool_id: service.id, action: tool.name })}`;
  const given = input ?? "";
  const cut = given.length > MAX_REPEATED ? `${given.slice(0, MAX_REPEATED)}…` : given;
  return [
    "Parameter Validation Failed ",
    `Tool Call: ${nameOf(action)}\nError Details: ${wrong}`,
    `Your Input: ${cut}`,
    `Correction Suggestions: Use ${query} to get the correct parameters`,
    "Please retry with the correct parameters.",
  ].join("\n\n");
}

/** An action with its service, as texts name it. */
export const nameOf = ({ service, tool }: Action): string => `${service.id}.${tool.name}`;

const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(", ")}]`;

/** An example of an object with the parameters that must be there. */
function suggestion({ parameters: { required, table } }: Action): string {
  const names = required.length > 0 ? required : [...table.keys()];
  const example = Object.fromEntries(names.map((name) => [name, `<${table.get(name)?.type ?? "any"}>`]));
  return `建议JSON格式: ${JSON.stringify(example)}`;
}
