import type { QuestionReply, QuestionView, RequestContext } from "@askwire/client";
import {
  type FormAction,
  type FormState,
  hasReview,
  hasWork,
  questionForm,
  reduceForm,
  rowsOf,
  shownQuestion,
} from "@askwire/client/form";
import type { CoreQuestion, Deadline } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { AnswerDraft, OpenRequest } from "../hooks/open-requests.js";
import { type CardWords, cardWords } from "../words/card-words.js";
import { Card, useOnce } from "./card.js";
import { isComposing, takesText } from "./composing.js";
import { asWritten, Foreign, type RenderMarkdown } from "./foreign-text.js";
import { hintText } from "./hint-text.js";
import { QuestionPage } from "./question-page.js";
import { ReviewPage } from "./review-page.js";
import { SettledNote } from "./settled-note.js";
import { Tabs } from "./tabs.js";
import { TimeLeft } from "./time-left.js";
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
  readonly deadline?: Deadline | null;
  /** The time at which the deadline came, on the clock of `performance.now()`. Default: when the card is first shown. */
  readonly deadlineSince?: number;
  /** The end of the question elsewhere: the card can then only be read. */
  readonly settled?: OpenRequest["settled"];
  onDismiss?(): void;
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
 * focus by itself; a page that wants to leads it to the card's heading.
 */
export function QuestionCard(props: QuestionCardProps): ReactNode {
  const { request, words = cardWords.en, settled, issues = none, renderMarkdown = asWritten } = props;
  const { notes = true, attachments = true, skip = true, discuss = true } = props.shows ?? {};
  const id = useId();
  const [{ form, discuss: talk = "" }, setDraft] = useState(() =>
    firstDraft(request.questions, props.draft, issues),
  );
  const [heard, setHeard] = useState(issues);
  const [isTalk, setTalk] = useState(false);
  const begin = useOnce(props.onBegin);
  const panel = useRef<HTMLDivElement>(null);
  const goesOn = useRef(false);

  // Whoever goes on from a part that is left now is led to the next one; whoever goes through the tabs stays there.
  useEffect(() => {
    const isAtTabs = document.activeElement?.getAttribute("role") === "tab";
    if (goesOn.current && !isAtTabs) panel.current?.focus();
    goesOn.current = false;
  });

  if (issues !== heard) {
    setHeard(issues);
    setTalk(false);
    if (issues.length > 0) setDraft({ form: reduceForm(form, { type: "refused", issues }), discuss: talk });
  }

  const isClosed = settled !== undefined || form.result !== undefined || isTalk;

  function discussFirst(note: string): void {
    if (isClosed) return;
    setTalk(true);
    props.onReply(note === "" ? { declined: "discuss" } : { declined: "discuss", note });
  }

  function keep(draft: AnswerDraft): void {
    setDraft(draft);
    props.onDraft?.(draft);
  }

  function act(...actions: FormAction[]): void {
    if (isClosed) return;
    begin();
    const next = actions.reduce(reduceForm, form);
    goesOn.current = next.tab !== form.tab;
    keep({ form: next, discuss: talk });
    if (next.result !== undefined) props.onReply(next.result);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || event.altKey) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      act({ type: "send" });
    } else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.repeat) {
      const row = Number(event.key) - 1;
      if (takesText(event.target) || rowAt(form, row) !== "option") return;
      event.preventDefault();
      event.currentTarget.querySelectorAll<HTMLElement>("[type=radio], [type=checkbox]")[row]?.focus();
      act({ type: "select", row });
    }
  }

  const shown = shownQuestion(form);
  const several = hasReview(form);
  const hint = hintText(form, words);
  const heading = several ? words.question : (request.questions[0]?.header ?? "");
  return (
    <Card
      id={id}
      requestId={request.id}
      heading={heading === "" ? words.question : <Foreign text={heading} />}
      onBegin={begin}
      onKeyDown={onKeyDown}
    >
      {request.program !== undefined && (
        <p className="askwire-asker">
          <Foreign text={words.programAsks(request.program.name)} />
        </p>
      )}
      {props.deadline !== undefined && settled === undefined && (
        <TimeLeft deadline={props.deadline} since={props.deadlineSince} words={words} />
      )}
      {several && <Tabs form={form} id={id} words={words} onShow={(tab) => act({ type: "show", tab })} />}
      <fieldset className="askwire-page" disabled={isClosed}>
        <legend className="askwire-unseen">{words.question}</legend>
        <div
          ref={panel}
          tabIndex={-1}
          className="askwire-panel"
          {...(several && { role: "tabpanel", id: `${id}p`, "aria-labelledby": `${id}t${form.tab}` })}
        >
          {shown === undefined ? (
            <ReviewPage form={form} words={words} onShow={(tab) => act({ type: "show", tab })} />
          ) : (
            <QuestionPage
              key={shown.question.id}
              {...{ id: `${id}${form.tab}`, form, words, notes, renderMarkdown, act }}
              pictures={attachments}
              isRefused={issues.some(({ question_id }) => question_id === shown.question.id)}
              hintId={`${id}hint`}
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
      {settled && <SettledNote settled={settled} words={words} onDismiss={props.onDismiss} />}
    </Card>
  );
}

/** Shared by all renderings, so that a card without issues sees no change. */
const none: RequestContext["issues"] = [];

/** The work to begin with: the kept one where it is about the same questions. */
function firstDraft(
  questions: readonly CoreQuestion[],
  draft: AnswerDraft | undefined,
  issues: RequestContext["issues"],
): AnswerDraft {
  if (draft === undefined || JSON.stringify(draft.form.questions) !== JSON.stringify(questions)) {
    return { form: questionForm(questions) };
  }
  if (issues.length > 0) return { ...draft, form: reduceForm(draft.form, { type: "refused", issues }) };
  const { result: _result, ...open } = draft.form;
  return { ...draft, form: open };
}

function rowAt(form: FormState, position: number): string | undefined {
  const question = form.questions[form.tab];
  return question && rowsOf(question)[position]?.is;
}

/** True if the shown question need not be answered, beside others that are. */
const mayLeaveOut = (form: FormState) => {
  const field = form.questions[form.tab]?.field;
  return field === undefined ? hasReview(form) : field.required === false;
};
