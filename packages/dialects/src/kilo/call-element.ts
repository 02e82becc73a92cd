// The element that a call in the model's text is.

/** The name of the tool, and of the element that is a call. */
export const TOOL_NAME = "ask_followup_question";

export const OPEN = `<${TOOL_NAME}>`;
export const CLOSE = `</${TOOL_NAME}>`;
export const QUESTION = "<question>";
export const QUESTION_END = "</question>";
export const FOLLOW_UP = "<follow_up>";
const FOLLOW_UP_END = "</follow_up>";

/**
 * Finds the first of these tags, or a possible beginning of one at the end. Returns the end of the text without any.
 */
export function findTag(
  text: string,
  tags: readonly string[],
  from = 0,
): { at: number; tag: string | undefined } {
  const longest = CLOSE.length;
  for (let at = text.indexOf("<", from); at !== -1; at = text.indexOf("<", at + 1)) {
    const here = text.slice(at, at + longest);
    const tag = tags.find((candidate) => here.startsWith(candidate));
    if (tag !== undefined || tags.some((candidate) => candidate.startsWith(here))) return { at, tag };
  }
  return { at: text.length, tag: undefined };
}

/** The length of a text without half an entity or half a character at its end. */
export function wholeCharacters(text: string): number {
  const cut = /(?:&[a-z]{0,4}|[\ud800-\udbff])$/.exec(text);
  return cut?.index ?? text.length;
}

/** The elements whose content is text, whatever tags it has, by their beginning and end. */
export const passed: ReadonlyMap<string, string> = new Map([
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
]);

/**
 * The content of `<follow_up>`, as written. Without that element all suggestions count. A suggestion cut by the end of
 * the message is left out.
 */
export function followUp(raw: string): string | undefined {
  const text = suggestionsIn(raw);
  const isCut = !raw.endsWith(CLOSE) && !raw.includes(FOLLOW_UP_END);
  return isCut && text !== undefined ? withoutCutSuggestion(text) : text;
}

/** Without the last suggestion, where not even its close tag has begun. */
function withoutCutSuggestion(text: string): string {
  const lower = text.toLowerCase();
  const last = lower.lastIndexOf("<suggest");
  return last === -1 || lower.includes("</sug", last) ? text : text.slice(0, last);
}

function suggestionsIn(raw: string): string | undefined {
  const body = raw.slice(OPEN.length, raw.endsWith(CLOSE) ? -CLOSE.length : undefined);
  const open = body.indexOf(FOLLOW_UP);
  if (open === -1) {
    const first = body.indexOf("<suggest");
    return first === -1 ? undefined : body.slice(first);
  }
  const end = body.lastIndexOf(FOLLOW_UP_END);
  return body.slice(open + FOLLOW_UP.length, end > open ? end : undefined);
}
