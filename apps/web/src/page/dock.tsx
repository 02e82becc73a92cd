import { visibleText } from "@askwire/client/text";
import {
  ApprovalCard,
  CardFold,
  type CardWords,
  type OpenApproval,
  type OpenQuestion,
  type OpenRequest,
  QuestionCard,
  type QuestionCardProps,
  requestText,
} from "@askwire/react";
import { type ReactNode, useRef, useState } from "react";
import type { Drafts } from "../kept/drafts.js";
import { LateMarkdown } from "./late-markdown.js";
import type { AllWords } from "./page.js";
import { useCardFocus } from "./use-card-focus.js";

/** The requests before the person, in the order in which they came. They can be put aside to read the page. */
export function Dock({
  list,
  words: { page: words, cards, talk, language },
  drafts,
  shows,
}: {
  readonly list: readonly OpenRequest[];
  readonly words: AllWords;
  readonly drafts: Drafts;
  /** Features that the server takes beside a choice. */
  readonly shows: Shows;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useCardFocus(list, box);
  const renderMarkdown = (text: string) => <LateMarkdown text={text} language={language} />;
  const waiting = list.filter(({ settled }) => settled === undefined);
  const newest = waiting.at(-1);

  return (
    <section className="dock" aria-label={words.open(waiting.length)}>
      <p className="unseen" role="status">
        {newest && words.arrived(visibleText(requestText(newest, cards)), waiting.length)}
      </p>
      {list.length === 0 && <p className="quiet">{words.nothingOpen}</p>}
      <div ref={box} className="cards">
        {list.map((one) => (
          <CardFold key={one.id} request={one} words={talk}>
            {one.kind === "question" ? (
              <Question {...{ one, drafts, shows, renderMarkdown }} words={cards} />
            ) : (
              <Approval {...{ one, drafts }} words={cards} />
            )}
          </CardFold>
        ))}
      </div>
    </section>
  );
}

type Shows = NonNullable<QuestionCardProps["shows"]>;

interface CardProps<One> {
  readonly one: One;
  readonly words: CardWords;
  readonly drafts: Drafts;
}

/** A question's card, with the work that an earlier page has kept for the question. */
function Question({
  one,
  words,
  drafts,
  ...shown
}: CardProps<OpenQuestion> & Pick<QuestionCardProps, "shows" | "renderMarkdown">): ReactNode {
  const kept = useKeptDraft(one, drafts.ofQuestion, drafts);
  return <QuestionCard {...one} {...kept} {...{ words, ...shown }} />;
}

/** An approval's card, with the work that an earlier page has kept for the approval. */
function Approval({ one, words, drafts }: CardProps<OpenApproval>): ReactNode {
  const kept = useKeptDraft(one, drafts.ofApproval, drafts);
  return <ApprovalCard {...one} {...kept} words={words} />;
}

/** The person's work on a request, of this page or kept by an earlier one, and the way to keep more of it. */
function useKeptDraft<Draft extends Parameters<Drafts["keep"]>[1]>(
  one: { readonly id: string; readonly draft?: Draft; onDraft(draft: Draft): void },
  find: (id: string) => Draft | undefined,
  drafts: Drafts,
): { readonly draft?: Draft; onDraft(draft: Draft): void } {
  const [kept] = useState(() => find(one.id));
  const draft = one.draft ?? kept;
  return {
    ...(draft !== undefined && { draft }),
    onDraft(next) {
      one.onDraft(next);
      drafts.keep(one.id, next);
    },
  };
}
