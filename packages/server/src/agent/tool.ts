import type {
  ContentPart,
  DisplayBlockInput,
  Out,
  Schema,
  ToolCall,
  WireEventInput,
} from "@askwire/protocol";
import { ToolReturnValue } from "@askwire/protocol";
import { QuestionUnavailable } from "../requests/errors.js";
import { ToolError } from "../requests/tool-error.js";
import type { Subagent, SubagentEnding } from "../turn/subagent.js";
import { type AiSdkTool, runAiSdkTool } from "./ai-sdk-tool.js";
import { runInContext, type Wire } from "./context.js";
import type { ModelPart } from "./model.js";
import { type JsonSchemaObject, type ToolParameters, toolParameters } from "./tool-parameters.js";

/** What a tool gives back. A plain string is an `output`. */
export interface ToolReturn {
  /** For the model. Default: empty. */
  output?: string | ContentPart[];
  /** Explains the output to the model. Default: empty. */
  message?: string;
  /** For the person. Default: none. */
  display?: DisplayBlockInput[];
  /** Default: false. */
  is_error?: boolean;
  /** For programs: not shown to the model. Default: null. */
  extras?: Record<string, unknown>;
}

/** What a tool may know of the session that it is offered in. */
export interface ToolOffer {
  /** Whether a question would reach somebody, or wait for somebody. */
  readonly canAsk: boolean;
  /** Whether a client of the session declared that it can show plan mode. */
  readonly canPlan: boolean;
}

/** What a tool may know and do while it runs one call. */
export interface ToolRun {
  /** The call as the model made it. */
  readonly toolCall: ToolCall;
  /** Aborted when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** True while nobody is there to answer (`--afk`). */
  readonly unattended: boolean;
  /** True while the agent may only look and plan: a tool that changes something then refuses. */
  readonly planMode: boolean;
  /** Switches plan mode and tells every client. */
  setPlanMode(enabled: boolean): void;
  /** Tells every client an event. Without effect once the turn is cancelled. */
  emit(event: WireEventInput): void;
  /** The agent makes no further model call in this turn: it ends once the calls of this step are done. */
  stopTurn(): void;
  /** Runs another agent within this call: clients see what it does as SubagentEvent (P-SUB-1). */
  subagent(subagent: Subagent): Promise<SubagentEnding>;
}

/**
 * How a model writes calls of a tool in its text, where the tool is none of the provider's: such calls run as all others
 * do, and the model reads their results as something that the person said (P-DIA-6).
 */
