// Faults that a conversation suggests: each message of a correct program lost, repeated, late or with other values.
// packages/conformance-tests/test/python/rewritten.py plays them.
import { base, extended } from "../messages/examples.mjs";

/** @typedef {import("../../packages/conformance-tests/dist/index.js").Exchange} Exchange */

/**
 * A fault, as rewritten.py describes it, and the message that it is about.
 *
 * @typedef {object} Fault
 * @property {Record<string, unknown>} fault
 * @property {"values" | "order" | "number" | "others"} what of the message is wrong.
 * @property {object} [message]
 * @property {string} [type] of the message that is sent too much, or the member that is always wrong.
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The messages of some lines. @param {string} text @returns {Record<string, any>[]} */
function messagesIn(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    try {
      const message = JSON.parse(line);
      return isObject(message) ? [message] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The messages of a conversation, each with its name, its number and those of its server and its connection, as
 * rewritten.py counts.
 *
 * @param {readonly Exchange[]} trace
 * @param {boolean} isMixed true where each line begins with the name of its connection.
 */
function namedIn(trace, isMixed) {
  /** @type {Record<"sent" | "received", Map<string, string>>} */
  const asked = { sent: new Map(), received: new Map() };
  /** @type {Map<string, number>} */
  const seen = new Map();
  let start = 1;
  // Connections are counted anew for each server.
  let [last, before] = [0, 0];
  // A client writes initialize once on each connection, and the first time without a session.
  let connection = 0;
  return trace.flatMap(({ kind, text: line }) => {
    const server = Number(/server-(\d+)/.exec(kind === "note" ? line : "")?.[1] ?? start);
    if (server !== start) [start, before] = [server, last];
    const [head = "", number] = (isMixed && /^client (\d+):? /.exec(line)) || [];
    last = Math.max(last, Number(number ?? 0));
    if (kind !== "sent" && kind !== "received") return [];
    /** @type {{ start: number, client?: number | undefined }} */
    const where = isMixed ? { start, client: Number(number) - before } : { start };
    return messagesIn(line.slice(head.length)).map((message) => {
      const { method, params, id } = message;
      let of = String(method);
      if (method === undefined) {
        const key = JSON.stringify([where, id]);
        const whose = asked[kind === "sent" ? "received" : "sent"].get(key) ?? "nothing";
        of = `${"error" in message ? "error" : "result"} of ${whose}`;
      } else {
        if ((method === "event" || method === "request") && typeof params?.type === "string")
          of = params.type;
        if (id !== undefined && id !== null) asked[kind].set(JSON.stringify([where, id]), of);
      }
      if (kind === "received" && method === "initialize") {
        if (!isObject(params?.session)) seen.clear();
        connection = isObject(params?.session) ? connection + 1 : 1;
      }
      const key = JSON.stringify([kind, where, of]);
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      const on = kind === "received" && connection > 0 ? { connection } : {};
      return { kind, message, place: { of, nth, ...where, ...on } };
    });
  });
}

/** Every path to a value that is no object. @param {unknown} value @param {string} [at] @returns {string[]} */
function leavesIn(value, at = "") {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    leavesIn(one, at === "" ? key : `${at}.${key}`),
  );
  return inner.length === 0 || Array.isArray(value) ? [...inner, at] : inner;
}

/**
 * A message of each type, behind some that begin something: once as it may be, and once about the same request.
 *
 * @param {Iterable<string>} types
 * @param {readonly { place: object, message: Record<string, any> }[]} begins
 * @returns {Fault[]}
 */
function further(types, begins) {
  return begins.flatMap(({ place, message: { params, result } }) => {
    const isExtended = params?.seq !== undefined || result?.session !== undefined;
    const profiles = /** @type {Record<string, Record<string, any>>[]} */ (
      isExtended ? [extended, base] : [base]
    );
    return [...types].flatMap((type) => {
      const [one] = profiles.flatMap(({ events, requests }) => events?.[type] ?? requests?.[type] ?? []);
      if (one === undefined) return [];
      const isEvent = !(type in base.requests) || (isExtended && type in extended.events);
      const inside = params?.payload ?? {};
      const call = "tool_call_id" in inside ? "=params.payload.tool_call_id" : "=params.payload.id";
      const same = {
        ...one.payload,
        ...("request_id" in one.payload && { request_id: "=params.payload.id" }),
        ...("tool_call_id" in one.payload && { tool_call_id: call }),
      };
      return ("id" in inside ? [one.payload, same] : [one.payload]).map((payload) => {
        const send = {
          jsonrpc: "2.0",
          ...(isEvent ? { method: "event" } : { method: "request", id: payload.id }),
          params: { type, payload },
        };
        return /** @type {Fault} */ ({ fault: { ...place, send }, what: "others", type });
      });
    });
  });
}

/** Every path to an object inside. @param {unknown} value @param {string} [at] @returns {string[]} */
function objectsIn(value, at = "") {
  if (!isObject(value)) return [];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    objectsIn(one, at === "" ? key : `${at}.${key}`),
  );
  return at === "" ? inner : [at, ...inner];
}

