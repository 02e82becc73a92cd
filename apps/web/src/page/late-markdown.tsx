import { visibleText } from "@askwire/client/text";
import { lazy, type ReactNode, Suspense } from "react";
import type { Language } from "../kept/settings.js";

const Markdown = lazy(() => import("./page-markdown.js"));

/** Markdown of an agent, as it was written until what reads it is loaded. */
export const LateMarkdown = ({
  text,
  language,
}: {
  readonly text: string;
  readonly language: Language;
}): ReactNode => (
  <Suspense fallback={<pre className="askwire-text">{visibleText(text)}</pre>}>
    <Markdown text={text} language={language} />
  </Suspense>
);
