import { describeIssues, type Out, type Schema, type ToolCall } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { toJSONSchema } from "zod/mini";
import { readJsonSchema } from "../json-schema/json-schema.js";
import { isObject } from "../json-schema/json-schema-rules.js";
import { ToolError } from "../requests/tool-error.js";
import { boundedTime } from "../runtime/bounded-time.js";

/** A JSON Schema of Draft 2020-12 for an object. Its `type` tells it from a mere list of parameters. */
export interface JsonSchemaObject {
  readonly type: unknown;
  readonly properties?: object;
}

/** The parameters of a tool, however they were written. */
export interface ToolParameters {
  /** The JSON Schema that a model is told. */
  readonly jsonSchema: Record<string, unknown>;
  /**
   * Reads the arguments of a call, as the schema defines them.
   *
   * @throws ToolError that says what is wrong with them.
   */
  read(call: ToolCall): unknown;
}

/** The time limit of a check of arguments, in milliseconds. */
const CHECK_MS = 250;
/** The mark of a schema that `jsonSchema()` and `zodSchema()` of the AI SDK make. */
const AI_SDK = Symbol.for("vercel.ai.schema");

/**
 * Reads the parameters of a tool: a schema of zod 4, a JSON Schema, or a schema of the AI SDK.
 *
 * @param place names the parameters in an error, with their tool.
 * @throws TypeError that names the mistake and the next step.
 */
export function toolParameters(schema: unknown, place: string): ToolParameters {
  if (typeof schema === "function") return toolParameters(schema(), place);
  if (!isObject(schema)) throw refused(place, "expected a schema of zod 4 or a JSON Schema");
  if ("_zod" in schema) return zodParameters(schema as unknown as Schema);
  if (AI_SDK in schema) return aiSdkParameters(schema as unknown as AiSdkSchema, place);
  if (isObject(schema._def) && typeof schema._def.typeName === "string") {
    throw refused(place, 'this is a schema of zod 3: make it with zod 4 ("zod" 4, or "zod/v4" of 3.25)');
  }
  if (isObject(schema["~standard"])) {
    const vendor = String(schema["~standard"].vendor);
    throw refused(place, `this is a schema of ${vendor}: expected one of zod 4, or a JSON Schema`);
  }
  const inner = Object.keys(schema).find((name) => isZodType(schema[name]));
  if (inner !== undefined) throw refused(`${place}.${inner}`, "put these types into z.object({ … })");
  return jsonSchemaParameters(schema, place);
}

const isZodType = (value: unknown) => isObject(value) && ("_zod" in value || "_def" in value);

const refused = (place: string, problem: string) => new TypeError(`${place}: ${problem}`);

/** Made when first read: the conversion costs a millisecond, and a scripted model never reads it. */
function zodParameters(schema: Schema): ToolParameters {
  let jsonSchema: Record<string, unknown> | undefined;
  return {
    get jsonSchema() {
      jsonSchema ??= toJsonSchema(schema);
      return jsonSchema;
    },
    read: (call) => readArguments(schema, call),
  };
}

function jsonSchemaParameters(schema: Record<string, unknown>, place: string): ToolParameters {
  if (schema.type !== undefined && schema.type !== "object") {
    throw refused(`${place}.type`, 'expected "object": the arguments of a call are one');
  }
  const read = readJsonSchema(schema, boundedTime(CHECK_MS));
  if (typeof read === "string") throw refused(place, read.replace(/^parameters[.:] ?/, ""));
  return {
    jsonSchema: withoutDialect(schema),
    read(call) {
      const value = parsedArguments(call);
      const problem = isObject(value) ? read.problem(value) : "expected an object";
      if (problem !== undefined) throw invalidArguments(problem);
      return value;
    },
  };
}

/** The members of a schema of the AI SDK that are read here. */
interface AiSdkSchema {
  readonly jsonSchema: unknown;
  readonly validate?: (value: unknown) => Validated | PromiseLike<Validated>;
}
type Validated = { success: true; value: unknown } | { success: false; error: Error };

function aiSdkParameters({ jsonSchema, validate }: AiSdkSchema, place: string): ToolParameters {
  if (!isObject(jsonSchema) || "then" in jsonSchema) {
    throw refused(place, "the JSON Schema of this comes later: await it, and give it to jsonSchema()");
  }
  if (validate === undefined) return jsonSchemaParameters(jsonSchema, place);
  return {
    jsonSchema: withoutDialect(jsonSchema),
    async read(call) {
      const validated = await validate(parsedArguments(call));
      if (!validated.success) throw invalidArguments(problemOf(validated.error));
      return validated.value;
    },
  };
}

/** The message of zod's own errors is JSON of many lines. */
const problemOf = (error: Error | z.core.$ZodError): string =>
  "_zod" in error ? describeIssues(error.issues) : error.message;

/** The JSON Schema of a tool's arguments, as a model is told of it. */
export function toJsonSchema(schema: Schema): Record<string, unknown> {
  const options = { io: "input", unrepresentable: "any", override: withoutSafeBounds } as const;
  return withoutDialect(toJSONSchema(schema, options));
}

/** Removes the bounds that zod writes for every integer: they tell a model nothing, at the cost of its tokens. */
function withoutSafeBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

/**
 * Reads the arguments of a call, as a schema of zod defines them.
 *
 * @param prepare rewrites what the model wrote before the schema reads it. Default: nothing.
 * @throws ToolError that says what is wrong with them.
 */
export function readArguments<S extends Schema>(
  schema: S,
  call: ToolCall,
  prepare: (written: unknown) => unknown = (written) => written,
): Out<S> {
  const parsed = z.safeParse(schema, prepare(parsedArguments(call)));
  if (!parsed.success) throw invalidArguments(describeIssues(parsed.error.issues));
  return parsed.data as Out<S>;
}

function parsedArguments({ function: { arguments: text } }: ToolCall): unknown {
  try {
    return text === null || text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    throw invalidArguments(`not JSON (${(error as Error).message})`);
  }
}

const invalidArguments = (problem: string) =>
  new ToolError({
    message: `Invalid arguments: ${problem}. Correct them and call again.`,
    brief: "Invalid arguments",
  });
