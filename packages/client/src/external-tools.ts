import {
  type ContentPartInput,
  type DisplayBlockInput,
  defaultLimits,
  type RequestPayload,
  type RequestResponseInput,
  ToolReturnValue,
  type Validate,
} from "@askwire/protocol";
import { tooDeepAt } from "@askwire/protocol/internal";
import type { WhileOpen } from "./while-open.js";

/** What an external tool gives back. A string or content parts alone are the `output`. */
export type ExternalToolOutput =
  | string
  | readonly ContentPartInput[]
  | {
      /** For the model. */
      readonly output: string | readonly ContentPartInput[];
      /** Explains the output to the model. Default: empty. */
      readonly message?: string;
      /** For the person. Default: none. */
      readonly display?: readonly DisplayBlockInput[];
      /** Default: false. */
      readonly is_error?: boolean;
      /** For programs: not shown to the model. Default: null. */
      readonly extras?: Readonly<Record<string, unknown>> | null;
    };

/** What a call of a {@link ClientTool} is run with. */
export interface ExternalToolContext {
  /** Aborted when the result no longer counts: the turn ended, the connection closed. The call is answered then. */
  readonly signal: AbortSignal;
  /** The id of the call. Models give the same one again in later turns. */
  readonly toolCallId: string;
}

/** A tool that this client brings to the agent (P-CLI-5). */
export interface ClientTool {
  /** What the model calls it by; the server rejects one that is taken (P-EXT-2). */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** The JSON Schema of the arguments, an object's. The server holds a model to it; this side does not check it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Runs one call; other messages are handled meanwhile.
   *
   * @param args the parsed arguments, always an object: `{}` where the model gave none.
   * @throws whatever went wrong: its message is told to the model.
   */
  run(
    args: Record<string, unknown>,
    context: ExternalToolContext,
  ): ExternalToolOutput | PromiseLike<ExternalToolOutput>;
}

/** Answers tool calls. Whatever goes wrong is a result that says so, for the model to read (P-CLI-5). */
export function externalTools(tools: readonly ClientTool[], whileOpen: WhileOpen, validate: Validate) {
  async function run(
    { name, arguments: text }: RequestPayload<"ToolCallRequest">,
    context: ExternalToolContext,
  ): Promise<ReturnValue> {
    const tool = tools.find((candidate) => candidate.name === name);
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
    const return_value = await whileOpen(id, id, (signal) => run(payload, { signal, toolCallId: id })).catch(
      failure,
    );
    return { tool_call_id: id, return_value };
  };
}

type ReturnValue = RequestResponseInput<"ToolCallRequest">["return_value"];

/** @throws Error that says what is wrong with them. */
function readArguments(text: string | null): Record<string, unknown> {
  if (text === null || text.trim() === "") return {};
  const { nesting } = defaultLimits;
  if (tooDeepAt(text, nesting) !== -1) {
    throw new Error(`invalid arguments: expected at most ${nesting} levels of nesting`);
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
  message: `The tool failed: ${error instanceof Error ? error.message : error}`,
  display: [{ type: "brief", text: "Tool failed" }],
});
