import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useState } from "react";
import { Icon } from "../looks/icon.js";
import type { Said } from "./entries.js";

/** A part that is folded, and made once it is opened. */
export function Folded({
  className,
  summary,
  opens = false,
  children,
}: {
  readonly className: string;
  readonly summary: ReactNode;
  /** True while it is open by itself, until the person opens or folds it. Default: false. */
  readonly opens?: boolean;
  children(): ReactNode;
}): ReactNode {
  const [toggled, setToggled] = useState<boolean>();
  const isOpen = toggled ?? opens;
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) setToggled(open);
      }}
    >
      <summary>
        {summary}
        <Icon name="chevron" className="askwire-chevron" />
      </summary>
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
