import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, useEffect, useRef } from "react";
import { Foreign } from "../cards/foreign-text.js";
import type { Completion } from "./use-completion.js";

/** The commands that a text may become, with their number for a screen reader. */
export function CommandList({
  id,
  found,
  active,
  take,
  words,
}: Pick<Completion, "found" | "active" | "take"> & {
  readonly id: string;
  readonly words: TalkWords;
}): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      {found.length > 0 && (
        <div ref={list} className="askwire-commands" id={id} role="listbox" aria-label={words.commands}>
          {found.map(({ name, description }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus, and names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: Tab in the text takes the active option
            <div
              key={name}
              id={`${id}${index}`}
              role="option"
              aria-selected={index === active}
              // The text keeps the focus, and a finger that scrolls takes nothing.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(name)}
            >
              <Foreign text={`/${name}`} />{" "}
              <small>
                <Foreign text={words.told(description)} />
              </small>
            </div>
          ))}
        </div>
      )}
      <p className="askwire-unseen" role="status">
        {found.length > 0 && words.commandsFound(found.length)}
      </p>
    </>
  );
}
