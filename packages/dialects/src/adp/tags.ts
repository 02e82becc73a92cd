import { PARAM_QUERY, TOOL_PARAM } from "./catalogue.js";

/** UTF-16 units that a tag may have. */
const MAX_TAG = 512;

/** A tag as it stands in a text. */
export interface Tag {
  readonly name: string;
  /** `</name>`. */
  readonly close: boolean;
  /** `<name/>`. */
  readonly empty: boolean;
  readonly length: number;
}

const TAG = /<(\/?)([\p{L}_][\p{L}\p{N}_.-]*)(?:\s(?:[^<>"']|"[^"]*"|'[^']*')*?)?(\/?)>/uy;
const NAME = /<\/?([\p{L}_][\p{L}\p{N}_.-]*)?/uy;

/**
 * Reads the tag at a place of a text. Undefined without a tag, or with a name that is not `wanted`. Returns "more" for
 * a text that may still become a tag.
 */
export function tagAt(
  text: string,
  at: number,
  wanted: (name: string) => boolean = () => true,
): Tag | "more" | undefined {
  NAME.lastIndex = at;
  const begun = NAME.exec(text);
  if (begun === null) return undefined;
  const [start, name] = begun;
  const atEnd = at + start.length === text.length;
  if (name === undefined) return atEnd ? "more" : undefined;
  if (start.length > MAX_TAG || (!atEnd && !wanted(name))) return undefined;
  if (atEnd) return "more";
  TAG.lastIndex = at;
  const found = TAG.exec(text.length - at > MAX_TAG ? text.slice(0, at + MAX_TAG) : text);
  if (found === null) return text.length - at < MAX_TAG ? "more" : undefined;
  return { name, close: found[1] === "/", empty: found[3] === "/", length: found[0].length };
}

/** True for an element that is a query: both names are accepted (P-07). */
export const isQuery = (name: string): boolean => name === TOOL_PARAM || name === PARAM_QUERY;

/** The names in a query. */
export interface Query {
  readonly tool_id: string;
  readonly action: string;
}

/** A child of a query. */
const CHILD = /\s*<(tool_id|action)(?:\s[^<>]*)?>([^<]*)<\/\1\s*>\s*/y;
const COMMENT = /<!--[\s\S]*?-->/g;

/**
 * Reads the inside of a query: both children once, in any order, with space or comments around them (P-12, P-13, P-14).
 * Any other content is malformed, and gives undefined.
 */
export function readQuery(inner: string): Query | undefined {
  const text = inner.replace(COMMENT, " ");
  const children = new Map<string, string>();
  for (let at = 0; at < text.length; at = CHILD.lastIndex) {
    CHILD.lastIndex = at;
    const child = CHILD.exec(text);
    if (child === null) {
      if (text.slice(at).trim() === "") break;
      return undefined;
    }
    const [, name = "", value = ""] = child;
    if (children.has(name)) return undefined;
    children.set(name, value.trim());
  }
  const tool_id = children.get("tool_id") ?? "";
  const action = children.get("action") ?? "";
  return tool_id === "" || action === "" ? undefined : { tool_id, action };
}

/** True for the beginning of a query, and false for a mere mention of the tag. */
export const hasChild = (inner: string): boolean => /<(?:tool_id|action)[\s>]/.test(inner);
