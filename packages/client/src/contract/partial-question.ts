/**
 * Reads the question from the arguments of a tool call, as far as they have come.
 * The result is the text of the first member `question`. The JSON text may end anywhere, even within an escape.
 * Undefined while there is none.
 * Each call reads from the beginning, so give it the first few thousand characters.
 */
export function partialQuestion(json: string): string | undefined {
  /** Set if the last string was the name of this member. */
  let named = false;
  for (let at = 0; at < json.length; ) {
    const c = json[at] as string;
    if (c !== '"') {
      if (c !== ":" && !BLANK.test(c)) named = false;
      at += 1;
      continue;
    }
    const end = endOfString(json, at + 1);
    const text = json.slice(at + 1, end);
    if (named) return decoded(text);
    at = end + 1;
    // A value may be the same word, but only a name has a colon after it.
    named = text === "question" && COLON.test(json.slice(at, at + BLANKS));
  }
  return undefined;
}

const BLANK = /\s/;
const COLON = /^\s*:/;
/** The most characters searched for the colon after a name. */
const BLANKS = 16;

/** Finds the end of the string that begins here, or the end of the text. */
function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return Math.min(at, json.length);
}

/** Decodes a string up to an escape that is cut or invalid. Half a character at the end waits for the other half. */
function decoded(text: string): string {
  const said = text
    .slice(0, endOfWhole(text))
    .replace(ESCAPE, (_, c: string) =>
      c.length > 1 ? String.fromCharCode(Number.parseInt(c.slice(1), 16)) : (escapes.get(c) ?? c),
    );
  return said.replace(/[\ud800-\udbff]$/, "");
}

/** Finds the first escape that is cut or invalid. */
function endOfWhole(text: string): number {
  for (const { 0: found, index } of text.matchAll(/\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])?/g)) {
    if (found.length === 1) return index;
  }
  return text.length;
}

const ESCAPE = /\\(u[0-9a-fA-F]{4}|.)/g;
const escapes = new Map([..."bfnrt"].map((c, index) => [c, "\b\f\n\r\t"[index] as string]));
