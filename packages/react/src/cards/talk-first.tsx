import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import type { ReactNode, RefObject } from "react";
import { isComposing } from "./composing.js";
import { TooLong } from "./too-long.js";

/** The place for the words to talk about first. The focus goes there once a person opens it. */
export function TalkFirst({
  id,
  words,
  note,
  box,
  onNote,
  onTalk,
  onBack,
}: {
  readonly id: string;
  readonly words: CardWords;
  readonly note: string;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  onNote(note: string): void;
  onTalk(note: string): void;
  onBack(): void;
}): ReactNode {
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
      <button type="button" onClick={onBack}>
        {words.back}
      </button>
    </span>
  );
}
