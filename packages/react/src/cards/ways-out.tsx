import { type ReactNode, useState } from "react";
import type { CardWords } from "../words/card-words.js";
import { Sure } from "./sure.js";

/** The buttons that answer nothing: decline, with a second step where work would be lost, and talk first. */
export function WaysOut({
  id,
  words,
  discuss,
  hasWork,
  onDecline,
  onDiscuss,
}: {
  readonly id: string;
  readonly words: CardWords;
  readonly discuss: boolean;
  readonly hasWork: boolean;
  onDecline(): void;
  onDiscuss(note: string): void;
}): ReactNode {
  const [asks, setAsks] = useState<"decline" | "discuss">();
  const [note, setNote] = useState("");
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
          id={`${id}talk`}
          dir="auto"
          rows={2}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
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
        <button type="button" onClick={() => setAsks("discuss")}>
          {words.discuss}
        </button>
      )}
      <button type="button" onClick={() => (hasWork ? setAsks("decline") : onDecline())}>
        {words.decline}
      </button>
    </>
  );
}
