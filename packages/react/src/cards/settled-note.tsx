import type { ReactNode } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import type { CardWords } from "../words/card-words.js";
import { Foreign } from "./foreign-text.js";

/** Tells that a request was settled elsewhere, with a button to take its card away. */
export const SettledNote = ({
  settled: { message, outcome },
  words,
  onDismiss,
}: {
  readonly settled: NonNullable<OpenRequest["settled"]>;
  readonly words: CardWords;
  readonly onDismiss: (() => void) | undefined;
}): ReactNode => (
  <div className="askwire-settled">
    <p role="status">
      <Foreign text={words.settled(message, outcome)} />
    </p>
    {onDismiss && (
      <button type="button" onClick={onDismiss}>
        {words.dismiss}
      </button>
    )}
  </div>
);
