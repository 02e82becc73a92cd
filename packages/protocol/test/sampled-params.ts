import fc, { type GeneratorValue } from "fast-check";
import * as z from "zod/mini";
import { type AgentMethods, allAgentMethods } from "../src/index.js";

/** Draws a value of an arbitrary. */
export type Draw = GeneratorValue;

/** A JSON Schema, as far as params of methods use it. */
interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Members whose texts name something: a session, a request, a place in a list, a code, a stream. */
const NAMES = /(?:^|_)id$|^(?:after|code|key|stream|request|session|connection)$/;

/** The most levels of objects in one another. */
const DEPTH = 6;

/** The names of all methods of an agent. */
export const agentMethodNames = Object.keys(allAgentMethods) as (keyof AgentMethods)[];

const schemas = new Map<string, JsonSchema>(
  agentMethodNames.map((name) => [
    name,
    z.toJSONSchema(allAgentMethods[name].params as never, { io: "input", unrepresentable: "any" }) as never,
  ]),
);

/** Draws params of a method that its schema lets in, whose ids are of these. */
export function sampledParams(method: keyof AgentMethods, draw: Draw, ids: readonly string[]): unknown {
  const root = schemas.get(method) ?? {};

  function sampled(schema: JsonSchema, key: string, depth: number): unknown {
    if (schema.$ref !== undefined)
      return sampled(root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? root, key, depth);
    if ("const" in schema) return schema.const;
    if (schema.enum !== undefined) return draw(fc.constantFrom, ...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return sampled(draw(fc.constantFrom, ...choices), key, depth);
    if (schema.type === "object") return object(schema, depth);
    if (schema.type === "array") return depth > DEPTH ? [] : [sampled(schema.items ?? {}, key, depth + 1)];
    if (schema.type === "integer" || schema.type === "number") return number(schema);
    if (schema.type === "boolean") return draw(fc.boolean);
    if (schema.type === "null") return null;
    if (schema.type === "string") return NAMES.test(key) ? draw(fc.constantFrom, ...ids) : "words";
    return { any: draw(fc.constantFrom, ...ids) };
  }

  function object({ properties = {}, required = [] }: JsonSchema, depth: number): object {
    const wanted = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth <= DEPTH && draw(fc.boolean)),
    );
    const members = wanted.map(([name, schema]) => [name, sampled(schema, name, depth + 1)] as const);
    // A member that a method does not know is let in and means nothing.
    const further = ["session_id", "request_id", "client_id"].filter(
      (name) => depth === 0 && !(name in properties) && draw(fc.boolean),
    );
    return Object.fromEntries([
      ...members,
      ...further.map((name) => [name, draw(fc.constantFrom, ...ids)] as const),
    ]);
  }

  const number = ({ minimum = 1, maximum = 1_000 }: JsonSchema) =>
    draw(fc.integer, { min: Math.max(minimum, 0), max: Math.min(maximum, 1_000) });

  return sampled(root, "", 0);
}
