import { visibleText } from "@askwire/client/text";
import type { ReactNode } from "react";

/** Text of an agent, in its own direction, with unseen characters made visible. Never markup. */
export const Foreign = ({ text }: { readonly text: string }): ReactNode => (
  <bdi dir="auto">{visibleText(text)}</bdi>
);

/** Shows Markdown of an agent. */
export type RenderMarkdown = (markdown: string) => ReactNode;

/** Markdown as it was written, with its lines. */
export const asWritten: RenderMarkdown = (markdown) => (
  <pre className="askwire-text">
    <Foreign text={markdown} />
  </pre>
);
