import type { CardWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { HintLine } from "./hint-line.js";

/** The reasons why the last answer was not taken. */
export const RefusedNote = ({
  reasons,
  words,
}: {
  readonly reasons: readonly string[];
  readonly words: Pick<CardWords, "refused">;
}): ReactNode => <HintLine text={reasons.length > 0 ? words.refused(reasons) : undefined} />;
