import { exactText, visibleText } from "@askwire/client/text";
import type { ReactNode } from "react";

/** Text of an agent that a person decides about, in its own direction, with nothing out of sight. Never markup. */
export const Foreign = ({ text }: { readonly text: string }): ReactNode => (
  <bdi dir="auto">{exactText(text)}</bdi>
);

/** Shows Markdown of an agent. */
export type RenderMarkdown = (markdown: string) => ReactNode;

/** Markdown as it was written, with its lines. */
export const asWritten: RenderMarkdown = (markdown) => (
  <pre className="askwire-text">
    <bdi dir="auto">{visibleText(markdown)}</bdi>
  </pre>
);
