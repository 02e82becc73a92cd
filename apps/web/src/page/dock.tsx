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
  useStore,
} from "@askwire/react";
import { type ReactNode, useRef } from "react";
import type { Drafts } from "../kept/drafts.js";
import type { PageWords } from "../words/page-words.js";
import { LateMarkdown } from "./late-markdown.js";
import type { AllWords } from "./page.js";
import { useCardFocus } from "./use-card-focus.js";
import { useKeptDraft } from "./use-kept-draft.js";

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
        {newest && words.arrived(told(requestText(newest, cards)), waiting.length)}
      </p>
      {list.length === 0 && <p className="quiet">{words.nothingOpen}</p>}
      <div ref={box} className="cards">
        {list.map((one) => (
          <CardFold key={one.id} request={one} words={talk}>
            {one.kind === "question" ? (
              <Question {...{ one, drafts, shows, renderMarkdown }} words={cards} page={words} />
            ) : (
              <Approval {...{ one, drafts }} words={cards} />
            )}
          </CardFold>
        ))}
      </div>
    </section>
  );
}

/** Characters of a request that a screen reader is told by itself. */
const LONGEST = 300;

const told = (text: string) => visibleText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

type Shows = NonNullable<QuestionCardProps["shows"]>;

interface CardProps<One> {
  readonly one: One;
  readonly words: CardWords;
  readonly page: PageWords;
  readonly drafts: Drafts;
}

/** A question's card, with the work that an earlier page has kept for the question. */
function Question({
  one,
  words,
  page,
  drafts,
  ...shown
}: CardProps<OpenQuestion> & Pick<QuestionCardProps, "shows" | "renderMarkdown">): ReactNode {
  const { isComing, isWhole, ...kept } = useKeptDraft(one, drafts.ofQuestion, drafts);
  const isUnkept = useStore(drafts.unkept).has(one.id);
  return (
    <>
      <p className="quiet" role="status">
        {isComing && page.draftComes}
        {!isWhole && page.picturesGone}
        {isUnkept && page.picturesUnkept}
      </p>
      {!isComing && <QuestionCard {...one} {...kept} {...{ words, ...shown }} />}
    </>
  );
}

/** An approval's card, with the work that an earlier page has kept for the approval. */
function Approval({ one, words, drafts }: Omit<CardProps<OpenApproval>, "page">): ReactNode {
  const { isComing: _, isWhole: __, ...kept } = useKeptDraft(one, drafts.ofApproval, drafts);
  return <ApprovalCard {...one} {...kept} words={words} />;
}
