import type { QuestionReply, QuestionView, RequestContext } from "@askwire/client";
import {
  type FormAction,
  type FormState,
  hasReview,
  hasWork,
  mayLeaveOut,
  reduceForm,
  shownQuestion,
} from "@askwire/client/form";
import { answerLimits, type HeardDeadline } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { messageOf } from "../failures/failure-note.js";
import { useKeptWork } from "../failures/use-kept-work.js";
import { type AnswerDraft, isOnItsWay, type OpenRequest } from "../hooks/open-requests.js";
import { type CardWords, cardWords } from "../words/card-words.js";
import { beginning } from "./beginning.js";
import { Card, useBegin } from "./card.js";
import { isComposing, takesText } from "./composing.js";
import { DeliveryNote } from "./delivery-note.js";
import { asWritten, Foreign, type RenderMarkdown } from "./foreign-text.js";
import { hintText } from "./hint-text.js";
import { keptAnswer } from "./kept-form.js";
import { OthersAnswer } from "./others-answer.js";
import { answerAsText } from "./own-words.js";
import { QuestionPage } from "./question-page.js";
import { ReviewPage } from "./review-page.js";
import { Tabs } from "./tabs.js";
import { TimeLeft } from "./time-left.js";
import { usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { WaysOut } from "./ways-out.js";

/** The props of a {@link QuestionCard}. */
export interface QuestionCardProps {
  readonly request: QuestionView;
  /** Called once with the answer or refusal. */
  onReply(reply: QuestionReply): void;
  /** Called when the person begins, by a key or a pointer. */
  onBegin?(): void;
  /** The server's reasons for refusing the last answer (P-XAN-4). Default: none. */
  readonly issues?: RequestContext["issues"];
  /** The work on the same questions that was kept by `onDraft`. Default: nothing is chosen. */
  readonly draft?: AnswerDraft;
  /** Called with each change, as plain JSON to keep. */
  onDraft?(draft: AnswerDraft): void;
  /** The deadline that holds now, null once it was removed. Default: no time is shown. */
  readonly deadline?: HeardDeadline | null;
  /** The calls of the asking program that wait for the answer. Default: 1. */
  readonly calls?: number;
  /** The other clients whose people have begun to answer. Default: none. */
  readonly answering?: OpenRequest["answering"];
  /** The time at which the deadline came, on the clock of `performance.now()`. Default: when the card is first shown. */
  readonly deadlineSince?: number;
  /** The end of the question elsewhere: the card can then only be read. */
  readonly settled?: OpenRequest["settled"];
  /** How far the reply has come. Default: nothing is told of it. */
  readonly delivery?: OpenRequest["delivery"];
  /** The reply that was given elsewhere than in this card, such as in a pick of an editor. Default: the card's own. */
  readonly reply?: QuestionReply;
  onDismiss?(): void;
  /** Words that the person said to the agent meanwhile: the card offers to answer with them. Default: none. */
  readonly said?: string | undefined;
  /** Features that the connection negotiated beside choices. Default: all. */
  readonly shows?: {
    readonly notes?: boolean;
    readonly attachments?: boolean;
    readonly skip?: boolean;
    readonly discuss?: boolean;
  };
  /** Shows Markdown in bodies and previews. Default: as it was written. */
  readonly renderMarkdown?: RenderMarkdown;
  /** Default: English. */
  readonly words?: CardWords;
}

/**
 * Renders the questions of a request as a region of the page. A click chooses and a button sends. The card takes no
 * focus by itself; a page that wants to leads it to the card's heading. A card that fails says so, and is drawn anew with
 * the person's work. One whose request comes to ask something else begins anew, without it.
 */
export function QuestionCard(props: QuestionCardProps): ReactNode {
  const name = useRequestName(props.request);
  return <OneQuestion key={name} {...props} name={name} />;
}

/** The name of the request, which its parts are given. */
type Named = { readonly name: string };

function OneQuestion(props: QuestionCardProps & Named): ReactNode {
  const { failure } = props.words ?? cardWords.en;
  const kept = useKeptWork(props);
  return (
    <ErrorBoundary part={failure.parts.question} words={failure}>
      <Questions {...props} {...kept} />
    </ErrorBoundary>
  );
}

function Questions(props: QuestionCardProps & Named & { readonly isAnswered: boolean }): ReactNode {
  const { request, words = cardWords.en, settled, issues = none, renderMarkdown = asWritten } = props;
  const { delivery = draft, calls = 1 } = props;
  const { notes = true, attachments = true, skip = true, discuss = true } = props.shows ?? {};
  const id = useId();
  const [kept] = useState(() => keptAnswer(props.draft, request.questions));
  const [{ form, discuss: talk = "" }, setDraft] = useState(() => firstDraft(kept.work, issues));
  const [heard, setHeard] = useState(issues);
  // A reply that the form does not have as its result: to talk first, or one that was given before the card was drawn anew.
  const [isReplied, setReplied] = useState(props.isAnswered);
  const { begin, hasBegun } = useBegin(props.onBegin, props.deadline);
  const box = useRef<HTMLElement>(null);
  const presses = usePressGuard(box, form.tab);
  const panel = useRef<HTMLDivElement>(null);
  const goesOn = useRef(false);
  const reading = useRef(false);

  // Whoever goes on from a part that is left now is led to the next one; whoever goes through the tabs stays there.
  useEffect(() => {
    const isAtTabs = document.activeElement?.getAttribute("role") === "tab";
    if (goesOn.current && !isAtTabs) panel.current?.focus();
    goesOn.current = false;
  });

  if (issues !== heard) {
    setHeard(issues);
    // Reasons that go away, as where another answer is on its way, open nothing.
    if (issues.length > 0) {
      setReplied(false);
      setDraft({ form: reduceForm(form, { type: "refused", issues }), discuss: talk });
    }
  }

  const isClosed = settled !== undefined || isOnItsWay(delivery) || form.result !== undefined || isReplied;

  /** Shows another part. A card that takes no answer any more can still be read whole. */
  function show(tab: number): void {
    if (isClosed) setDraft({ form: { ...form, tab }, discuss: talk });
    else act({ type: "show", tab });
  }

  /** Gives a reply. Where the page fails to take it, the question stays open. */
  function reply(given: QuestionReply, of: FormState): void {
    try {
      props.onReply(given);
    } catch (error) {
      reportError(error);
      setReplied(false);
      const issues = [{ question_id: null, message: messageOf(error) }];
      keep({ form: reduceForm(of, { type: "refused", issues }), discuss: talk });
    }
  }

  function discussFirst(note: string): void {
    if (isClosed || note.length > answerLimits.words) return;
    setReplied(true);
    reply(note === "" ? { declined: "discuss" } : { declined: "discuss", note }, form);
  }

  function keep(draft: AnswerDraft): void {
    setDraft(draft);
    props.onDraft?.(draft);
  }

  function act(...actions: FormAction[]): void {
    // A picture that is still being read belongs to the answer: the card says so, and stays as it is.
    if (isClosed || (reading.current && actions.some(({ type }) => type === "send" || type === "show")))
      return;
    begin();
    const next = actions.reduce(reduceForm, form);
    goesOn.current = next.tab !== form.tab;
    keep({ form: next, discuss: talk });
    if (next.result !== undefined) reply(next.result, next);
  }

  /** Shows the preview of an option under the pointer. That is no act: the card may have come to where the pointer is. */
  function look(row: number): void {
    if (!isClosed) setDraft({ form: reduceForm(form, { type: "focus", row }), discuss: talk });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || event.altKey) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      act({ type: "send" });
    } else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.repeat) {
      // Digits count the options in sight, without those that a search hides.
      const rows = event.currentTarget.querySelectorAll<HTMLElement>(":not([hidden]) > [data-askwire-row]");
      const chosen = rows[Number(event.key) - 1];
      if (takesText(event.target) || chosen === undefined) return;
      event.preventDefault();
      chosen.focus();
      act({ type: "select", row: Number(chosen.dataset.askwireRow) });
    }
  }

  const shown = shownQuestion(form);
  const several = hasReview(form);
  const hint = hintText(form, words);
  const { said = "" } = props;
  const mayOffer = !isClosed && shown?.question.own_text === true;
  const offered = mayOffer && said !== "" && said.length <= answerLimits.words ? said : undefined;
  const heading = several ? words.question : (request.questions[0]?.header ?? "");
  return (
    <Card
      {...{ box, presses }}
      hint={presses.isTold ? words.pressedEarly : ""}
      id={id}
      requestName={props.name}
      heading={heading === "" ? words.question : <Foreign text={heading} />}
      onBegin={begin}
      onKeyDown={onKeyDown}
    >
      {request.program !== undefined && (
        <p className="askwire-asker">
          <Foreign text={words.programAsks(request.program.name)} />
        </p>
      )}
      {calls > 1 && settled === undefined && (
        <p className="askwire-others" role="status">
          {words.callsWait(calls)}
        </p>
      )}
      {props.deadline !== undefined && settled === undefined && (
        <TimeLeft deadline={props.deadline} since={props.deadlineSince} {...{ hasBegun, words }} />
      )}
      {settled === undefined && <OthersAnswer answering={props.answering} words={words} />}
      {!kept.isWhole && (
        <p className="askwire-hint" role="status">
          {words.workLost}
        </p>
      )}
      {several && <Tabs form={form} id={id} words={words} onShow={show} />}
      <fieldset className="askwire-page" disabled={isClosed} aria-disabled={presses.isEarly || undefined}>
        <legend className="askwire-unseen">{words.question}</legend>
        <div
          ref={panel}
          tabIndex={-1}
          className="askwire-panel"
          {...(several && { role: "tabpanel", id: `${id}p`, "aria-labelledby": `${id}t${form.tab}` })}
        >
          {shown === undefined ? (
            <ReviewPage form={form} words={words} onShow={show} />
          ) : (
            <QuestionPage
              key={shown.question.id}
              {...{ id: `${id}${form.tab}`, form, words, notes, renderMarkdown, act, look }}
              pictures={attachments}
              isRefused={issues.some(({ question_id }) => question_id === shown.question.id)}
              hintId={`${id}hint`}
              reading={reading}
            />
          )}
        </div>
        <p id={`${id}hint`} className="askwire-hint" role="status">
          {hint && <Foreign text={hint} />}
        </p>
        <div className="askwire-buttons">
          <button type="button" className="askwire-main" onClick={() => act({ type: "send" })}>
            {several && shown !== undefined ? words.next : words.send}
          </button>
          {skip && shown !== undefined && mayLeaveOut(form) && (
            <button type="button" onClick={() => act({ type: "skip" })}>
              {words.leaveOut}
            </button>
          )}
          {offered !== undefined && (
            <button
              type="button"
              onClick={() => act({ type: "set", text: offered, caret: offered.length }, { type: "send" })}
            >
              <Foreign text={words.answerWithSaid(beginning(offered))} />
            </button>
          )}
          <WaysOut
            {...{ id, words, discuss }}
            hasWork={hasWork(form) || talk.trim() !== ""}
            onDecline={() => act({ type: "decline" })}
            note={talk}
            onNote={(note) => keep({ form, discuss: note })}
            onDiscuss={discussFirst}
          />
        </div>
      </fieldset>
      <DeliveryNote
        {...{ delivery, settled, words }}
        own={
          settled === undefined ? "" : answerAsText(request.questions, props.reply, { form, discuss: talk })
        }
        onDismiss={props.onDismiss}
      />
    </Card>
  );
}

/** The state of a request that was not answered. */
const draft: OpenRequest["delivery"] = { is: "draft" };

/** Shared by all renderings, so that a card without issues sees no change. */
const none: RequestContext["issues"] = [];

/** The work to begin with, and why it was not taken. */
const firstDraft = (work: AnswerDraft, issues: RequestContext["issues"]): AnswerDraft =>
  issues.length > 0 ? { ...work, form: reduceForm(work.form, { type: "refused", issues }) } : work;
