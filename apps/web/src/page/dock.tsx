import { visibleText } from "@askwire/client/text";
import { ApprovalCard, type CardWords, type OpenRequest, QuestionCard } from "@askwire/react";
import { type ReactNode, useRef, useState } from "react";
import { requestText } from "../attention/request-text.js";
import type { Drafts } from "../kept/drafts.js";
import type { PageWords } from "../words/page-words.js";
import { headingOf, useCardFocus } from "./use-card-focus.js";

/** The requests before the person, in the order in which they came. They can be put aside to read the page. */
export function Dock({
  list,
  words,
  cards,
  drafts,
}: {
  readonly list: readonly OpenRequest[];
  readonly words: PageWords;
  readonly cards: CardWords;
  readonly drafts: Drafts;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [isAside, setAside] = useState(false);
  useCardFocus(list, box);
  const waiting = list.filter(({ settled }) => settled === undefined);
  const [first] = waiting;
  const newest = waiting.at(-1);

  function takeUp(): void {
    setAside(false);
    // The card has no box until it is shown.
    requestAnimationFrame(() => first && headingOf(box.current, first.id)?.focus());
  }

  return (
    <section className="dock" aria-label={words.open(waiting.length)}>
      <p className="unseen" role="status">
        {newest && words.arrived(visibleText(requestText(newest, cards)), waiting.length)}
      </p>
      {list.length === 0 && <p className="quiet">{words.nothingOpen}</p>}
      {first !== undefined && (
        <button
          type="button"
          className="fold"
          aria-expanded={!isAside}
          onClick={() => (isAside ? takeUp() : setAside(true))}
        >
          {isAside ? words.takeUp(visibleText(requestText(first, cards))) : words.putAside}
          {waiting.length > 1 && <small> {words.open(waiting.length)}</small>}
        </button>
      )}
      <div ref={box} className="cards" hidden={isAside && first !== undefined}>
        {list.map((one) => (
          <div key={one.id} data-request={one.id}>
            <Card one={one} words={cards} drafts={drafts} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** A card, with the work that a page of before has kept for it. */
function Card({
  one,
  words,
  drafts,
}: {
  readonly one: OpenRequest;
  readonly words: CardWords;
  readonly drafts: Drafts;
}): ReactNode {
  if (one.kind === "approval") return <ApprovalCard {...one} words={words} />;
  const draft = one.draft ?? drafts.of(one.id, one.request.questions);
  return (
    <QuestionCard
      {...one}
      {...(draft !== undefined && { draft })}
      words={words}
      onDraft={(next) => {
        one.onDraft(next);
        drafts.keep(one.id, next);
      }}
    />
  );
}
