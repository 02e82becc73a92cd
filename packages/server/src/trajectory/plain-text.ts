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
    "^[ \\t]*(`{3,})[^`\\n]*\\n(?:(?:[^]*?\\n)?[ \\t]*\\1`*[ \\t]*$|[^]*)",
    "``.*?(?:``|$)",
    "`[^`\\n]*(?:`|$)",
    `<${NAME}(?:\\s[^<>]*)?>\\s*<(?<action>${NAME})(?:\\s[^<>]*)?>`,
  ].join("|"),
  "gimu",
);

/** Elements that are not closed, after which no further one is looked through. */
const MOST_OPEN = 100;

/** What a checker looks for in the text of a model. */
export interface TextSigns {
  /** Whether it has the result of a call in it, which no model may write (P-18). */
  readonly result: boolean;
  /** Queries of parameters; one that only names the tag is none (P-07). */
  readonly queries: number;
  /** Whether it says that the calls in it are to be executed. */
  readonly executes: boolean;
  /** Elements that could be queries or calls, at most: `<service><action>…`. */
  readonly possibleCalls: number;
}

/** What there is in a model's text outside thoughts, code and the arguments of calls (P-15). */
export function textSigns(content: string): TextSigns {
  // Most texts have no element at all.
  if (!content.includes("<")) return { result: false, queries: 0, executes: false, possibleCalls: 0 };
  const { text, elements } = plainText(content);
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  return {
    result: /<\/?result\b[^<>]*>/i.test(text),
    queries: count(/<(?:tool_param|param_query)(?:\s[^<>]*)?>[^<]*<(?:tool_id|action)[\s>]/g),
    executes: /<execute_tools\b[^<>]*>/i.test(text),
    possibleCalls: count(/<(?:tool_param|param_query)\b/g) + elements,
  };
}

/** A text without what is hidden, and without the arguments of calls where these are JSON. */
function plainText(content: string): { text: string; elements: number } {
  let text = "";
  let at = 0;
  let elements = 0;
  let open = 0;
  const next = new RegExp(pieces);
  for (let piece = next.exec(content); piece !== null; next.lastIndex = at, piece = next.exec(content)) {
    const [whole] = piece;
    text += content.slice(at, piece.index);
    at = piece.index + whole.length;
    const action = piece.groups?.action;
    if (action === undefined) continue;
    elements += 1;
    text += whole;
    if (open > MOST_OPEN || !/^\s*\{/.test(content.slice(at, at + 100))) continue;
    const end = content.indexOf(`</${action}`, at);
    if (end === -1) open += 1;
    else at = end;
  }
  return { text: text + content.slice(at), elements };
}
