import { Markdown, markdownWords } from "@askwire/react/markdown";
import type { ReactNode } from "react";
import type { PageLanguage } from "../kept/settings.js";

/** Markdown of an agent, in a file that is loaded where there is some. */
export default function PageMarkdown({
  text,
  language,
}: {
  readonly text: string;
  readonly language: PageLanguage;
}): ReactNode {
  return <Markdown text={text} words={markdownWords[language]} />;
}
