import { exactText, visibleText } from "@askwire/client/text";
import type { ReactNode } from "react";
import type { Highlight } from "../looks/coloured.js";

/** Text of an agent that a person decides about, in its own direction, with nothing out of sight. Never markup. */
export const Foreign = ({ text }: { readonly text: string }): ReactNode => (
  <bdi dir="auto">{exactText(text)}</bdi>
);

/**
 * Shows Markdown of an agent.
 *
 * @param highlight finds the colours of its code, where the component that shows it was given one. Default: it is plain.
 */
export type RenderMarkdown = (markdown: string, highlight?: Highlight) => ReactNode;

/** Markdown as it was written, with its lines. */
export const asWritten: RenderMarkdown = (markdown) => (
  <pre className="askwire-text">
    <bdi dir="auto">{visibleText(markdown)}</bdi>
  </pre>
);
