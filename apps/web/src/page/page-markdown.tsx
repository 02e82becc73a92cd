import type { Highlight } from "@askwire/react/code";
import { Markdown, type MarkdownWords } from "@askwire/react/markdown";
import type { ReactNode } from "react";

/** Markdown of an agent, in a file that is loaded where there is some. */
export default function PageMarkdown({
  text,
  words,
  highlight,
}: {
  readonly text: string;
  readonly words: MarkdownWords;
  readonly highlight: Highlight;
}): ReactNode {
  return <Markdown text={text} words={words} highlight={highlight} />;
}
