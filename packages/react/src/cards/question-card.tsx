"use client";

import { hasReview, shownQuestion } from "@askwire/client/form";
import type { CardWords } from "@askwire/client/words";
import { card as english } from "@askwire/client/words/en";
import { type ReactNode, useId, useRef } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useKeptWork } from "../failures/use-kept-work.js";
import { Icon } from "../looks/icon.js";
import { Card } from "./card.js";
import type { Named, Outlived, QuestionCardProps } from "./card-props.js";
import { DeliveryNote } from "./delivery-note.js";
import { asWritten, Foreign } from "./foreign-text.js";
import { HeadNotes } from "./head-notes.js";
import { HintLine } from "./hint-line.js";
import { hintText } from "./hint-text.js";
import { answerAsText } from "./own-words.js";
import { QuestionEnd } from "./question-buttons.js";
import { onQuestionKey } from "./question-keys.js";
import { QuestionPage } from "./question-page.js";
import { ReviewPage } from "./review-page.js";
import { Tabs } from "./tabs.js";
import { TimeLeft } from "./time-left.js";
import { type CardAnswer, useAnswer } from "./use-answer.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { WhoAsks } from "./who-asks.js";

/**
 * Renders the questions of a request as a region of the page. A click chooses and a button sends. The card takes no
 * focus by itself; a page that wants to leads it to the card's heading. A card that fails says so, and is drawn anew with
 * the person's work. One whose request comes to ask something else begins anew, without it.
 */
export function QuestionCard(props: QuestionCardProps): ReactNode {
  const name = useRequestName(props.request);
  return <OneQuestion key={name} {...props} name={name} />;
}

function OneQuestion(props: QuestionCardProps & Named): ReactNode {
  const { failure } = props.words ?? english;
  const kept = useKeptWork(props);
  return (
    <ErrorBoundary part={failure.parts.question} words={failure}>
      <Questions {...props} {...kept} />
    </ErrorBoundary>
  );
}

function Questions(props: QuestionCardProps & Named & Outlived): ReactNode {
  const { request, settled, deadline, deadlineSince, words = english } = props;
  const id = useId();
  const answer = useAnswer(props);
  const { form, talk, isWhole, isClosed, act } = answer;
  const box = useRef<HTMLElement>(null);
  const presses = usePressGuard(box, form.tab);
  const hint = hintText(form, words);
  const several = hasReview(form);
  const heading = several ? words.question : (request.questions[0]?.header ?? "");
  return (
    <Card
      {...{ box, presses, id }}
      hint={presses.isTold ? words.pressedEarly : ""}
      requestName={props.name}
      className="askwire-question-card"
      heading={
        <>
          <Icon name="question" />
          {heading === "" ? words.question : <Foreign text={heading} />}
        </>
      }
      onBegin={answer.begin}
      onKeyDown={(event) => onQuestionKey(event, act)}
    >
      <WhoAsks {...props} words={words} />
      {deadline !== undefined && settled === undefined && (
        <TimeLeft since={deadlineSince} {...{ deadline, words }} hasBegun={answer.hasBegun} />
      )}
      <HeadNotes {...props} {...{ isWhole, words }} />
      {several && <Tabs {...{ form, id, words }} onShow={answer.show} />}
      <fieldset className="askwire-page" disabled={isClosed} aria-disabled={presses.isEarly || undefined}>
        <legend className="askwire-unseen">{words.question}</legend>
        <Shown {...props} {...{ id, answer, words }}>
          <HintLine id={`${id}hint`} text={hint} />
        </Shown>
        <QuestionEnd {...props} {...{ id, answer, words }} />
      </fieldset>
      <DeliveryNote
        {...props}
        words={words}
        own={
          settled === undefined ? "" : answerAsText(request.questions, props.reply, { form, discuss: talk })
        }
      />
    </Card>
  );
}

/** The question that is shown, or the answers to be sent. */
function Shown({
  id,
  answer,
  shows: { notes = true, attachments = true } = {},
  renderMarkdown = asWritten,
  highlight,
  words,
  children,
}: QuestionCardProps & {
  readonly id: string;
  readonly answer: CardAnswer;
  readonly words: CardWords;
  readonly children: ReactNode;
}): ReactNode {
  const { form, issues, panel, reading, act, show, look } = answer;
  const shown = shownQuestion(form);
  return (
    <div
      ref={panel}
      tabIndex={-1}
      className="askwire-panel"
      {...(hasReview(form) && { role: "tabpanel", id: `${id}p`, "aria-labelledby": `${id}t${form.tab}` })}
    >
      {shown === undefined ? (
        <>
          <ReviewPage form={form} words={words} onShow={show} />
          {children}
        </>
      ) : (
        <QuestionPage
          key={shown.question.id}
          {...{ id: `${id}${form.tab}`, form, words, notes, act, look, reading }}
          renderMarkdown={(markdown) => renderMarkdown(markdown, highlight)}
          pictures={attachments}
          isRefused={issues.some(({ question_id }) => question_id === shown.question.id)}
          hintId={`${id}hint`}
        >
          {children}
        </QuestionPage>
      )}
    </div>
  );
}
