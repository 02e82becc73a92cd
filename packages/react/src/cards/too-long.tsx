import type { CardWords } from "@askwire/client/words";
import type { ReactNode } from "react";

/** Says by how much a text is longer than what is taken. The text itself stays whole, and is not sent. */
export const TooLong = ({
  id,
  text,
  most,
  words,
}: {
  readonly id: string;
  readonly text: string;
  readonly most: number;
  readonly words: CardWords;
}): ReactNode => (
  <span id={id} className="askwire-hint" role="status">
    {text.length > most && words.tooLong(text.length - most)}
  </span>
);
