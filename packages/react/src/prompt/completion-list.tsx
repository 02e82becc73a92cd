import { type ReactNode, useEffect, useRef } from "react";
import { Foreign } from "../cards/foreign-text.js";
import type { Completion } from "./use-choice.js";

/** The words that a text may be completed with, with their number for a screen reader. */
export function CompletionList({
  id,
  found,
  active,
  label,
  counted,
  take,
}: Omit<Completion, "onKey"> & { readonly id: string }): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <>
      {found.length > 0 && (
        <div ref={list} className="askwire-commands" id={id} role="listbox" aria-label={label}>
          {found.map(({ name, shown, about }, index) => (
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
              <Foreign text={shown} />{" "}
              {about !== "" && (
                <small>
                  <Foreign text={about} />
                </small>
              )}
            </div>
          ))}
        </div>
      )}
      <p className="askwire-unseen" role="status">
        {found.length > 0 && counted(found.length)}
      </p>
    </>
  );
}
