import { type CardWords, whoActs } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import { Foreign } from "./foreign-text.js";

/** Shows who else has begun to answer, so that two people do not answer at once, and that kept work was lost. */
export const HeadNotes = ({
  settled,
  answering = [],
  isWhole,
  words,
}: {
  readonly settled?: OpenRequest["settled"];
  readonly answering?: OpenRequest["answering"];
  /** False where parts of the work that was kept were left out. */
  readonly isWhole: boolean;
  readonly words: CardWords;
}): ReactNode => (
  <>
    {settled === undefined && (
      <p className="askwire-others" role="status">
        {answering.length > 0 && (
          <Foreign text={words.othersAnswer(answering.map((one) => whoActs(one, words.somebodyIn)))} />
        )}
      </p>
    )}
    {!isWhole && (
      <p className="askwire-hint" role="status">
        {words.workLost}
      </p>
    )}
  </>
);
