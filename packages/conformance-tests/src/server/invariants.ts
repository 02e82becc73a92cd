import { askedEvents, events, extendedEvents, requests, wireErrorCodes } from "@askwire/protocol";
import { isObject, shortened } from "../contract/expectations.js";
import type { ServerMessage } from "./messages.js";

/** A fault of a line of the server, in any check. */
export interface Violation {
  readonly expected: string;
  readonly received: string;
}

/** The profile that both sides have negotiated. */
export type NegotiatedProfile = "base" | "extended";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a line of the server by the rules for every client: UTF-8, one JSON object, `jsonrpc` "2.0". The message must
 * be an event, a request or a response with exactly the members and fields of Wire 1.10. For an extended client that
 * profile's members are added.
 */
export function readLine(
  line: Uint8Array,
  profile: NegotiatedProfile,
): { message: ServerMessage } | { violation: Violation } {
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
  const wrong = wrongIn(message, profile);
  return wrong === undefined ? { message: message as ServerMessage } : violation(wrong, text);
}

function violation(expected: string, text: string): { violation: Violation } {
  return { violation: { expected, received: `the line ${shortened(text)}` } };
}

/** The notifications of the extended profile that carry no event. */
const extendedNotifications: readonly unknown[] = [
  "alive",
  "sessions_changed",
  "requests_changed",
  "call_output",
  "$/cancelRequest",
];

/** Describes the expected form of a wrong message. */
function wrongIn(message: Record<string, unknown>, profile: NegotiatedProfile): string | undefined {
  if (message.jsonrpc !== "2.0") return 'jsonrpc "2.0" in every message';
  if (!("method" in message)) return wrongInResponse(message);
  if ("result" in message || "error" in message) return "a method, or a result or error, never both";
  const { method, params } = message;
  if (profile === "extended" && extendedNotifications.includes(method))
    return "id" in message ? `no id in ${method}` : isObject(params) ? undefined : `params in ${method}`;
  if (method !== "event" && method !== "request")
    return "only the methods event and request towards a client that negotiated nothing else";
  if (!isObject(params) || typeof params.type !== "string" || !isObject(params.payload))
    return "params {type, payload} in every event and request";
  if (profile === "base" && ("seq" in params || "state" in params || "replayed" in params))
    return "no seq, no state and no replayed towards a client that negotiated nothing";
  const read = { type: params.type, payload: params.payload, profile, replayed: params.replayed === true };
  return method === "event" ? wrongInEvent(message, read) : wrongInRequest(message, read);
}

/** The checked part of an event or request. */
interface Carried {
  readonly type: string;
  readonly payload: Record<string, unknown>;
  readonly profile: NegotiatedProfile;
  readonly replayed: boolean;
}

function wrongInEvent(message: Record<string, unknown>, carried: Carried) {
  const { type, profile, replayed } = carried;
  if ("id" in message) return "no id in an event";
  if (Object.hasOwn(events, type)) return wrongInPayload(carried, events[type as keyof typeof events]);
  if (profile === "base") return "only events of Wire 1.10";
  if (Object.hasOwn(extendedEvents, type))
    return wrongInPayload(carried, extendedEvents[type as keyof typeof extendedEvents]);
  if (Object.hasOwn(askedEvents, type))
    return wrongInPayload(carried, askedEvents[type as keyof typeof askedEvents]);
  if (replayed && Object.hasOwn(requests, type))
    return wrongInPayload(carried, requests[type as keyof typeof requests].payload);
  return "only events of Wire 1.10 and of the extended profile";
}

function wrongInRequest(message: Record<string, unknown>, carried: Carried) {
  const { type, payload, profile } = carried;
  if (typeof message.id !== "string") return "a text as id of every request";
  if (payload.id !== message.id) return "the id of a request and its payload.id to be the same text";
  if (!Object.hasOwn(requests, type)) return "only requests of Wire 1.10";
  if (carried.replayed) return "no request in a replay towards an extended client";
  if (profile === "extended" && Object.hasOwn(askedEvents, type)) return `${type} as an event`;
  if (profile === "extended" && !uuidPattern.test(String(payload.request_id)))
    return `a UUID as request_id in the payload of ${type}`;
  return wrongInPayload(carried, requests[type as keyof typeof requests].payload);
}

function wrongInResponse(message: Record<string, unknown>): string | undefined {
  const { id, error } = message;
  if (typeof id !== "string" && id !== null && !Number.isSafeInteger(id))
    return "a text, an integer or null as id of every response";
  if ("result" in message === "error" in message) return "either a result or an error in a response";
  if (!("error" in message)) return undefined;
  const whole =
    isObject(error) && Number.isInteger(error.code) && typeof error.message === "string" && "data" in error;
  if (!whole) return "an error {code: integer, message: text, data}";
  return knownCodes.has(error.code) ? undefined : "an error code of the protocol";
}

/** A UUID of any version. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const knownCodes = new Set<unknown>(Object.values(wireErrorCodes));

type PayloadSchema =
  | (typeof events)[keyof typeof events]
  | (typeof extendedEvents)[keyof typeof extendedEvents]
  | (typeof askedEvents)[keyof typeof askedEvents]
  | (typeof requests)[keyof typeof requests]["payload"];

/**
 * The fields that a client of the profile knows are all there, nulls included, and at the top no others. A question
 * towards an extended client leaves out what has its default (P-XQS-1).
 */
function wrongInPayload({ type, payload, profile }: Carried, schema: PayloadSchema) {
  const parsed = schema.safeParse(payload);
  const fields = fieldsOf(schema, profile);
  const foreign = Object.keys(payload).filter((name) => fields !== undefined && !fields.includes(name));
  if (foreign.length > 0) return `no field ${foreign.join(", ")} in the payload of ${type}`;
  if (!parsed.success) return `a payload of ${type} as docs/protocol.md has it`;
  if (profile === "extended" && type === "QuestionRequest") return undefined;
  // Fields that reading filled in were missing.
  const missing = missingIn(parsed.data, payload);
  return missing === undefined ? undefined : `the field ${missing} in the payload of ${type}`;
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
function fieldsOf(schema: PayloadSchema, profile: NegotiatedProfile): string[] | undefined {
  if (!("shape" in schema)) return undefined;
  return Object.entries(schema.shape)
    .filter(
      ([name, field]) =>
        // Optional fields belong to the extended profile. The exception is the name below 1.6, which is read and never
        // sent.
        name !== "task_tool_call_id" && (profile === "extended" || field.def.type !== "optional"),
    )
    .map(([name]) => name);
}
