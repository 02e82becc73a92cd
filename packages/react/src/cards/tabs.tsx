import { type FormState, type QuestionDraft, statusOf } from "@askwire/client/form";
import type { CardWords } from "@askwire/client/words";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { Icon } from "../looks/icon.js";
import { isComposing } from "./composing.js";
import { Foreign } from "./foreign-text.js";

/** The tabs of several questions, and of the page to review all. */
export function Tabs({
  form,
  id,
  words,
  onShow,
}: {
  readonly form: FormState;
  readonly id: string;
  readonly words: CardWords;
  onShow(tab: number): void;
}): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const count = form.questions.length + 1;

  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = { Home: 0, End: count - 1 }[event.key] ?? (by && (form.tab + by + count) % count);
    if (to === undefined || isComposing(event)) return;
    event.preventDefault();
    onShow(to);
    (list.current?.children[to] as HTMLElement | undefined)?.focus();
  }

  return (
    <div ref={list} className="askwire-tabs" role="tablist" onKeyDown={onKeyDown} tabIndex={-1}>
      {Array.from({ length: count }, (_, tab) => (
        <button
          type="button"
          role="tab"
          // biome-ignore lint/suspicious/noArrayIndexKey: a tab is its position
          key={tab}
          id={`${id}t${tab}`}
          aria-controls={`${id}p`}
          aria-selected={tab === form.tab}
          tabIndex={tab === form.tab ? 0 : -1}
          onClick={() => onShow(tab)}
        >
          {tabLabel(form, tab, words)}
        </button>
      ))}
    </div>
  );
}

function tabLabel(form: FormState, tab: number, words: CardWords): ReactNode {
  const question = form.questions[tab];
  if (question === undefined) {
    return (
      <>
        <Icon name="list" />
        {words.review}
      </>
    );
  }
  const draft = form.drafts[tab] as QuestionDraft;
  const state = draft.confirmed?.skipped ? words.leftOut : words[statusOf(question, draft)];
  return (
    <>
      {draft.confirmed === undefined ? (
        <Icon name="circle" />
      ) : (
        <Icon name="check" className="askwire-done" />
      )}
      <Foreign text={question.header === "" ? words.tab(tab + 1) : question.header} />
      <small className="askwire-unseen"> ({state})</small>
    </>
  );
}
