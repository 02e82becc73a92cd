import { hasChild, readQuery, type Tag } from "./tags.js";
import {
  type ElementReader,
  type ElementStep,
  MAX_ELEMENT,
  noElement,
  type TextEvent,
} from "./text-event.js";

/** UTF-16 units of a query. */
export const MAX_QUERY = 4096;

const QUERY_TAG = /<\/(tool_param|param_query)\s{0,8}>|<(?:tool_param|param_query)(?=[\s>/])/g;

/** Reads a query. The message's end and the next query's tag close an open query (P-18). */
export function queryReader(tag: Tag): ElementReader {
  const whole = (raw: string, inner: string | undefined): ElementStep => {
    const query = inner === undefined ? undefined : readQuery(inner);
    return { events: [{ type: "query", raw, query }], used: raw.length, over: true };
  };
  return {
    quietBelow: MAX_QUERY,
    read(text, final) {
      if (tag.empty) return whole(text.slice(0, tag.length), undefined);
      const all = text.slice(0, MAX_QUERY);
      QUERY_TAG.lastIndex = tag.length;
      const next = QUERY_TAG.exec(all);
      if (next?.[1] !== undefined) {
        const inner = next[1] === tag.name ? all.slice(tag.length, next.index) : undefined;
        return whole(all.slice(0, QUERY_TAG.lastIndex), inner);
      }
      if (next === null && !final && text.length < MAX_QUERY) return undefined;
      const raw = all.slice(0, next?.index);
      const inner = raw.slice(tag.length);
      return hasChild(inner) ? whole(raw, inner) : noElement(tag.length);
    },
  };
}

/** The longest close tag, so that no half of a tag is overlooked. */
const LONGEST_END = 24;

/**
 * Reads a result that the model wrote. A result without an end is text.
 *
 * @param searched the end of the range, from its tag on, that is known to have no end of a result.
 * @param inVain called with the end of the range that has no end of a result.
 */
export function resultReader(tag: Tag, searched: number, inVain: (to: number) => void): ElementReader {
  const end = /<\/result\s{0,8}>/g;
  let begun = false;
  let from = Math.max(tag.length, searched - LONGEST_END);
  return {
    quietBelow: MAX_ELEMENT,
    read(text, final) {
      const events: TextEvent[] = begun ? [] : [{ type: "result-begins" }];
      begun = true;
      if (tag.empty) return { events: [...events, { type: "result" }], used: tag.length, over: true };
      end.lastIndex = from;
      const found = end.exec(text.slice(0, MAX_ELEMENT));
      if (found !== null) {
        return { events: [...events, { type: "result" }], used: end.lastIndex, over: true };
      }
      if (final || text.length >= MAX_ELEMENT) {
        inVain(Math.min(text.length, MAX_ELEMENT));
        return { ...noElement(tag.length), events };
      }
      from = Math.max(tag.length, text.length - LONGEST_END);
      return { events, used: 0, over: false };
    },
  };
}

/** Reads an element that passes as text up to its end, such as a thought. */
export function passingReader(end: string): ElementReader {
  return {
    read(text, final) {
      const at = text.indexOf(end);
      const used = at === -1 ? text.length - (final ? 0 : end.length - 1) : at + end.length;
      if (used <= 0) return undefined;
      return { events: [{ type: "text", text: text.slice(0, used) }], used, over: at !== -1 };
    },
  };
}
