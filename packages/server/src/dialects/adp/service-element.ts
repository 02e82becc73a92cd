import type { Catalogue } from "./catalogue.js";
import { type OpenString, openString } from "./open-string.js";
import { isQuery, type Tag, tagAt } from "./tags.js";
import {
  type ElementReader,
  type ElementStep,
  MAX_ELEMENT,
  noElement,
  type TextEvent,
  type WrittenCall,
} from "./text-event.js";

const CDATA = "<![CDATA[";
const CDATA_END = "]]>";
/** White space between tags. */
const MAX_SPACE = 1024;

/** Reads the calls within a service's tags: `<service><action>…</action></service>`. */
export function serviceReader(open: Tag, catalogue: Pick<Catalogue, "service" | "find">): ElementReader {
  const service = open.name;
  const owner = catalogue.service(service);
  /** The action that is being read. */
  let action: { name: string; from: number; end: RegExp; searched: number; json: OpenString } | undefined;
  /** The first close tag within a string of JSON. The call ends there if no close tag follows the string. */
  let quotedEnd: { at: number; to: number } | undefined;
  /** A whole one: the service's close tag belongs to it, if it comes next. */
  let before: WrittenCall | undefined;
  let at = open.length;

  const isAction = (name: string) => "action" in catalogue.find(service, name);
  /** Finds the beginning of something else that has the same name as an action of this service. */
  const isOther = (name: string) =>
    isQuery(name) ||
    name === "result" ||
    name === "execute_tools" ||
    (catalogue.service(name) !== undefined && !isAction(name));

  /** Nothing more belongs to the service. */
  const leave = (used: number, raw = ""): ElementStep =>
    before === undefined
      ? noElement(open.length)
      : { events: [{ ...before, raw: before.raw + raw }], used, over: true };

  function children(text: string, final: boolean): ElementStep | undefined {
    const space = text.slice(at).search(/\S/);
    const next = space === -1 ? text.length : at + space;
    if (next - at > MAX_SPACE) return leave(0);
    const tag = next === text.length ? ("more" as const) : tagAt(text, next);
    if (tag === "more" && !final) return undefined;
    if (tag === undefined || tag === "more") return leave(0);
    const end = next + tag.length;
    if (tag.close) {
      return catalogue.service(tag.name) === owner ? leave(end, text.slice(0, end)) : leave(0);
    }
    if (isOther(tag.name)) return leave(0);
    const begins: TextEvent = { type: "call-begins", service, action: tag.name };
    const events = before === undefined ? [begins] : [before, begins];
    before = undefined;
    if (!tag.empty) {
      const close = new RegExp(`</${tag.name.replaceAll(".", "\\.")}\\s{0,8}>`, "g");
      action = { name: tag.name, from: end, end: close, searched: end, json: openString(end) };
      quotedEnd = undefined;
      return { events, used: 0, over: false };
    }
    before = { type: "call", raw: text.slice(0, end), service, action: tag.name, body: "" };
    at = 0;
    return { events, used: end, over: false };
  }

  /** The call is there from its tag to its close tag. */
  function close(name: string, all: string, to: number, body: string): ElementStep {
    before = { type: "call", raw: all.slice(0, to), service, action: name, body };
    action = undefined;
    at = 0;
    return { events: [], used: to, over: false };
  }

  function within(here: NonNullable<typeof action>, text: string, final: boolean): ElementStep | undefined {
    const { name, from, end, json } = here;
    const all = text.slice(0, MAX_ELEMENT);
    end.lastIndex = here.searched;
    for (let found = end.exec(all); found !== null; found = end.exec(all)) {
      const inner = all.slice(from, found.index).trim();
      const quoted = inner.startsWith(CDATA);
      if (quoted && !inner.includes(CDATA_END)) continue;
      // The text may contain the tag: arguments end after their strings.
      if (inner.startsWith("{") && json(all, found.index)) {
        quotedEnd ??= { at: found.index, to: end.lastIndex };
        continue;
      }
      const body = quoted && inner.endsWith(CDATA_END) ? inner.slice(CDATA.length, -CDATA_END.length) : inner;
      return close(name, all, end.lastIndex, body);
    }
    if (!final && text.length < MAX_ELEMENT) {
      here.searched = Math.max(from, text.length - name.length - 12);
      return undefined;
    }
    if (quotedEnd !== undefined) return close(name, all, quotedEnd.to, all.slice(from, quotedEnd.at).trim());
    const call: WrittenCall = { type: "call", raw: all, service, action: name, body: undefined };
    return { events: [call], used: all.length, over: true };
  }

  return {
    get quietBelow() {
      return action === undefined ? 0 : MAX_ELEMENT;
    },
    read: (text, final) => (action === undefined ? children(text, final) : within(action, text, final)),
  };
}
