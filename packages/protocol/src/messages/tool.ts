import * as z from "../zod.js";
import { ContentPart } from "./content.js";
import { DisplayBlock } from "./display.js";
import { mapOf, nullable } from "./fields.js";

/** A tool call as the model made it. `function.arguments` is JSON text, possibly still incomplete. */
export const ToolCall = z.looseObject({
  type: z._default(z.literal("function"), "function"),
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: nullable(z.string()) }),
  extras: nullable(mapOf(z.unknown())),
});
export type ToolCall = z.output<typeof ToolCall>;

/** A further piece of the arguments of the last `ToolCall`. */
export const ToolCallPart = z.looseObject({ arguments_part: nullable(z.string()) });

/** The result of a tool call. `output` is for the model, `message` explains it, `display` is for the person. */
export const ToolReturnValue = z.looseObject({
  is_error: z.boolean(),
  output: z.union([z.string(), z.array(ContentPart)]),
  message: z.string(),
  display: z.array(DisplayBlock),
  extras: nullable(mapOf(z.unknown())),
});
export type ToolReturnValue = z.output<typeof ToolReturnValue>;

/** The event that ends a tool call, with its result. */
export const ToolResult = z.looseObject({ tool_call_id: z.string(), return_value: ToolReturnValue });
export type ToolResult = z.output<typeof ToolResult>;

/** A tool that a client brings: called through `ToolCallRequest`. `parameters` is a JSON Schema. */
export const ExternalTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  parameters: mapOf(z.unknown()),
});
export type ExternalTool = z.output<typeof ExternalTool>;
