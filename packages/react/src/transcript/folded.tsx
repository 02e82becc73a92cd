import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useState } from "react";
import type { Said } from "./entries.js";

/** A part that is folded, and made once it is opened. */
export function Folded({
  className,
  summary,
  children,
}: {
  readonly className: string;
  readonly summary: ReactNode;
  children(): ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={className} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}

/** Words on one line: parts without text by their names. */
export const foldedText = (said: Said, words: TalkWords): string =>
  said.map((part) => (typeof part === "string" ? part : words.part(part.part))).join(" ");

/** Words with their lines. */
export const Lines = ({ text }: { readonly text: string }): ReactNode => (
  <p className="askwire-text" dir="auto">
    {visibleText(text)}
  </p>
);