export interface InText {
  /** What streams out of the model, with a call where one was written and `written` for the text of it. */
  read(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart>;
  /** What the model reads of a call's result. */
  result(call: ToolCall, value: ToolReturnValue): ContentPart[];
}

/** A tool of an agent: see {@link defineTool}, which makes one of a schema and a function. */
export interface Tool {
  /** What the model calls it by. */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** The JSON Schema of the arguments, for the model. */
  readonly parameters: Record<string, unknown>;
  /** Whether the model is offered it; decided at the start of each step. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** What the instructions of a step say of it while it is offered. Default: nothing. */
  readonly prompt?: string;
  /** Calls of it wait for the calls before them, and hold those after them. Default: all run at once. */
  readonly exclusive?: boolean;
  /** Its results hold what a person said: they stay word for word when a conversation is compacted. Default: false. */
  readonly keepsResult?: boolean;
  /**
   * What the model reads of a call that the end of its turn overtook: clients are told no result (P-TRN-6). Default: that
   * it is not known what the call did until then.
   */
  readonly interrupted?: ToolReturnValue;
  /** How its calls are written in the model's text. Default: providers are told of it, and calls are theirs. */
  readonly inText?: InText;
  /** Runs a call. What it throws becomes a result with `is_error`, and a line of the log (P-STP-6). */
  call(call: ToolCall, run: Omit<ToolRun, "toolCall">, wire: Wire): Promise<ToolReturnValue>;
}

/** The values that a tool's function may return. */
type Returned = string | ToolReturn | ToolError;

/** A tool of a schema and a function. */
export interface ToolDefinition<S extends Schema | JsonSchemaObject> {
  /** What the model calls it by. */
  readonly name: string;
  /** Tells the model what it is for. */
  readonly description: string;
  /** A schema of zod 4 for an object, or a JSON Schema for one. */
  readonly parameters: S;
  /** Whether the model is offered it; decided at the start of each step. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** Runs a call, with arguments that fit; of a JSON Schema they are the values as the model wrote them. */
  run(
    params: S extends Schema ? Out<S> : Record<string, unknown>,
    run: ToolRun,
  ): Returned | Promise<Returned>;
}

/** A tool of the AI SDK, under a name. */
export interface AiSdkToolDefinition {
  /** What the model calls it by. */
  readonly name: string;
  /** The tool, as `tool()` of the AI SDK makes it, with an `execute`. */
  readonly tool: AiSdkTool;
  /** Default: the tool's own. */
  readonly description?: string;
  /** Whether the model is offered it; decided at the start of each step. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
}

/**
 * Defines a tool, of a schema and a function or of a tool of the AI SDK. The arguments are validated before the tool
 * runs; what does not fit is told to the model.
 *
 * @throws TypeError that names the tool and the place, for a schema that cannot be used, such as one of zod 3.
 */
export function defineTool<S extends Schema | JsonSchemaObject>(
  definition: ToolDefinition<S> | AiSdkToolDefinition,
): Tool {
  const { name, offered } = definition;
  const { description, parameters, run } = "tool" in definition ? ofAiSdk(definition) : own(definition);
  return {
    name,
    description,
    get parameters() {
      return parameters.jsonSchema;
    },
    ...(offered === undefined ? {} : { offered }),
    call: (toolCall, context, wire) =>
      runTool(toolCall, context, wire, async (whole) => run(await parameters.read(toolCall), whole)),
  };
}

/** A tool's parts, with its parameters read. */
interface ToolParts {
  readonly description: string;
  readonly parameters: ToolParameters;
  run(params: unknown, run: ToolRun): Returned | Promise<Returned>;
}

const own = <S extends Schema | JsonSchemaObject>(definition: ToolDefinition<S>): ToolParts => ({
  description: definition.description,
  parameters: toolParameters(definition.parameters, `tool "${definition.name}": parameters`),
  run: (params, run) => definition.run(params as Parameters<typeof definition.run>[0], run),
});

function ofAiSdk({ name, tool, description = tool.description }: AiSdkToolDefinition): ToolParts {
  if (typeof tool.execute !== "function") {
    throw new TypeError(`tool "${name}": tool.execute: expected a function, since the tool is to run here`);
  }
  if (description === undefined) {
    throw new TypeError(`tool "${name}": description: expected a text, since the tool has none of its own`);
  }
  return {
    description,
    parameters: toolParameters(tool.inputSchema, `tool "${name}": tool.inputSchema`),
    run: (input, run) => runAiSdkTool(name, tool, input, run),
  };
}

/**
 * Runs one call where `wireSend` and `currentToolCall` find it.
 *
 * @throws exceptions of `work`; a ToolError, and what a wait for the person throws, is the result (P-OUT-7).
 */
export async function runTool(
  toolCall: ToolCall,
  run: Omit<ToolRun, "toolCall">,
  wire: Wire,
  work: (run: ToolRun) => Returned | Promise<Returned>,
): Promise<ToolReturnValue> {
  try {
    return toReturnValue(await runInContext({ wire, toolCall }, () => work({ ...run, toolCall })));
  } catch (error) {
    if (run.signal.aborted || !isToldFailure(error)) throw error;
    return failedCall(error);
  }
}

/** Whether a failure has a text for the model: else nobody foresaw it. */
export const isToldFailure = (error: unknown): error is ToolError | QuestionUnavailable =>
  error instanceof ToolError || error instanceof QuestionUnavailable;

/** The result of a call whose tool threw. */
export function failedCall(error: unknown): ToolReturnValue {
  if (isToldFailure(error)) return toReturnValue(error instanceof ToolError ? error : error.toolError);
  const message = `The tool failed: ${error instanceof Error ? error.message : error}`;
  return toReturnValue(new ToolError({ message, brief: "Tool failed" }));
}

/** The call of a tool that does not exist. */
export function unknownTool(name: string): ToolReturnValue {
  return toReturnValue(new ToolError({ message: `There is no tool "${name}".`, brief: "Unknown tool" }));
}

/** A call that a hook of a client did not let pass (P-HOK-3). */
export function blockedByHook(reason: string): ToolReturnValue {
  const why = reason.trim() === "" ? "it gave no reason" : reason;
  return toReturnValue(
    new ToolError({
      message: `A hook blocked this call, and it was not run: ${why}`,
      brief: "Hook blocked",
    }),
  );
}

/** A result with every field of the wire. */
export function toReturnValue(result: string | ToolReturn | ToolError): ToolReturnValue {
  const value =
    typeof result === "string"
      ? { output: result }
      : result instanceof ToolError
        ? { is_error: true, output: result.output, message: result.message, display: brief(result.brief) }
        : result;
  return ToolReturnValue.parse({
    is_error: false,
    output: "",
    message: "",
    display: [],
    extras: null,
    ...value,
  });
}

/** A display of one short line. */
export function brief(text: string): DisplayBlockInput[] {
  return [{ type: "brief", text }];
}

/**
 * Two tools of one session cannot have one name (P-DIA-1).
 *
 * @throws TypeError that names it.
 */
export function refuseRepeatedNames(tools: readonly Pick<Tool, "name">[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw new TypeError(`tools: two are called "${name}": leave one of them out`);
    names.add(name);
  }
}
