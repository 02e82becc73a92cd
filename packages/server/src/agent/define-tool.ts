import type { Out, Schema } from "@askwire/protocol";
import { checkOptions, defined, type OptionRules, option } from "@askwire/protocol/internal";
import type { Tool, ToolOffer, ToolRun } from "./agent.js";
import { type AiSdkTool, runAiSdkTool } from "./ai-sdk-tool.js";
import { type Returned, runTool } from "./run-tool.js";
import { type JsonSchemaObject, type ToolParameters, toolParameters } from "./tool-parameters.js";

/** A tool of a schema and a function. */
export interface ToolDefinition<S extends Schema | JsonSchemaObject> {
  /** The name for the model. */
  readonly name: string;
  /** Tells the model the purpose of the tool. */
  readonly description: string;
  /** A schema of zod 4 for an object, or a JSON Schema for one. */
  readonly parameters: S;
  /** Decides at the start of each step if the model is offered the tool. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** The rule for a call that its process left. Default: `interrupt` (P-RES-5). */
  readonly restart?: NonNullable<Tool["restart"]>;
  /** Runs a call with arguments that fit. Arguments of a JSON Schema are the values that the model wrote. */
  run(
    params: S extends Schema ? Out<S> : Record<string, unknown>,
    run: ToolRun,
  ): Returned | Promise<Returned>;
}

/** A tool of the AI SDK, under a name. */
export interface AiSdkToolDefinition {
  /** The name for the model. */
  readonly name: string;
  /** The tool, as `tool()` of the AI SDK makes it, with an `execute`. */
  readonly tool: AiSdkTool;
  /** Default: the tool's own. */
  readonly description?: string;
  /** Decides at the start of each step if the model is offered the tool. Default: always. */
  readonly offered?: (offer: ToolOffer) => boolean;
  /** The rule for a call that its process left. Default: `interrupt` (P-RES-5). */
  readonly restart?: NonNullable<Tool["restart"]>;
}

/**
 * Defines a tool, from a schema and a function or from a tool of the AI SDK. Arguments are validated before the tool
 * runs. A mistake is told to the model.
 *
 * @throws TypeError that names the tool and the place, for an unknown or a missing member, and for an unusable schema,
 * such as a schema of zod 3.
 */
export function defineTool<S extends Schema | JsonSchemaObject>(
  definition: ToolDefinition<S> | AiSdkToolDefinition,
): Tool {
  const isAiSdk = typeof definition === "object" && definition !== null && "tool" in definition;
  if (isAiSdk) checkOptions("defineTool", definition, aiSdkRules);
  else checkOptions<ToolDefinition<S>>("defineTool", definition, toolRules);
  const { name, offered, restart } = definition;
  const { description, parameters, run } = "tool" in definition ? ofAiSdk(definition) : own(definition);
  return {
    name,
    description,
    get parameters() {
      return parameters.jsonSchema;
    },
    ...defined({ offered, restart }),
    call: (toolCall, context, wire) =>
      runTool(toolCall, context, wire, async (whole) => run(await parameters.read(toolCall), whole)),
  };
}

const sharedRules = {
  name: option.required(option.text),
  offered: option.callable,
  restart: option.either(option.oneOf(["interrupt", "asks-first", "again"]), option.callable),
};

const toolRules: OptionRules<ToolDefinition<JsonSchemaObject>> = {
  ...sharedRules,
  description: option.required(option.text),
  // Read by toolParameters.
  parameters: option.any,
  run: option.required(option.callable),
};

const aiSdkRules: OptionRules<AiSdkToolDefinition> = {
  ...sharedRules,
  tool: option.required(option.object),
  description: option.text,
};

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
