import { visibleText } from "@askwire/client/text";
import type { PageWords } from "@askwire/client/words";
import {
  CardFold,
  type CardWords,
  isWaiting,
  type LastingConnection,
  type OpenQuestion,
  type OpenRequest,
  QuestionCard,
  type QuestionCardProps,
  requestText,
  saidLast,
  useStore,
} from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import { type ReactNode, useRef } from "react";

import type { PageDrafts } from "../kept/drafts.js";
import { LateApproval, useShowable } from "./late-approval.js";
import { LateMarkdown } from "./late-markdown.js";
import { PagePart } from "./part.js";
import type { AllWords } from "./parts.js";
import { useCardFocus } from "./use-card-focus.js";
import { useKeptDraft } from "./use-kept-draft.js";

/** The person's open requests, in the order in which they came. They can be put aside to read the page. */
export function PageDock({
  list: open,
  words: all,
  drafts,
  shows,
  outbox,
  highlight,
}: {
  readonly list: readonly OpenRequest[];
  readonly words: AllWords;
  readonly drafts: PageDrafts;
  readonly highlight: Highlight;
  /** Everything the person has sent. The last words among it may be offered as the answer to a question. */
  readonly outbox: LastingConnection["outbox"];
  /** Features that the server takes in addition to a choice. */
  readonly shows: Shows;
}): ReactNode {
  const { page: words, cards, talk, markdown } = all;
  const list = useShowable(open);
  const box = useRef<HTMLDivElement>(null);
  useCardFocus(list, box);
  const said = saidLast(useStore(outbox));
  const renderMarkdown = (text: string) => <LateMarkdown {...{ text, highlight }} words={markdown} />;
  const waiting = list.filter(isWaiting);
  const newest = waiting.at(-1);

  return (
    <section className="dock" aria-label={words.open(waiting.length)}>
      <p className="askwire-unseen" role="status">
        {newest && words.arrived(told(requestText(newest, cards)), waiting.length)}
      </p>
      {list.length === 0 && <p className="askwire-unseen">{words.nothingOpen}</p>}
      <div ref={box} className="cards">
        {list.map((one) => (
          <PagePart key={one.id} name="request" words={all}>
            <CardFold request={one} words={talk}>
              <PagePart name="request" words={all}>
                {one.kind === "question" ? (
                  <Question {...{ one, drafts, shows, renderMarkdown, said }} words={cards} page={words} />
                ) : (
                  <LateApproval {...{ one, drafts, highlight }} words={cards} page={words} />
                )}
              </PagePart>
            </CardFold>
          </PagePart>
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
  readonly drafts: PageDrafts;
}

/** A question's card, with the work that an earlier page has kept for the question. */
function Question({
  one,
  words,
  page,
  drafts,
  ...shown
}: CardProps<OpenQuestion> & Pick<QuestionCardProps, "shows" | "renderMarkdown" | "said">): ReactNode {
  const { isComing, isWhole, ...kept } = useKeptDraft(one, drafts.ofQuestion, drafts);
  const isUnkept = useStore(drafts.unkept).has(one.id);
  return (
    <>
      <p className="quiet" role="status">
        {isComing && page.draftComes}
        {!isWhole && page.picturesGone}
        {isUnkept && page.draftUnkept}
      </p>
      {!isComing && <QuestionCard key={one.fill} {...one} {...kept} {...{ words, ...shown }} />}
    </>
  );
}
