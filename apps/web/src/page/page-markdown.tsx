import type { Language } from "@askwire/client/words";
import type { Highlight } from "@askwire/react/code";
import { Markdown, markdownWords } from "@askwire/react/markdown";
import type { ReactNode } from "react";

/** Markdown of an agent, in a file that is loaded where there is some. */
export default function PageMarkdown({
  text,
  language,
  highlight,
}: {
  readonly text: string;
  readonly language: Language;
  readonly highlight: Highlight;
}): ReactNode {
  return <Markdown text={text} words={markdownWords[language]} highlight={highlight} />;
}
