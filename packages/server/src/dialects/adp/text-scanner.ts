import { quotedText } from "../quoted-text.js";
import type { Catalogue } from "./catalogue.js";
import { passingReader, queryReader, resultReader } from "./elements.js";
import { serviceReader } from "./service-element.js";
import { isQuery, tagAt } from "./tags.js";
import type { ElementReader, TextEvent } from "./text-event.js";

/** Finds queries, calls and results in a text that comes in pieces. */
export interface TextScanner {
  more(text: string): Generator<TextEvent>;
  /** Ends the text before something else, and decides all held text. */
  end(): Generator<TextEvent>;
}

/** The elements that pass unchanged, by their beginning and end. */
const passed: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
];
const EXECUTE = "execute_tools";
const EXECUTE_END = /^\s*<\/execute_tools\s*>/;
const EXECUTE_ENDING = /^\s{0,64}(?:<(?:\/[a-z_]*\s*)?)?$/;

/** The thing that begins at a place. */
type Beginning = ElementReader | { readonly execute: number };

/** Makes a scanner for the services of a catalogue. Code, thoughts, comments and CDATA are text (P-15). */
export function textScanner(catalogue: Pick<Catalogue, "service" | "find">): TextScanner {
  const code = quotedText();
  let rest = "";
  let element: ElementReader | undefined;
  /** UTF-16 units that are done with. */
  let done = 0;
  /** Up to where no result ends, of all units: many that begin are not looked through again and again. */
  let noResult = 0;

  const begins = (name: string) =>
    isQuery(name) ||
    name === "result" ||
    name === "think" ||
    name === EXECUTE ||
    catalogue.service(name) !== undefined;

  /** Finds the element at a `<`; "more" while that is not known yet. */
  function beginning(at: number, final: boolean): Beginning | "more" | undefined {
    for (const [begin, end] of passed) {
      if (rest.startsWith(begin, at)) return passingReader(end);
      if (!final && begin.startsWith(rest.slice(at, at + begin.length))) return "more";
    }
    const tag = tagAt(rest, at, begins);
    if (tag === "more") return final ? undefined : "more";
    if (tag === undefined || !begins(tag.name)) return undefined;
    if (tag.name === EXECUTE) {
      const after = rest.slice(at + tag.length);
      const end = tag.empty || tag.close ? null : EXECUTE_END.exec(after);
      if (!tag.empty && !tag.close && end === null && !final && EXECUTE_ENDING.test(after)) return "more";
      return { execute: tag.length + (end?.[0].length ?? 0) };
    }
    if (tag.close) return undefined;
    if (isQuery(tag.name)) return queryReader(tag);
    if (tag.name === "result") {
      const begun = done + at;
      return resultReader(tag, noResult - begun, (to) => {
        noResult = begun + to;
      });
    }
    if (tag.name === "think") return tag.empty ? undefined : passingReader("</think>");
    return tag.empty ? undefined : serviceReader(tag, catalogue);
  }

  /** So much of the text is done with. */
  function drop(length: number): string {
    const text = rest.slice(0, length);
    rest = rest.slice(length);
    done += length;
    return text;
  }

  function* take(length: number): Generator<TextEvent> {
    const text = drop(length);
    if (text !== "") yield { type: "text", text };
  }

  /** Reads plain text; false to wait for more. */
  function* plain(final: boolean): Generator<TextEvent, boolean> {
    for (let at = 0; ; ) {
      const next = rest.indexOf("<", at);
      code.pass(rest.slice(at, next === -1 ? undefined : next));
      if (next === -1) {
        yield* take(rest.length);
        return false;
      }
      const found = code.inside ? undefined : beginning(next, final);
      if (found !== undefined) {
        yield* take(next);
        if (found === "more") return false;
        if ("execute" in found) {
          yield { type: "execute", raw: drop(found.execute) };
        } else element = found;
        return true;
      }
      code.pass("<");
      at = next + 1;
    }
  }

  /** Reads on in an element; false to wait for more. */
  function* within(here: ElementReader, final: boolean): Generator<TextEvent, boolean> {
    const step = here.read(rest, final);
    if (step === undefined) return false;
    const { events, used, over, text = 0 } = step;
    drop(used);
    if (over) element = undefined;
    yield* events;
    if (text > 0) {
      code.pass(rest.slice(0, text));
      yield* take(text);
    }
    return over || used > 0 || events.some(({ type }) => type === "call-begins");
  }

  function* read(final: boolean): Generator<TextEvent> {
    while (rest !== "") {
      const on = element === undefined ? yield* plain(final) : yield* within(element, final);
      if (!on) return;
    }
  }

  return {
    *more(text) {
      rest += text;
      const { quietBelow = 0 } = element ?? {};
      if (rest.length >= quietBelow || text.includes(">")) yield* read(false);
    },
    *end() {
      yield* read(true);
      // A call of which all is there may still wait for the tag of its service.
      if (element !== undefined && rest === "") yield* within(element, true);
    },
  };
}
