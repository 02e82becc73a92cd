import type { ApprovalView } from "@askwire/client";
import { typedText, withLineFeeds } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from "react";
import { differingLines } from "./different-lines.js";
import { Foreign } from "./foreign-text.js";
import { TooLong } from "./too-long.js";
import type { Approving } from "./use-approval.js";

/** The text that is to be allowed as the person changes it, with its distance from the agent's. It shows all its lines. */
export function EditedText({
  id,
  box,
  edit: { content, max_length, path = "" },
  approval: { work, isClosed, keep },
  words,
}: {
  readonly id: string;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly edit: NonNullable<ApprovalView["edit"]>;
  readonly approval: Approving;
  readonly words: CardWords;
}): ReactNode {
  const text = work.edit?.text ?? content;
  const count = useMemo(() => differingLines(content, text), [content, text]);
  /** The changes that the person took back, to have them again. */
  const [dropped, setDropped] = useState<string>();
  const change = (to: string) => keep({ edit: { of: content, text: to } });
  // A text area drops carriage returns.
  const shown = withLineFeeds(text);
  useWholeHeight(box, shown);
  const isChanged = text !== content;

  function undo(): void {
    setDropped(text);
    change(content);
  }

  return (
    <fieldset className="askwire-editor" disabled={isClosed}>
      <div>
        <label htmlFor={`${id}e`} className="askwire-label">
          <Foreign text={words.editLabel(path)} />
        </label>
        <small id={`${id}ed`} className="askwire-pill" hidden={!isChanged}>
          {words.differing(count)}
        </small>
        {(isChanged || dropped !== undefined) && (
          <button
            type="button"
            className="askwire-plain"
            onClick={() => (isChanged ? undo() : change(dropped ?? content))}
          >
            {isChanged ? words.undoEdit : words.redoEdit}
          </button>
        )}
      </div>
      <textarea
        ref={box}
        id={`${id}e`}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        rows={shown.split("\n").length}
        aria-describedby={`${id}ed ${id}el`}
        value={shown}
        onChange={({ target }) => change(typedText(text, target.value, target.selectionEnd))}
      />
      <TooLong id={`${id}el`} text={text} most={max_length} words={words} />
    </fieldset>
  );
}

/** Gives a text area the height of its text, of which long lines take several rows: nothing of it is out of sight. */
function useWholeHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is that of this text
  useEffect(() => {
    const area = box.current;
    if (area === null) return;
    area.style.blockSize = "";
    const border = area.offsetHeight - area.clientHeight;
    if (area.scrollHeight > area.clientHeight) area.style.blockSize = `${area.scrollHeight + border}px`;
  }, [box, text]);
}
