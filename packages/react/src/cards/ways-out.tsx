import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import { isComposing } from "./composing.js";
import { Sure } from "./sure.js";
import { TooLong } from "./too-long.js";
import { useFocusBack } from "./use-focus-back.js";

/** The buttons that answer nothing: decline, with a second step where work would be lost, and talk first. */
export function WaysOut({
  id,
  words,
  discuss,
  hasWork,
  onDecline,
  note,
  onNote,
  onDiscuss,
}: {
  readonly id: string;
  readonly words: CardWords;
  readonly discuss: boolean;
  readonly hasWork: boolean;
  onDecline(): void;
  /** The words to talk about first. Words that were kept are shown at once. */
  readonly note: string;
  onNote(note: string): void;
  onDiscuss(note: string): void;
}): ReactNode {
  const [asks, setAsks] = useState<"decline" | "discuss" | undefined>(
    discuss && note !== "" ? "discuss" : undefined,
  );
  const box = useFocusBack<HTMLTextAreaElement>(asks === "discuss");
  const talk = useFocusBack<HTMLButtonElement>(asks !== "discuss");
  const decline = useFocusBack<HTMLButtonElement>(asks !== "decline");
  if (asks === "decline") {
    return (
      <Sure
        question={words.declineAll}
        yes={words.decline}
        no={words.keep}
        onYes={onDecline}
        onNo={() => setAsks(undefined)}
      />
    );
  }
  if (asks === "discuss") {
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
            onDiscuss(note.trim());
          }}
        />
        <TooLong id={`${id}talkhint`} text={note} most={answerLimits.words} words={words} />
        <button type="button" onClick={() => onDiscuss(note.trim())}>
          {words.discuss}
        </button>
        <button type="button" onClick={() => setAsks(undefined)}>
          {words.back}
        </button>
      </span>
    );
  }
  return (
    <>
      {discuss && (
        <button ref={talk} type="button" onClick={() => setAsks("discuss")}>
          {words.discuss}
        </button>
      )}
      <button ref={decline} type="button" onClick={() => (hasWork ? setAsks("decline") : onDecline())}>
        {words.decline}
      </button>
    </>
  );
}
