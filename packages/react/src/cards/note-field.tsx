import type { CardWords } from "@askwire/client/words";
import { type ReactNode, useState } from "react";
import { Icon } from "../looks/icon.js";
import { beginning } from "./beginning.js";
import { Foreign } from "./foreign-text.js";

/** The note on an answer, folded until there is one. Folded by the person, it still says what is sent. */
export const NoteField = ({
  id,
  note,
  words,
  onChange,
}: {
  readonly id: string;
  readonly note: string;
  readonly words: CardWords;
  onChange(note: string): void;
}): ReactNode => {
  // Emptied, it stays open: the person is in it.
  const [isOpen, setOpen] = useState(note !== "");
  return (
    <details
      className="askwire-beside"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Icon name="note" />
        {isOpen || note.trim() === "" ? words.addNote : <Foreign text={words.foldedNote(beginning(note))} />}
      </summary>
      <textarea
        id={id}
        aria-label={words.note}
        dir="auto"
        rows={2}
        value={note}
        onChange={({ target }) => onChange(target.value)}
      />
    </details>
  );
};
