import { isQuery, openString, textScanner } from "@askwire/server/internal";

const END = "(?![^])";
const NAME = "[\\p{L}_][\\p{L}\\p{N}_.-]{0,127}";
/**
 * What is thought, quoted or code, and goes on to the end where it is not closed; or the tags of what could be a call.
 */
const pieces = new RegExp(
  [
    `<think>[^]*?(?:</think>|${END})`,
    `<!--[^]*?(?:-->|${END})`,
    `<!\\[CDATA\\[[^]*?(?:\\]\\]>|${END})`,
    "^[ \\t]*(`{3,}(?=[^`\\n]*$)|~{3,})[^\\n]*\\n(?:(?:[^]*?\\n)?[ \\t]*\\1[`~]*[ \\t]*$|[^]*)",
    "^[ \\t]*>.*$",
    "``.*?(?:``|$)",
    "`[^`\\n]*(?:`|$)",
    `<(?<service>${NAME})(?:\\s[^<>]*)?>\\s*<(?<action>${NAME})(?:\\s[^<>]*)?>`,
  ].join("|"),
  "gimu",
);

/** Elements that are not closed, after which no further one is looked through. */
const MOST_OPEN = 100;

/** What a checker looks for in the text of a model. */
export interface TextSigns {
  /** Whether it has the result of a call in it, which no model may write (P-18). */
  readonly result: boolean;
  /** Queries of parameters, as a session reads them; one that only names the tag is none (P-07). */
  readonly queries: number;
  /** Whether it says that the calls in it are to be executed. */
  readonly executes: boolean;
  /** Elements that could be calls, at most: `<service><action>…`. */
  readonly possibleCalls: number;
}

/** What there is in a model's text outside thoughts, code and the arguments of calls (P-15). */
export function textSigns(content: string): TextSigns {
  // Most texts have no element at all.
  if (!content.includes("<")) return { result: false, queries: 0, executes: false, possibleCalls: 0 };
  const { text, elements } = plainText(content);
  return {
    result: /<\/?result\b[^<>]*>/i.test(text),
    queries: queriesIn(text),
    executes: /<execute_tools\b[^<>]*>/i.test(text),
    possibleCalls: elements,
  };
}

function queriesIn(text: string): number {
  // Most texts have none, and the scanner looks closely at each tag.
  if (!/<(?:tool_param|param_query)[\s>/]/.test(text)) return 0;
  const scanner = textScanner({
    service: () => undefined,
    find: () => ({ unknown: "tool", candidates: [] }),
  });
  let queries = 0;
  for (const events of [scanner.more(text), scanner.end()]) {
    for (const { type } of events) if (type === "query") queries += 1;
  }
  return queries;
}

/** UTF-16 units of arguments that are no JSON. */
const MOST_PLAIN = 4 * 1024;
/** How far after a close tag the one of its service is looked for. */
const CLOSING = 512;

/**
 * Where the arguments of a call end that begin there: JSON, of which a string may have the close tag in it, or other
 * text, if the tags of both are closed after it; undefined if they are none, -1 if they do not end.
 */
function endOfArguments(content: string, from: number, service: string, action: string): number | undefined {
  const tag = `</${action}`;
  const isJson = /^\s*\{/.test(content.slice(from, from + 100));
  if (!isJson) {
    const near = content.slice(from, from + MOST_PLAIN);
    const end = near.indexOf(tag);
    if (end === -1) return undefined;
    const [, closed] = /^<\/[^<>]*>\s*<\/([^\s<>]+)\s*>/.exec(near.slice(end, end + CLOSING)) ?? [];
    return closed === service ? from + end : undefined;
  }
  const first = content.indexOf(tag, from);
  const quoted = openString(from);
  for (let end = first; end !== -1; end = content.indexOf(tag, end + 1))
    if (!quoted(content, end)) return end;
  return first;
}

/** A stretch of a model's text. */
interface Stretch {
  /** `apart`: code, comments, CDATA and the arguments of calls. */
  readonly kind: "plain" | "thought" | "apart";
  readonly text: string;
  /** Whether it is two tags that could begin a call. */
  readonly element?: boolean;
}

/** All of a text, in its order. */
function* stretches(content: string): Generator<Stretch> {
  let at = 0;
  let open = 0;
  const next = new RegExp(pieces);
  for (let piece = next.exec(content); piece !== null; next.lastIndex = at, piece = next.exec(content)) {
    const [text] = piece;
    yield { kind: "plain", text: content.slice(at, piece.index) };
    at = piece.index + text.length;
    const { service, action } = piece.groups ?? {};
    if (service === undefined || action === undefined) {
      yield { kind: /^<think>/i.test(text) ? "thought" : "apart", text };
      continue;
    }
    yield { kind: "plain", text, element: !isQuery(service) };
    if (open > MOST_OPEN) continue;
    const end = endOfArguments(content, at, service, action);
    if (end === -1) open += 1;
    else if (end !== undefined) {
      yield { kind: "apart", text: content.slice(at, end) };
      at = end;
    }
  }
  yield { kind: "plain", text: content.slice(at) };
}

/** A text without what is hidden, and without the arguments of calls. */
function plainText(content: string): { text: string; elements: number } {
  let text = "";
  let elements = 0;
  for (const { kind, text: part, element } of stretches(content)) {
    if (kind === "plain") text += part;
    if (element) elements += 1;
  }
  return { text, elements };
}

/** The same text with what a model said or thought replaced; code and the arguments of calls stay. */
export function withSaid(content: string, replaced: (text: string) => string): string {
  let all = "";
  for (const { kind, text } of stretches(content)) all += kind === "apart" ? text : replaced(text);
  return all;
}
