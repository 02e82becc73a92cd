import { allAgentMethods, requests } from "@askwire/protocol";
import { CheckFailure } from "../contract/check.js";
import { inShort, isObject, shortened } from "../contract/expectations.js";
import type { ClientMessage, LineRules } from "./line.js";

/** The codes of errors about what nobody can read, which may go under id null. */
const unreadable: readonly unknown[] = [-32700, -32600];

/**
 * A message is a request or a response as JSON-RPC has them. A response goes to a request of the suite, and to each
 * once. Params and results fit the tables of docs/messages.md, those of the base profile until the suite has negotiated
 * more.
 */
export function lineRules(): LineRules {
  /** The requests of the suite that wait for a response, by id: the type of each, or nothing. */
  const asked = new Map<string, unknown[]>();
  let isExtended = false;

  function wrongIn(message: ClientMessage): string | undefined {
    if (message.jsonrpc !== undefined && message.jsonrpc !== "2.0") return 'jsonrpc "2.0" in every message';
    return "method" in message ? wrongInCall(message, isExtended) : wrongInResponse(message);
  }

  function wrongInResponse({ id, ...message }: ClientMessage): string | undefined {
    const { result, error } = message;
    if ("result" in message === "error" in message) return "a method, a result or an error in each message";
    if ("error" in message && !isError(error)) return "an error {code: integer, message: text}";
    if (id === undefined || id === null) {
      const isAllowed = isObject(error) && unreadable.includes(error.code);
      return isAllowed ? undefined : `no answer under id ${inShort(id)}, which is no request`;
    }
    const name = JSON.stringify(id);
    const types = asked.get(name);
    if (types === undefined) return `no answer to ${name}, which is no request`;
    const open = types.shift();
    if (open === undefined) return `one answer to ${name}`;
    if ("error" in message || !isKnown(requests, open)) return undefined;
    return mistake(requests[open].response, result, `the result of ${open}`);
  }

  return {
    told(text) {
      const message = parsed(text);
      if (!isObject(message)) return;
      const { id, method, params, result } = message;
      const { capabilities } = isObject(result) ? result : {};
      isExtended ||= isObject(capabilities) && isObject(capabilities.askwire);
      if (method === undefined || id === undefined || id === null) return;
      const name = JSON.stringify(id);
      const type = method === "request" && isObject(params) ? params.type : undefined;
      asked.set(name, [...(asked.get(name) ?? []), type ?? ""]);
    },
    heard(message) {
      const wrong = wrongIn(message);
      return wrong === undefined
        ? undefined
        : new CheckFailure(wrong, `the message ${shortened(JSON.stringify(message))}`);
    },
  };
}

function wrongInCall({ method, params, ...message }: ClientMessage, isExtended: boolean): string | undefined {
  if (typeof method !== "string") return "a text as method";
  if ("result" in message || "error" in message) return "a method, a result or an error in each message";
  if (!isKnown(allAgentMethods, method)) return undefined;
  const said = isExtended ? params : ofBase(params);
  return mistake(allAgentMethods[method].params, said, `the params of ${method}`);
}

const isKnown = <T extends object>(table: T, name: unknown): name is keyof T =>
  typeof name === "string" && Object.hasOwn(table, name);

/** Params without the members of the extended profile, which mean nothing to a server of Kimi Wire 1.10. */
function ofBase(params: unknown): unknown {
  if (!isObject(params)) return params;
  const { turn_id: _turn, session: _session, capabilities, ...rest } = params;
  if (!isObject(capabilities)) return "capabilities" in params ? { ...rest, capabilities } : rest;
  const { askwire: _askwire, ...shown } = capabilities;
  return { ...rest, capabilities: shown };
}

interface Schema {
  safeParse(value: unknown): { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
}

/** Names the first place of a value that does not fit. */
function mistake(schema: Schema, value: unknown, what: string): string | undefined {
  const { error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  const place = issue.path.length === 0 ? "" : `, ${issue.path.join(".")}: ${issue.message}`;
  return `${what} as docs/messages.md has it${place}`;
}

const isError = (error: unknown) =>
  isObject(error) && Number.isInteger(error.code) && typeof error.message === "string";

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
