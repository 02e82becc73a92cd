import { nameKey } from "@askwire/protocol/internal";
import type { Tool, ToolReturn } from "@askwire/server";
import { brief, isObject, runTool } from "@askwire/server/internal";
import { type ActionLookup, type Catalogue, PARAM_QUERY } from "./catalogue.js";
import { turnQueries } from "./turn-queries.js";

/** The forms of errors: JSON with a code and candidates, or the native plain texts. */
export const errorForms = ["json", "text"] as const;
/** A value of {@link errorForms}. */
export type ErrorForm = (typeof errorForms)[number];

/** Equal queries that are answered in one turn. */
const MAX_EQUAL = 3;

const parameters = {
  type: "object",
  properties: {
    tool_id: { type: "string", description: "The service." },
    action: { type: "string", description: "What it is to do." },
  },
  required: ["tool_id", "action"],
};

/** The parts of an error for the model. */
interface QueryError {
  readonly error:
    | "invalid_format"
    | "unknown_tool"
    | "unknown_action"
    | "too_many_queries"
    | "repeated_query";
  readonly message: string;
  readonly candidates?: readonly string[];
  /** The native text, where there is one. */
  readonly text?: string;
}

/**
 * The tool that tells a model the parameters of an action. The catalogue answers, and nobody is asked (P-ADP-2).
 *
 * @param most queries that are answered in one turn.
 */
export function queryTool(catalogue: Catalogue, { most, errors }: { most: number; errors: ErrorForm }): Tool {
  const turns = turnQueries();

  function answer(args: string | null, turn: AbortSignal): ToolReturn {
    const asked = readQueryArguments(args);
    const { all, equal } = turns.count(turn, keyOf(catalogue, asked));
    if (asked === undefined) return failed(errors, undefined, malformed);
    if (equal > MAX_EQUAL) return failed(errors, asked, looping(equal));
    if (all > most) return failed(errors, asked, tooMany(most));
    const found = catalogue.find(asked.tool_id, asked.action);
    if ("unknown" in found) return failed(errors, asked, notFound(asked, found, catalogue));
    const { service, tool, parameters: of } = found.action;
    const { tool_id, action } = asked;
    return {
      output: told({
        status: "success",
        tool_id,
        action,
        ...(tool_id !== service.id && { canonical_tool_id: service.id }),
        ...(action !== tool.name && { canonical_action: tool.name }),
        parameters: Object.fromEntries(of.table),
      }),
      display: brief(`${service.id}.${tool.name} takes ${[...of.table.keys()].join(", ") || "nothing"}`),
    };
  }

  return {
    name: PARAM_QUERY,
    restart: "again",
    description: "Tells the parameters of an action of a service, so that it can be called rightly.",
    parameters,
    call: (toolCall, run, wire) =>
      runTool(toolCall, run, wire, () => answer(toolCall.function.arguments, run.signal)),
  };
}

type Asked = { readonly tool_id: string; readonly action: string };

/** Reads the names in a query; undefined unless both are there. */
function readQueryArguments(text: string | null): Asked | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value.tool_id !== "string" || typeof value.action !== "string")
    return undefined;
  const tool_id = value.tool_id.trim();
  const action = value.action.trim();
  return tool_id === "" || action === "" ? undefined : { tool_id, action };
}

/** The key that equal queries share, whatever names they use. */
function keyOf(catalogue: Catalogue, asked: Asked | undefined): string {
  if (asked === undefined) return "";
  const found = catalogue.find(asked.tool_id, asked.action);
  return "action" in found
    ? JSON.stringify([found.action.tool.name])
    : JSON.stringify([nameKey(asked.tool_id), nameKey(asked.action)]);
}

function failed(form: ErrorForm, asked: Asked | undefined, { text, ...error }: QueryError): ToolReturn {
  const output =
    form === "text" ? (text ?? `Error: ${error.message}`) : told({ status: "error", ...asked, ...error });
  return { is_error: true, output, display: brief(error.message) };
}

const malformed: QueryError = {
  error: "invalid_format",
  message: "Invalid <tool_param> format. Missing <tool_id> or <action> tag.",
};

const looping = (equal: number): QueryError => ({
  error: "repeated_query",
  message: `This was asked ${equal} times in this turn, and the answer is still the same: make the call with it.`,
});

const tooMany = (most: number): QueryError => ({
  error: "too_many_queries",
  message: `A turn may ask for parameters ${most} times: go on with what you know.`,
});

function notFound(
  asked: Asked,
  found: Extract<ActionLookup, { unknown: string }>,
  catalogue: Catalogue,
): QueryError {
  const { candidates } = found;
  if (found.unknown === "action") {
    const message = `The service ${asked.tool_id} has no action ${asked.action}.`;
    const text = `Error: 工具 ${asked.tool_id} 不支持动作 ${asked.action}`;
    return { error: "unknown_action", message, candidates, text };
  }
  const ids = catalogue.services.map(({ id }) => `'${id}'`).join(", ");
  const text = `Error: 未知的工具ID: ${asked.tool_id}\n可用的工具ID: [${ids}]`;
  return { error: "unknown_tool", message: `There is no service ${asked.tool_id}.`, candidates, text };
}

const told = (value: object) => JSON.stringify(value, null, 2);