/** Another value of the same type. @param {string | number | boolean} value */
function otherThan(value) {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + 1 : "x";
}

/** Every member with a text, number or truth value. @param {unknown} value @returns {[string, any][]} */
function membersIn(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner === "object" || /^(jsonrpc|method|id|seq|params)$/.test(key)) return membersIn(inner);
    return [[key, inner]];
  });
}

/**
 * Lies that are told everywhere, so that nothing contradicts them: a member that always has another value.
 *
 * @param {readonly Record<string, any>[]} messages
 * @param {string} source of the checks, which name the value or the member.
 * @returns {Fault[]}
 */
function lies(messages, source) {
  const pairs = messages.flatMap(membersIn).filter(([key]) => source.includes(key));
  const texts = new Map(
    pairs.map(([key, value]) => {
      const other = otherThan(value);
      const pair = (/** @type {unknown} */ one) => `${JSON.stringify(key)}:${JSON.stringify(one)}`;
      return [pair(value), { text: [pair(value), pair(other)], key, value }];
    }),
  );
  return [...texts.values()].map(({ text, key, value }) => ({
    fault: { text },
    what: "values",
    type: source.includes(String(value)) && typeof value === "string" ? value : key,
  }));
}

/**
 * The faults that a conversation suggests: one of each kind for each message.
 *
 * @param {readonly Exchange[]} trace
 * @param {string} source of the checks, whose messages may come where they should not.
 * @param {boolean} isMixed true for the messages of several connections.
 * @returns {Fault[]}
 */
export function faultsOf(trace, source, isMixed) {
  const types = new Set([...source.matchAll(/\b(?:event|request)\("(\w+)"/g)].map(([, type = ""]) => type));
  const all = namedIn(trace, isMixed);
  const alike = (/** @type {typeof all[number]} */ { kind, place }) =>
    JSON.stringify([kind, { ...place, nth: 0 }]);
  const counts = new Map(all.map((one) => [alike(one), one.place.nth]));
  // Of many alike the first and the last ones are enough.
  const named = all.filter((one) => one.place.nth <= 3 || one.place.nth > (counts.get(alike(one)) ?? 0) - 2);
  const came = named.filter(({ kind }) => kind === "received");
  // A message to all clients of a session may be wrong for one of them, or for all.
  const everywhere = came
    .filter(({ place }) => isMixed && place.client === 1)
    .map((one) => ({ ...one, place: { ...one.place, client: undefined } }));
  const own = [...came, ...everywhere].flatMap(({ place, message }) => [
    /** @type {Fault} */ ({ fault: { ...place, mangle: true }, what: "values", message }),
    /** @type {Fault} */ ({ fault: { ...place, late: true }, what: "order", message }),
    /** @type {Fault} */ ({ fault: { ...place, late: 3 }, what: "order", message }),
    /** @type {Fault} */ ({ fault: { ...place, twice: true }, what: "number", message }),
    /** @type {Fault} */ ({ fault: { ...place, drop: true }, what: "number", message }),
  ]);
  const read = named
    .filter(({ kind }) => kind === "sent")
    .flatMap(({ place, message }) => [
      /** @type {Fault} */ ({ fault: { ...place, in: true, drop: true }, what: "values", message }),
      /** @type {Fault} */ ({ fault: { ...place, in: true, twice: true }, what: "number", message }),
    ]);
  const begins = came.filter(({ place: { of } }) =>
    /^(TurnBegin|result of initialize|(Question|Approval|ToolCall|Hook)Request)$/.test(of),
  );
  const told = lies(
    came.map(({ message }) => message),
    source,
  );
  return [...own, ...told, ...further(types, begins), ...read];
}

/**
 * The faults in one value each of the message that a fault is about, and one in a member that should not be there.
 *
 * @param {Fault} fault
 * @returns {Fault[]}
 */
export function finerThan({ fault: { mangle, ...place }, message }) {
  if (mangle === undefined) return [];
  const more = objectsIn(message).flatMap((path) => [
    { ...place, change: path },
    { ...place, set: [`${path}.session`, {}] },
  ]);
  const finer = leavesIn(message)
    .filter((path) => !/^(jsonrpc|method)$/.test(path))
    .flatMap((path) => [
      { ...place, change: path },
      { ...place, set: [path, "x"] },
      { ...place, set: [path, 5] },
      { ...place, remove: path },
    ]);
  return [...finer, ...more].map((fault) => ({ fault, what: "values" }));
}
