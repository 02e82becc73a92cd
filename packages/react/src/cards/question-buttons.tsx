import { hasReview, hasWork, mayLeaveOut, shownQuestion } from "@askwire/client/form";
import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import { beginning } from "./beginning.js";
import type { QuestionCardProps } from "./card-props.js";
import { Foreign } from "./foreign-text.js";
import { Sure } from "./sure.js";
import { TalkFirst } from "./talk-first.js";
import type { CardAnswer } from "./use-answer.js";
import { useFocusBack } from "./use-focus-back.js";

interface ButtonsProps extends Pick<QuestionCardProps, "said" | "shows"> {
  readonly id: string;
  readonly answer: CardAnswer;
  readonly words: CardWords;
}

/** The ways beside an answer: to leave the question out, to take what was said, and to talk first. */
export function QuestionAsides({
  id,
  answer,
  said = "",
  shows: { skip = true, discuss = true } = {},
  words,
}: ButtonsProps): ReactNode {
  const { form, talk, isClosed, act } = answer;
  const shown = shownQuestion(form);
  const mayOffer = !isClosed && shown?.question.own_text === true;
  const isOffered = mayOffer && said !== "" && said.length <= answerLimits.words;
  return (
    <div className="askwire-asides">
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
      {discuss && <TalkFirst {...{ id, words }} note={talk} onNote={answer.note} onTalk={answer.discuss} />}
    </div>
  );
}

/** The foot of a question: to decline at its beginning, and at its end to go on to the next part, or to send. */
export function QuestionButtons({ answer, words }: ButtonsProps): ReactNode {
  const { form, talk, act } = answer;
  return (
    <div className="askwire-buttons">
      <Decline
        words={words}
        hasWork={hasWork(form) || talk.trim() !== ""}
        onDecline={() => act({ type: "decline" })}
      />
      <button type="button" className="askwire-main" onClick={() => act({ type: "send" })}>
        {hasReview(form) && shownQuestion(form) !== undefined ? words.next : words.send}
      </button>
    </div>
  );
}

/** Declines, with a second step where work would be lost. */
function Decline({
  words,
  hasWork,
  onDecline,
}: {
  readonly words: CardWords;
  readonly hasWork: boolean;
  onDecline(): void;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const button = useFocusBack<HTMLButtonElement>(!isAsking);
  if (isAsking) {
    return (
      <Sure
        question={words.declineAll}
        yes={words.decline}
        no={words.keep}
        onYes={onDecline}
        onNo={() => setAsking(false)}
      />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      className="askwire-plain"
      onClick={() => (hasWork ? setAsking(true) : onDecline())}
    >
      {words.decline}
    </button>
  );
}
