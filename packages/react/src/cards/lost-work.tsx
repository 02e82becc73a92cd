import type { ReactNode } from "react";
import type { CardWords } from "../words/card-words.js";

/** Says that the card has not all that the person had entered before: it was damaged, or is of another version. */
export const LostWork = ({ words }: { readonly words: CardWords }): ReactNode => (
  <p className="askwire-hint" role="status">
    {words.workLost}
  </p>
);
