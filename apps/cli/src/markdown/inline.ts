import { visibleText } from "@askwire/client/text";
import { type MarkedToken, safeLink, type Token, withEntities } from "@askwire/react/blocks";
import type { Style } from "../device/paint.js";
import type { Look, Span } from "./spans.js";

/** Tokens within each other: what is deeper is shown as it was written. */
const DEEPEST = 32;

interface Around {
  readonly styles: readonly Style[];
  readonly link: string | undefined;
  readonly depth: number;
}

const nothing: Around = { styles: [], link: undefined, depth: 0 };

/** The spans of tokens in a line of text. HTML, and whatever else is no Markdown, is text. */
export function inlineSpans(tokens: readonly Token[] | undefined, look: Look, around = nothing): Span[] {
  if (around.depth > DEEPEST) return [span((tokens ?? []).map(({ raw }) => raw).join(""), around)];
  const inner = { ...around, depth: around.depth + 1 };
  return (tokens ?? []).flatMap((token) => spansOf(token as MarkedToken, look, inner));
}

function spansOf(token: MarkedToken, look: Look, around: Around): Span[] {
  const within = (...styles: Style[]) =>
    inlineSpans(token.type === "text" || "tokens" in token ? token.tokens : [], look, styled(around, styles));
  switch (token.type) {
    case "strong":
      return marked("**", within("bold"), look);
    case "em":
      return marked("*", within("italic"), look);
    case "del":
      return marked("~~", within("struck"), look);
    case "codespan":
      return marked("`", [span(token.text, styled(around, ["cyan"]))], look);
    case "link":
      return linked(token.href, within, token.text, { look, around });
    case "image":
      return linked(token.href, () => [span(token.text, around)], token.text, { look, around });
    case "br":
      return [{ text: "\n" }];
    case "checkbox":
      return [span(`[${token.checked ? "x" : " "}] `, around)];
    case "text":
      return token.tokens === undefined ? [span(withEntities(token.text), around)] : within();
    case "escape":
      return [span(token.text, around)];
    default:
      return [span(token.raw, around)];
  }
}

const styled = (around: Around, styles: readonly Style[]): Around => ({
  ...around,
  styles: [...around.styles, ...styles],
});

const span = (text: string, { styles, link }: Around): Span => ({ text: visibleText(text), styles, link });

/** Spans between the marks that they were written with, where nothing else shows their style. */
const marked = (mark: string, spans: Span[], { isStyled }: Look): Span[] =>
  isStyled ? spans : [{ text: mark }, ...spans, { text: mark }];

/** A link as its text; its address stands behind it where nothing leads there. */
function linked(
  href: string,
  inside: (...styles: Style[]) => Span[],
  text: string,
  { look, around }: { readonly look: Look; readonly around: Around },
): Span[] {
  const safe = safeLink(href);
  if (safe === undefined || !look.isStyled) {
    const told = href === text || href === "" ? [] : [span(` (${href})`, around)];
    return [...inside(), ...told];
  }
  const address = addressOf(safe);
  return inside("underline").map((one) => ({ ...one, link: address }));
}

/** An address with nothing that would end the sequence it stands in. */
const addressOf = (href: string) => href.replace(/[^\x21-\x7e]/g, encodeURIComponent);
