import { isAsked } from "../contract/asked.js";
import { CheckFailure } from "../contract/check.js";
import { inShort } from "../contract/expectations.js";

/** A message of the server, as it came: an object, of which nothing else is known yet. */
export interface ServerMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly type?: unknown;
    readonly payload?: Readonly<Record<string, unknown>>;
    readonly seq?: unknown;
    readonly state?: unknown;
    readonly replayed?: unknown;
    /** Of `$/cancelRequest`. */
    readonly id?: unknown;
  };
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

/** The awaited message, and its name for a failure. */
export interface Wanted {
  readonly name: string;
  /** True for the response to a request, which must come, however long that takes. */
  readonly isDue?: boolean;
  fits(message: ServerMessage): boolean;
}

/** The payload of an event or request; empty without a payload. */
export function payloadOf(message: ServerMessage): Readonly<Record<string, unknown>> {
  return message.params?.payload ?? {};
}

/**
 * The result of a response.
 *
 * @throws CheckFailure with the error, if it is one.
 */
export function resultOf({ result, error }: ServerMessage): unknown {
  if (error !== undefined) throw new CheckFailure("a result", `the error ${inShort(error)}`);
  return result;
}

/** @param where what its payload must have, compared by value. */
export function wantedEvent(type: string, where: Readonly<Record<string, unknown>> = {}): Wanted {
  return {
    name: `the event ${type}${Object.keys(where).length === 0 ? "" : ` with ${inShort(where)}`}`,
    fits: (message) =>
      message.method === "event" &&
      message.params?.type === type &&
      Object.entries(where).every(([key, value]) => payloadOf(message)[key] === value),
  };
}

/** A request, in either profile. */
export function wantedRequest(type: string): Wanted {
  return {
    name: `a request ${type}`,
    fits: ({ method, params }) =>
      params?.type === type &&
      (method === "request" || (method === "event" && isAsked(type) && params.replayed !== true)),
  };
}

/** A question or approval that came as an event goes by the id of its payload, as a request does. */
export function named(message: ServerMessage): ServerMessage {
  const { method, params } = message;
  return method === "event" && isAsked(params?.type) ? { ...message, id: payloadOf(message).id } : message;
}

export function responseTo(id: string | null): Wanted {
  return {
    name: id === null ? "an error with id null" : `the response to the request with id ${inShort(id)}`,
    isDue: id !== null,
    fits: (message) => message.method === undefined && message.id === id,
  };
}
