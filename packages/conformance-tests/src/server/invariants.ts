import { events, requests, wireErrorCodes } from "@askwire/protocol";
import { isObject, shortened } from "../expectations.js";
import type { Message } from "./messages.js";

/** What is wrong with a line of the server, whatever check is running. */
export interface Violation {
  readonly expected: string;
  readonly received: string;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a line of the server as every client has to be able to: UTF-8, one JSON object, `jsonrpc` "2.0", and an
 * event, a request or a response with exactly the members and fields of Wire 1.10.
 */
export function readLine(line: Uint8Array): { message: Message } | { violation: Violation } {
  let text: string;
  try {
    text = decoder.decode(line);
  } catch {
    return violation("lines in UTF-8 on standard output", Buffer.from(line).toString());
  }
  if (/[\u2028\u2029]/.test(text)) return violation("U+2028 and U+2029 written as escapes", text);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return violation("one JSON object on each line of standard output, and nothing else", text);
  }
  if (!isObject(message)) return violation("one JSON object on each line of standard output", text);
  const wrong = wrongIn(message);
  return wrong === undefined ? { message: message as Message } : violation(wrong, text);
}

function violation(expected: string, text: string): { violation: Violation } {
  return { violation: { expected, received: `the line ${shortened(text)}` } };
}

/** What was expected of a message that is not as it must be. */
function wrongIn(message: Record<string, unknown>): string | undefined {
  if (message.jsonrpc !== "2.0") return 'jsonrpc "2.0" in every message';
  if (!("method" in message)) return wrongInResponse(message);
  if ("result" in message || "error" in message) return "a method, or a result or error, never both";
  const { method, params } = message;
  if (method !== "event" && method !== "request")
    return "only the methods event and request towards a client that negotiated nothing else";
  if (!isObject(params) || typeof params.type !== "string" || !isObject(params.payload))
    return "params {type, payload} in every event and request";
  return method === "event"
    ? wrongInEvent(message, params.type, params.payload)
    : wrongInRequest(message, params.type, params.payload);
}

function wrongInEvent(message: Record<string, unknown>, type: string, payload: Record<string, unknown>) {
  if ("id" in message) return "no id in an event";
  if (!Object.hasOwn(events, type)) return "only events of Wire 1.10";
  return wrongInPayload(type, payload, events[type as keyof typeof events]);
}

function wrongInRequest(message: Record<string, unknown>, type: string, payload: Record<string, unknown>) {
  if (typeof message.id !== "string") return "a text as id of every request";
  if (payload.id !== message.id) return "the id of a request and its payload.id to be the same text";
  if (!Object.hasOwn(requests, type)) return "only requests of Wire 1.10";
  return wrongInPayload(type, payload, requests[type as keyof typeof requests].payload);
}

function wrongInResponse(message: Record<string, unknown>): string | undefined {
  const { id, error } = message;
  if (typeof id !== "string" && id !== null) return "a text or null as id of every response";
  if ("result" in message === "error" in message) return "either a result or an error in a response";
  if (!("error" in message)) return undefined;
  const whole =
    isObject(error) && Number.isInteger(error.code) && typeof error.message === "string" && "data" in error;
  if (!whole) return "an error {code: integer, message: text, data}";
  return knownCodes.has(error.code) ? undefined : "an error code of the protocol";
}

const knownCodes = new Set<unknown>(Object.values(wireErrorCodes));

type PayloadSchema =
  | (typeof events)[keyof typeof events]
  | (typeof requests)[keyof typeof requests]["payload"];

/** The fields that a base client knows are all there, nulls included, and at the top no others. */
function wrongInPayload(type: string, payload: Record<string, unknown>, schema: PayloadSchema) {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) return `a payload of ${type} as in Wire 1.10`;
  // What reading fills in was not there.
  const missing = missingIn(parsed.data, payload);
  if (missing !== undefined) return `the field ${missing} in the payload of ${type}`;
  const fields = fieldsOf(schema);
  const foreign = Object.keys(payload).filter((name) => fields !== undefined && !fields.includes(name));
  return foreign.length === 0 ? undefined : `no field ${foreign.join(", ")} in the payload of ${type}`;
}

/** The first place at any level that `whole` has and `part` has not. */
function missingIn(whole: unknown, part: unknown): string | undefined {
  if (typeof whole !== "object" || whole === null || typeof part !== "object" || part === null)
    return undefined;
  for (const [key, value] of Object.entries(whole)) {
    if (!Object.hasOwn(part, key)) return key;
    const inside = missingIn(value, (part as Record<string, unknown>)[key]);
    if (inside !== undefined) return `${key}.${inside}`;
  }
  return undefined;
}

/** Unions, of which content parts are one, have no fields of their own. */
function fieldsOf(schema: PayloadSchema): string[] | undefined {
  if (!("shape" in schema)) return undefined;
  // The name below 1.6 is read and never sent.
  return Object.keys(schema.shape).filter((field) => field !== "task_tool_call_id");
}
