import { visibleText } from "@askwire/client/text";
import type { MarkdownWords } from "@askwire/client/words";
import type { MarkedToken, Token, Tokens } from "marked";
import { createElement, Fragment, type ReactNode } from "react";
import { Coloured, type Highlight } from "../looks/coloured.js";
import { Copied } from "../looks/copied.js";
import { withEntities } from "./entities.js";
import { fileLink } from "./file-link.js";
import { safeLink } from "./safe-link.js";

interface Place {
  readonly words: MarkdownWords;
  /** Finds the colours of code. Undefined where it stays plain. */
  readonly highlight: Highlight | undefined;
  /** Opens a file that a link names. Undefined where such a link is text. */
  readonly onOpenFile: ((path: string) => void) | undefined;
  /** The level of headings. */
  readonly level: number;
  /** The number of elements around. */
  readonly depth: number;
}

/** Elements within each other: what is deeper is shown as it was written. */
const DEEPEST = 32;

/** Tokens as elements. HTML, and whatever else is no Markdown, is text. */
export function elements(tokens: readonly Token[] | undefined, { depth, ...rest }: Place): ReactNode {
  const place = { ...rest, depth: depth + 1 };
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no name, and are read anew with each change
    <Fragment key={index}>
      {depth > DEEPEST ? visibleText(token.raw) : element(token as MarkedToken, place)}
    </Fragment>
  ));
}

function element(token: MarkedToken, place: Place): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return createElement(`h${place.level}`, { dir: "auto" }, elements(token.tokens, place));
    case "html":
      return token.block === true ? <p dir="auto">{visibleText(token.raw)}</p> : visibleText(token.raw);
    case "paragraph":
      return <p dir="auto">{elements(token.tokens, place)}</p>;
    case "blockquote":
      return <blockquote>{elements(token.tokens, place)}</blockquote>;
    case "list":
      return list(token, place);
    case "code":
      return code(token, place);
    case "table":
      return table(token, place);
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{elements(token.tokens, place)}</strong>;
    case "em":
      return <em>{elements(token.tokens, place)}</em>;
    case "del":
      return <del>{elements(token.tokens, place)}</del>;
    case "codespan":
      return <code dir="ltr">{visibleText(token.text)}</code>;
    case "link":
      return link(token.href, elements(token.tokens, place), token.text, place);
    case "image": {
      const name = token.text === "" ? place.words.image : token.text;
      return link(token.href, visibleText(name), name, place);
    }
    case "text":
      return token.tokens === undefined
        ? visibleText(withEntities(token.text))
        : elements(token.tokens, place);
    case "checkbox":
      return `[${token.checked ? "x" : " "}] `;
    case "escape":
      return visibleText(token.text);
    default:
      return visibleText(token.raw);
  }
}

/** A link that opens in a separate place, a button for a file, or the text of what may not be opened, with its address. */
function link(href: string, children: ReactNode, text: string, { onOpenFile }: Place): ReactNode {
  const safe = safeLink(href);
  if (safe === undefined) {
    const file = onOpenFile && fileLink(href);
    if (file !== undefined)
      return (
        <button
          type="button"
          className="askwire-file-link"
          title={visibleText(file)}
          onClick={() => onOpenFile?.(file)}
        >
          {children}
        </button>
      );
    return (
      <>
        {children}
        {href !== text && ` (${visibleText(href)})`}
      </>
    );
  }
  return (
    <a href={safe} title={visibleText(safe)} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  );
}

function list({ ordered, start, items }: Tokens.List, place: Place): ReactNode {
  const rows = items.map(({ tokens }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name
    <li key={index} dir="auto">
      {elements(tokens, place)}
    </li>
  ));
  return ordered ? <ol {...(typeof start === "number" && { start })}>{rows}</ol> : <ul>{rows}</ul>;
}

const code = ({ text, lang = "" }: Tokens.Code, { words, highlight }: Place): ReactNode => (
  <Copied text={text} words={words}>
    <Scrolling name={words.code(visibleText(lang))}>
      <pre dir="ltr">
        <code>
          <Coloured code={visibleText(text)} language={lang} highlight={highlight} />
        </code>
      </pre>
    </Scrolling>
  </Copied>
);

const table = ({ header, rows, align }: Tokens.Table, place: Place): ReactNode => {
  const cells = (row: Tokens.TableCell[], Cell: "th" | "td") =>
    row.map(({ tokens }, index) => (
      <Cell
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name
        key={index}
        dir="auto"
        {...(Cell === "th" && { scope: "col" })}
        {...(align[index] && { className: `askwire-${align[index]}` })}
      >
        {elements(tokens, place)}
      </Cell>
    ));
  return (
    <Scrolling name={place.words.table}>
      <table>
        <thead>
          <tr>{cells(header, "th")}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name
            <tr key={index}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
};

/** A box that scrolls sideways, and can be reached by keys. */
const Scrolling = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
  <div className="askwire-scroll" role="group" aria-label={name} tabIndex={0}>
    {children}
  </div>
);
