import type { Language } from "@askwire/client/words";
import { Markdown, markdownWords } from "@askwire/react/markdown";
import type { ReactNode } from "react";

/** Markdown of an agent, in a file that is loaded where there is some. */
export default function PageMarkdown({
  text,
  language,
}: {
  readonly text: string;
  readonly language: Language;
}): ReactNode {
  return <Markdown text={text} words={markdownWords[language]} />;
}
