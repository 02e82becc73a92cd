/** An answer that the model suggests. */
export interface Suggestion {
  readonly text: string;
  /** The mode that choosing it asks for. */
  readonly mode?: string;
}

/** The mistake in suggestions, in a few words. */
export interface Unread {
  readonly problem: string;
}

/**
 * Reads suggestions as models write them: a list of texts or objects, its JSON text, or `<suggest>` elements (P-KIL-3).
 * Suggestions without text are left out.
 *
 * @param lone set if a text or an object that stands alone is one suggestion. Default: false.
 */
export function readSuggestions(value: unknown, lone = false): readonly Suggestion[] | Unread {
  if (typeof value === "string") return readText(value, lone);
  if (lone && typeof value === "object" && value !== null && !Array.isArray(value))
    return readItem(value) ?? { problem: "expected a text as suggestion" };
  if (!Array.isArray(value)) return { problem: "expected a list" };
  const found: Suggestion[] = [];
  for (const [index, item] of value.entries()) {
    const read = readItem(item);
    if (read === undefined) return { problem: `expected a text as suggestion ${index + 1}` };
    found.push(...read);
  }
  return found;
}

function readText(text: string, lone: boolean): readonly Suggestion[] | Unread {
  if (text.trim() === "") return [];
  const json = readJson(text);
  if (json !== undefined) return readSuggestions(Array.isArray(json) ? json : [json], lone);
  // A list that was cut is no answer that a person could give.
  return (
    scan(text) ??
    (lone && !looksLikeJson(text) ? suggestion(text) : { problem: "found no <suggest> element" })
  );
}

const looksLikeJson = (text: string) => /^\s*[[{]/.test(text);

/** A list or an object; undefined for other text. */
function readJson(text: string): object | undefined {
  if (!looksLikeJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readItem(item: unknown): readonly Suggestion[] | undefined {
  if (typeof item === "string") return scan(item) ?? suggestion(item);
  if (typeof item !== "object" || item === null) return undefined;
  const { text, answer, label, mode } = item as Record<string, unknown>;
  const said = [text, answer, label].find((value) => typeof value === "string");
  return said === undefined ? undefined : suggestion(said as string, typeof mode === "string" ? mode : "");
}

function suggestion(text: string, mode = ""): Suggestion[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  return [mode.trim() === "" ? { text: trimmed } : { text: trimmed, mode: mode.trim() }];
}

/**
 * Reads the `<suggest>` elements of a text; undefined without any. An XML library would have the faults of F-06 and
 * F-07, so the reader is written by hand. The content stays unchanged except for five entities. A stray `<` or a
 * mistyped close tag loses nothing.
 */
function scan(text: string): Suggestion[] | undefined {
  const found: Suggestion[] = [];
  const tags = /<(\/?)suggest(?=[\s/>])/gi;
  let open: { readonly from: number; readonly mode: string } | undefined;
  let any = false;
  const end = (at: number, closed: boolean) => {
    if (open === undefined) return;
    const inner = text.slice(open.from, at);
    found.push(...suggestion(decoded(closed ? inner : withoutStrayClose(inner)), decoded(open.mode)));
    open = undefined;
  };
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    const closes = tag[1] === "/";
    end(tag.index, closes);
    if (closes) continue;
    const head = readHead(text, tags.lastIndex);
    if (head === undefined) break;
    any = true;
    tags.lastIndex = head.end;
    if (!head.empty) open = { from: head.end, mode: head.mode };
  }
  end(text.length, false);
  return any ? found : undefined;
}

/** Reads the attributes of a tag, up to behind its `>`; undefined without a tag. */
function readHead(text: string, from: number): { end: number; mode: string; empty: boolean } | undefined {
  const attribute = /\s*([^\s=<>/"']+)(?:\s*=\s*(?:"([^"<]*)"|'([^'<]*)'|([^\s<>/"']+)))?/y;
  attribute.lastIndex = from;
  let at = from;
  let mode = "";
  for (let read = attribute.exec(text); read !== null; read = attribute.exec(text)) {
    at = attribute.lastIndex;
    if (read[1]?.toLowerCase() === "mode") mode = read[2] ?? read[3] ?? read[4] ?? "";
  }
  const close = /\s*(\/?)>/y;
  close.lastIndex = at;
  const closed = close.exec(text);
  if (closed !== null) return { end: close.lastIndex, mode, empty: closed[1] === "/" };
  const next = text.indexOf(">", at);
  return next === -1 ? undefined : { end: next + 1, mode, empty: false };
}

/** Close tags at the end, at most. */
const STRAYS = 3;

/** A text without the close tags at its end that nothing in it opened, also cut ones. */
function withoutStrayClose(text: string): string {
  let kept = text;
  for (let n = 0; n < STRAYS; n += 1) {
    const at = kept.lastIndexOf("</");
    // Trimmed before: two runs of blanks in one expression take time that grows with the square of their length.
    const name = at === -1 ? undefined : /^<\/([\w-]*)\s*>?$/.exec(kept.slice(at).trimEnd())?.[1];
    if (name === undefined || (name !== "" && kept.slice(0, at).includes(`<${name}`))) return kept;
    kept = kept.slice(0, at);
  }
  return kept;
}

const entities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** A text with the five entities of XML decoded, and nothing else. */
export function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (entity, name) => entities.get(name) ?? entity);
}
