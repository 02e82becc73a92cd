import type { ReactNode } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import type { CardWords } from "../words/card-words.js";
import { Foreign } from "./foreign-text.js";

/** Tells who else has begun to answer, so that two people do not answer at once. */
export const OthersAnswer = ({
  answering = [],
  words,
}: {
  readonly answering: OpenRequest["answering"];
  readonly words: CardWords;
}): ReactNode => (
  <p className="askwire-others" role="status">
    {answering.length > 0 && <Foreign text={words.othersAnswer(answering.map(({ name }) => name))} />}
  </p>
);
