import { type FormState, hasReview, hasWork, mayLeaveOut, shownQuestion } from "@askwire/client/form";
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

/** The end of a question: the ways beside an answer, and the foot. */
export function QuestionEnd(props: ButtonsProps): ReactNode {
  const { talk, form, act } = props.answer;
  /** Words that were kept are shown at once. */
  const [isTalking, setTalking] = useState(talk !== "");
  const box = useFocusBack<HTMLTextAreaElement>(isTalking);
  const button = useFocusBack<HTMLButtonElement>(!isTalking);
  return (
    <>
      <Asides {...props}>
        {isTalking && (
          <TalkFirst
            {...{ id: props.id, words: props.words, box, note: talk }}
            onNote={props.answer.note}
            onTalk={props.answer.discuss}
            onBack={() => setTalking(false)}
          />
        )}
      </Asides>
      <Foot {...props}>
        {props.shows?.discuss !== false && !isTalking && (
          <button ref={button} type="button" className="askwire-plain" onClick={() => setTalking(true)}>
            {props.words.discuss}
          </button>
        )}
        {props.shows?.skip !== false && mayLeaveOut(form) && (
          <button type="button" className="askwire-plain" onClick={() => act({ type: "skip" })}>
            {props.words.leaveOut}
          </button>
        )}
      </Foot>
    </>
  );
}

/** The ways beside an answer: to take what was said, and the place to talk first. */
function Asides({
  answer,
  said = "",
  words,
  children,
}: ButtonsProps & { readonly children: ReactNode }): ReactNode {
  const { form, isClosed, act } = answer;
  const mayOffer = !isClosed && shownQuestion(form)?.question.own_text === true;
  const isOffered = mayOffer && said !== "" && said.length <= answerLimits.words;
  return (
    <div className="askwire-asides">
      {isOffered && (
        <button
          type="button"
          onClick={() => act({ type: "set", text: said, caret: said.length }, { type: "send" })}
        >
          <Foreign text={words.answerWithSaid(beginning(said))} />
        </button>
      )}
      {children}
    </div>
  );
}

/** The foot of a question: ways out at its beginning, and at its end to go on to the next part, or to send. */
function Foot({ answer, words, children }: ButtonsProps & { readonly children: ReactNode }): ReactNode {
  const { form, talk, act } = answer;
  return (
    <div className="askwire-buttons">
      <Decline
        words={words}
        hasWork={hasWork(form) || talk.trim() !== ""}
        onDecline={() => act({ type: "decline" })}
      />
      {children}
      <button type="button" className="askwire-main" onClick={() => act({ type: "send" })}>
        {sendWords(form, words)}
      </button>
    </div>
  );
}

/** The words of the main button: a review says how many answers it sends. */
function sendWords(form: FormState, words: CardWords): string {
  if (hasReview(form) && shownQuestion(form)) return words.next;
  const { length } = form.drafts.filter(({ confirmed }) => confirmed && !confirmed.skipped);
  return length > 1 ? words.sendAll(length) : words.send;
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
