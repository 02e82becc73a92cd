import type { QuestionReply } from "@askwire/client";
import { type FormAction, type FormState, reduceForm } from "@askwire/client/form";
import { answerLimits } from "@askwire/protocol";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../failures/failure-note.js";
import { type AnswerDraft, isOnItsWay } from "../hooks/open-requests.js";
import { useBegin, useIssues } from "./card.js";
import type { Outlived, QuestionCardProps } from "./card-props.js";
import { keptAnswer } from "./kept-form.js";

/** The person's work on questions, and their acts on it. */
export function useAnswer(props: QuestionCardProps & Outlived) {
  const [{ work, isWhole }] = useState(() => keptAnswer(props.draft, props.request.questions));
  const [{ form, discuss: talk = "" }, setDraft] = useState<AnswerDraft>(() => ({
    ...work,
    form: refused(work.form, props.issues),
  }));
  // A reply that the form does not have as its result: to talk first, or one that was given before the card was drawn
  // anew.
  const [isReplied, setReplied] = useState(props.isAnswered);
  const begun = useBegin(props.onBegin, props.deadline);
  const next = useNextPart();
  /** True while pictures are being read. */
  const reading = useRef(false);
  const issues = useIssues(props.issues, (issues) => {
    if (issues.length === 0) return;
    setReplied(false);
    become(refused(form, issues));
  });
  const isOnWay = props.delivery !== undefined && isOnItsWay(props.delivery);
  const isClosed = props.settled !== undefined || isOnWay || form.result !== undefined || isReplied;

  function become(form: FormState, discuss = talk): AnswerDraft {
    const draft = { form, discuss };
    setDraft(draft);
    return draft;
  }

  function keep(form: FormState, discuss?: string): void {
    const draft = become(form, discuss);
    props.onDraft?.(draft);
  }

  /** Gives a reply. Where the page fails to take it, the question stays open. */
  function reply(given: QuestionReply, of: FormState): void {
    try {
      props.onReply(given);
    } catch (error) {
      reportError(error);
      setReplied(false);
      keep(refused(of, [{ question_id: null, message: messageOf(error) }]));
    }
  }

  function act(...actions: FormAction[]): void {
    // A picture that is still being read belongs to the answer: the card says so, and stays unchanged.
    if (isClosed || (reading.current && actions.some(({ type }) => type === "send" || type === "show")))
      return;
    begun.begin();
    const acted = actions.reduce(reduceForm, form);
    next.goesOn.current = acted.tab !== form.tab;
    keep(acted);
    if (acted.result !== undefined) reply(acted.result, acted);
  }

  return {
    ...{ form, talk, issues, isWhole, isClosed, reading, act, panel: next.panel },
    ...begun,
    /** Shows another part. A card that no longer takes an answer can still be read whole. */
    show(tab: number): void {
      if (isClosed) become({ ...form, tab });
      else act({ type: "show", tab });
    },
    /** Shows the preview of an option under the pointer. That is no act: the card may have come to where the pointer is. */
    look(row: number): void {
      if (!isClosed) become(reduceForm(form, { type: "focus", row }));
    },
    /** Takes the words to talk about first. */
    note: (discuss: string) => keep(form, discuss),
    discuss(note: string): void {
      if (isClosed || note.length > answerLimits.words) return;
      setReplied(true);
      reply(note === "" ? { declined: "discuss" } : { declined: "discuss", note }, form);
    },
  };
}

export type CardAnswer = ReturnType<typeof useAnswer>;

/** Leads whoever moves on from a part to the next one. Whoever goes through the tabs stays there. */
function useNextPart() {
  const panel = useRef<HTMLDivElement>(null);
  const goesOn = useRef(false);
  useEffect(() => {
    const isAtTabs = document.activeElement?.getAttribute("role") === "tab";
    if (goesOn.current && !isAtTabs) panel.current?.focus();
    goesOn.current = false;
  });
  return { panel, goesOn };
}

/** The form with the reasons why it was not taken. Without reasons it stays unchanged. */
const refused = (form: FormState, issues: Refusal["issues"] = []): FormState =>
  issues.length > 0 ? reduceForm(form, { type: "refused", issues }) : form;

type Refusal = Extract<FormAction, { type: "refused" }>;
