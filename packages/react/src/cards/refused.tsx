import type { CardWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { Foreign } from "./foreign-text.js";

/** The reasons why the last answer was not taken. */
export const RefusedNote = ({
  reasons,
  words,
}: {
  readonly reasons: readonly string[];
  readonly words: Pick<CardWords, "refused">;
}): ReactNode => (
  <p className="askwire-hint" role="status">
    {reasons.length > 0 && <Foreign text={words.refused(reasons)} />}
  </p>
);
