import { type ErrorObject, type WireErrorName, wireErrorCodes } from "../errors.js";
import type { Limits } from "../limits.js";
import { tooDeepAt, tooManyAt } from "./nesting.js";

/** The id of a message: a string, or an integer that JavaScript can hold exactly (P-FRM-5). */
export type WireId = string | number;

/** The reading of an inbound text. */
export type Incoming =
  | { kind: "request"; id: WireId; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown }
  | { kind: "response"; id: WireId; reply: Reply }
  /** A broken message. A side that answers broken messages replies with this error and id null. */
  | { kind: "invalid"; error: "ParseError" | "InvalidRequest"; message: string }
  /** Well-formed and without effect, like `{}` or a response to nothing in particular. */
  | { kind: "ignored"; why: string };

/** Result or error of a response. An error wins over a result next to it. */
export type Reply = { result: unknown; error?: undefined } | { error: ErrorObject; result?: undefined };

const invalid = (message: string, error: "ParseError" | "InvalidRequest" = "InvalidRequest"): Incoming => ({
  kind: "invalid",
  error,
  message,
});

/**
 * Reads one inbound text by the envelope rules of the base profile (P-ENV-1 to P-ENV-10). Pure.
 *
 * @param limits how deep and how much is parsed (P-LIM-3).
 * @param stringIds whether an id must be a string, so that integers are none. Default: false.
 */
export function readEnvelope(
  text: string,
  { nesting, values }: Pick<Limits, "nesting" | "values">,
  stringIds = false,
): Incoming {
  const tooDeep = tooDeepAt(text, nesting);
  if (tooDeep !== -1) {
    return invalid(`Invalid request: nested deeper than ${nesting} at character ${tooDeep + 1}`);
  }
  const tooMany = tooManyAt(text, values);
  if (tooMany !== -1) {
    return invalid(`Invalid request: more than ${values} values at character ${tooMany + 1}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid("Invalid JSON format", "ParseError");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return invalid("Invalid request: expected one JSON object");
  }

  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== undefined && jsonrpc !== "2.0") return invalid('Invalid request: jsonrpc: expected "2.0"');
  if (id !== undefined && id !== null && !isId(id, stringIds)) {
    return invalid(`Invalid request: id: expected a string${stringIds ? "" : " or an integer"}`);
  }

  if (method !== undefined) {
    if (typeof method !== "string") return invalid("Invalid request: method: expected a string");
    if (result !== undefined || error !== undefined) {
      return { kind: "ignored", why: "a method together with a result or an error" };
    }
    if (id === undefined || id === null) return { kind: "notification", method, params };
    return { kind: "request", id, method, params };
  }

  if (error !== undefined && error !== null) {
    if (!isErrorObject(error))
      return invalid("Invalid request: error: expected {code: integer, message: string}");
    if (id === undefined || id === null)
      return { kind: "ignored", why: `an error without an id: ${error.message}` };
    return { kind: "response", id, reply: { error: { ...error, data: error.data ?? null } } };
  }
  if (result === undefined || id === undefined || id === null) {
    return { kind: "ignored", why: "neither a method nor a response" };
  }
  return { kind: "response", id, reply: { result } };
}

function isId(id: unknown, stringIds: boolean): id is WireId {
  return typeof id === "string" || (!stringIds && Number.isSafeInteger(id));
}

function isErrorObject(error: unknown): error is ErrorObject {
  if (typeof error !== "object" || error === null) return false;
  const { code, message } = error as Record<string, unknown>;
  return Number.isInteger(code) && typeof message === "string";
}

/** A response that could not be tied to a request. */
export function nullIdError(error: WireErrorName, message: string): object {
  return { jsonrpc: "2.0", id: null, error: { code: wireErrorCodes[error], message, data: null } };
}
