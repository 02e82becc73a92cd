import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import { isComposing } from "./composing.js";
import { TooLong } from "./too-long.js";
import { useFocusBack } from "./use-focus-back.js";

/** The button to talk about a question first, which opens a place for the words. */
export function TalkFirst({
  id,
  words,
  note,
  onNote,
  onTalk,
}: {
  readonly id: string;
  readonly words: CardWords;
  /** The words to talk about first. Words that were kept are shown at once. */
  readonly note: string;
  onNote(note: string): void;
  onTalk(note: string): void;
}): ReactNode {
  const [isOpen, setOpen] = useState(note !== "");
  const box = useFocusBack<HTMLTextAreaElement>(isOpen);
  const button = useFocusBack<HTMLButtonElement>(!isOpen);
  if (!isOpen) {
    return (
      <button ref={button} type="button" onClick={() => setOpen(true)}>
        {words.discuss}
      </button>
    );
  }
  return (
    <span className="askwire-discuss">
      <label htmlFor={`${id}talk`}>{words.discussLabel}</label>
      <textarea
        ref={box}
        id={`${id}talk`}
        dir="auto"
        rows={2}
        aria-describedby={`${id}talkhint`}
        value={note}
        onChange={({ target }) => onNote(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
          // These words, and nothing else on the card.
          event.preventDefault();
          event.stopPropagation();
          onTalk(note.trim());
        }}
      />
      <TooLong id={`${id}talkhint`} text={note} most={answerLimits.words} words={words} />
      <button type="button" onClick={() => onTalk(note.trim())}>
        {words.discuss}
      </button>{" "}
      <button type="button" onClick={() => setOpen(false)}>
        {words.back}
      </button>
    </span>
  );
}
