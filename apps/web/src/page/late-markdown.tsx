import { visibleText } from "@askwire/client/text";
import type { MarkdownWords } from "@askwire/client/words";
import { ErrorBoundary } from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import type { ReactNode } from "react";
import { later } from "./later.js";

interface Written {
  readonly text: string;
  readonly words: MarkdownWords;
  readonly highlight: Highlight;
}

const asWritten = ({ text }: Written): ReactNode => <pre className="askwire-text">{visibleText(text)}</pre>;

const Markdown = later(
  () => import("./page-markdown.js"),
  // Out of sight at first, so that nobody sees stars that become bold letters.
  (written) => <div className="meanwhile">{asWritten(written)}</div>,
);

/** Loads the reader of Markdown before there is any. */
export const markdownAhead = (): void => void Markdown.ahead();

/** Markdown of an agent; as it was written where its reader is slow, and where the server has that no more. */
export const LateMarkdown = (props: Written): ReactNode => (
  <ErrorBoundary part="" instead={() => asWritten(props)}>
    <Markdown {...props} />
  </ErrorBoundary>
);
