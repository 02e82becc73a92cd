import {
  defaultLimits,
  type RequestPayload,
  type RequestResponseInput,
  ToolReturnValue,
  type Validate,
} from "@askwire/protocol";
import { errorText, tooDeepAt, tooManyAt } from "@askwire/protocol/internal";
import type { Offered } from "../contract/offered.js";
import type { ExternalToolContext } from "../contract/offers.js";
import type { UntilSettled } from "./until-settled.js";

/** Answers tool calls. A failure becomes a result that tells the model about it (P-CLI-5). */
export function externalTools(toolOf: Offered["tool"], untilSettled: UntilSettled, validate: Validate) {
  async function run(
    { name, arguments: text }: RequestPayload<"ToolCallRequest">,
    context: ExternalToolContext,
  ): Promise<ReturnValue> {
    const tool = toolOf(name);
    if (tool === undefined) throw new Error(`there is no tool "${name}"`);
    const output: unknown = await tool.run(readArguments(text), context);
    const value = typeof output === "string" || Array.isArray(output) ? { output } : (output as object);
    const parsed = validate(ToolReturnValue, { is_error: false, message: "", display: [], ...value });
    if (parsed.ok) return parsed.value;
    throw new Error(`bad result: ${parsed.problem}`);
  }

  return async (
    payload: RequestPayload<"ToolCallRequest">,
  ): Promise<RequestResponseInput<"ToolCallRequest">> => {
    const { id } = payload;
    const return_value = await untilSettled(id, id, (signal) =>
      run(payload, { signal, toolCallId: id, argumentsText: payload.arguments }),
    ).catch(failure);
    return { tool_call_id: id, return_value };
  };
}

type ReturnValue = RequestResponseInput<"ToolCallRequest">["return_value"];

/** @throws Error that names the mistake in the arguments. */
function readArguments(text: string | null): Record<string, unknown> {
  if (text === null || text.trim() === "") return {};
  const { nesting, values } = defaultLimits;
  if (tooDeepAt(text, nesting) !== -1) {
    throw new Error(`invalid arguments: expected at most ${nesting} levels of nesting`);
  }
  if (tooManyAt(text, values) !== -1) {
    throw new Error(`invalid arguments: expected at most ${values} values`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  throw new Error("invalid arguments: expected JSON, an object");
}

const failure = (error: unknown): ReturnValue => ({
  is_error: true,
  output: "",
  message: `The tool failed: ${error instanceof Error ? error.message : errorText(error)}`,
  display: [{ type: "brief", text: "Tool failed" }],
});
