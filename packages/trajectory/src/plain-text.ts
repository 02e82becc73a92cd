import { isQuery, openString, TextScanner } from "@askwire/dialects/internal";

const END = "(?![^])";
const NAME = "[\\p{L}_][\\p{L}\\p{N}_.-]{0,127}";
/** Thoughts, quotes and code, which run to the end if they are not closed; or the tags of a possible call. */
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

/** The signs that a checker looks for in a model's text. */
export interface TextSigns {
  /** True if the text contains the result of a call, which no model may write (P-18). */
  readonly result: boolean;
  /** The number of queries of parameters, as a session reads them. A mere mention of the tag does not count (P-07). */
  readonly queries: number;
  /** True if the text says that its calls are to be executed. */
  readonly executes: boolean;
  /** Elements that could be calls, at most: `<service><action>…`. */
  readonly possibleCalls: number;
}

/** Finds the signs in a model's text outside thoughts, code and the arguments of calls (P-15). */
export function textSigns(content: string): TextSigns {
  // Most texts have no element at all.
  if (!content.includes("<")) return { result: false, queries: 0, executes: false, possibleCalls: 0 };
  const { text, elements } = plainText(content);
  return {
    result: /<\/?result\b[^<>]*>/i.test(text),
    queries: scanned(text).length,
    executes: /<execute_tools\b[^<>]*>/i.test(text),
    possibleCalls: elements,
  };
}

/** The subject of a query; a name is undefined where the query lacks it. */
export interface QuerySubject {
  readonly tool_id?: unknown;
  readonly action?: unknown;
}

/** Lists the queries in a model's text, outside thoughts and code. */
export const queriesIn = (content: string): QuerySubject[] =>
  content.includes("<") ? scanned(plainText(content).text) : [];

function scanned(text: string): QuerySubject[] {
  // Most texts have none, and the scanner looks closely at each tag.
  if (!/<(?:tool_param|param_query)[\s>/]/.test(text)) return [];
  const scanner = new TextScanner({
    service: () => undefined,
    find: () => ({ unknown: "tool", candidates: [] }),
  });
  const queries: QuerySubject[] = [];
  for (const events of [scanner.more(text), scanner.end()]) {
    for (const event of events) if (event.type === "query") queries.push(event.query ?? {});
  }
  return queries;
}

/** UTF-16 units of arguments that are no JSON. */
const MOST_PLAIN = 4 * 1024;
/** The distance after a close tag within which its service's tag is searched. */
const CLOSING = 512;

/**
 * Finds the end of the arguments that begin there: JSON, whose strings may contain the close tag, or other text. Both
 * tags must be closed afterwards. Undefined if there are no arguments, -1 if they do not end.
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
  /** Set for two tags that could begin a call. */
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

/** A text without its hidden parts, and without the arguments of calls. */
function plainText(content: string): { text: string; elements: number } {
  let text = "";
  let elements = 0;
  for (const { kind, text: part, element } of stretches(content)) {
    if (kind === "plain") text += part;
    if (element) elements += 1;
  }
  return { text, elements };
}

/** Replaces a model's words and thoughts in a text. Code and the arguments of calls stay. */
export function withSaid(content: string, replaced: (text: string) => string): string {
  let all = "";
  for (const { kind, text } of stretches(content)) all += kind === "apart" ? text : replaced(text);
  return all;
}
