import { hasReview, hasWork, mayLeaveOut, shownQuestion } from "@askwire/client/form";
import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import type { ReactNode } from "react";
import { beginning } from "./beginning.js";
import type { QuestionCardProps } from "./card-props.js";
import { Foreign } from "./foreign-text.js";
import type { CardAnswer } from "./use-answer.js";
import { WaysOut } from "./ways-out.js";

/** The buttons of a question: on to the next part or to send, to leave it out, to take what was said, and the ways out. */
export function QuestionButtons({
  id,
  answer,
  said = "",
  shows: { skip = true, discuss = true } = {},
  words,
}: Pick<QuestionCardProps, "said" | "shows"> & {
  readonly id: string;
  readonly answer: CardAnswer;
  readonly words: CardWords;
}): ReactNode {
  const { form, talk, isClosed, act } = answer;
  const shown = shownQuestion(form);
  const mayOffer = !isClosed && shown?.question.own_text === true;
  const isOffered = mayOffer && said !== "" && said.length <= answerLimits.words;
  return (
    <div className="askwire-buttons">
      <button type="button" className="askwire-main" onClick={() => act({ type: "send" })}>
        {hasReview(form) && shown !== undefined ? words.next : words.send}
      </button>
      {skip && shown !== undefined && mayLeaveOut(form) && (
        <button type="button" onClick={() => act({ type: "skip" })}>
          {words.leaveOut}
        </button>
      )}
      {isOffered && (
        <button
          type="button"
          onClick={() => act({ type: "set", text: said, caret: said.length }, { type: "send" })}
        >
          <Foreign text={words.answerWithSaid(beginning(said))} />
        </button>
      )}
      <WaysOut
        {...{ id, words, discuss }}
        hasWork={hasWork(form) || talk.trim() !== ""}
        onDecline={() => act({ type: "decline" })}
        note={talk}
        onNote={answer.note}
        onDiscuss={answer.discuss}
      />
    </div>
  );
}
