// Faults that a conversation suggests: each message of a correct program lost, repeated, late or with other values.
// packages/conformance-tests/test/python/rewritten.py plays them.
import { base } from "../messages/examples.mjs";

/** @typedef {import("../../packages/conformance-tests/dist/index.js").Exchange} Exchange */

/**
 * A fault, as rewritten.py describes it, and the message that it is about.
 *
 * @typedef {object} Fault
 * @property {Record<string, unknown>} fault
 * @property {"values" | "order" | "number" | "others"} what of the message is wrong.
 * @property {object} [message]
 */

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The messages of some lines. @param {string} text @returns {Record<string, any>[]} */
function messagesIn(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    try {
      // A line of one of several connections begins with a name.
      const message = JSON.parse(line.slice(Math.max(0, line.indexOf("{"))));
      return isObject(message) ? [message] : [];
    } catch {
      return [];
    }
  });
}

/**
 * The messages of a conversation, each with its name, its number and the number of its server, as rewritten.py counts.
 *
 * @param {readonly Exchange[]} trace
 * @param {boolean} isMixed true for several connections, whose requests have the same ids.
 */
function namedIn(trace, isMixed) {
  /** @type {Record<"sent" | "received", Map<string, string>>} */
  const asked = { sent: new Map(), received: new Map() };
  /** @type {Map<string, number>} */
  const seen = new Map();
  let start = 1;
  return trace.flatMap(({ kind, text }) => {
    if (kind === "note") start = Number(/server-(\d+)/.exec(text)?.[1] ?? start);
    if (kind !== "sent" && kind !== "received") return [];
    return messagesIn(text).map((message) => {
      const { method, params, id } = message;
      let of = String(method);
      if (method === undefined) {
        const whose = asked[kind === "sent" ? "received" : "sent"].get(`${start} ${id}`) ?? "nothing";
        const which = "error" in message ? "error" : "result";
        of = isMixed ? which : `${which} of ${whose}`;
      } else {
        if ((method === "event" || method === "request") && typeof params?.type === "string")
          of = params.type;
        if (id !== undefined && id !== null) asked[kind].set(`${start} ${id}`, of);
      }
      const key = JSON.stringify([kind, start, of]);
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      return { kind, message, place: { of, nth, start } };
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

/** A message of each type, sent behind the first ones of a turn. @param {Iterable<string>} types @param {number} starts @returns {Fault[]} */
function further(types, starts) {
  const { events = {}, requests = {} } = /** @type {Record<string, Record<string, any>>} */ (base);
  return [...types].flatMap((type) => {
    const event = events[type];
    const payload = (event ?? requests[type])?.payload;
    if (payload === undefined) return [];
    const params = { type, payload };
    const send = {
      jsonrpc: "2.0",
      ...(event ? { method: "event" } : { method: "request", id: payload.id }),
      params,
    };
    return Array.from({ length: starts }, (_, n) => n + 1).flatMap((start) =>
      ["TurnBegin", "result of initialize"].map(
        (of) => /** @type {Fault} */ ({ fault: { of, start, send }, what: "others" }),
      ),
    );
  });
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
  const named = namedIn(trace, isMixed);
  const starts = Math.max(...named.map(({ place }) => place.start), 1);
  const own = named
    .filter(({ kind }) => kind === "received")
    .flatMap(({ place, message }) => [
      /** @type {Fault} */ ({ fault: { ...place, mangle: true }, what: "values", message }),
      /** @type {Fault} */ ({ fault: { ...place, late: true }, what: "order", message }),
      /** @type {Fault} */ ({ fault: { ...place, twice: true }, what: "number", message }),
      /** @type {Fault} */ ({ fault: { ...place, drop: true }, what: "number", message }),
    ]);
  const read = named
    .filter(({ kind }) => kind === "sent")
    .flatMap(({ place, message }) => [
      /** @type {Fault} */ ({ fault: { ...place, in: true, drop: true }, what: "values", message }),
      /** @type {Fault} */ ({ fault: { ...place, in: true, twice: true }, what: "number", message }),
    ]);
  return [...own, ...further(types, starts), ...read];
}

/**
 * The faults in one value each of the message that a fault is about, and one in a member that should not be there.
 *
 * @param {Fault} fault
 * @returns {Fault[]}
 */
export function finerThan({ fault: { mangle, ...place }, message }) {
  if (mangle === undefined) return [];
  const more = ["result", "params.payload"].map((inside) => ({ ...place, set: [`${inside}.session`, {}] }));
  const finer = leavesIn(message)
    .filter((path) => !/^(jsonrpc|method)$/.test(path))
    .flatMap((path) => [
      { ...place, change: path },
      { ...place, set: [path, "x"] },
      { ...place, remove: path },
    ]);
  return [...finer, ...more].map((fault) => ({ fault, what: "values" }));
}
