// The cards of the shown session. A card's work is kept by its id, so that a view that is made anew resumes it.
import { visibleLine } from "@askwire/client/text";
import type { ViewWords } from "@askwire/client/words";
import { ApprovalCard, type CardWords, ErrorBoundary, isWaiting, QuestionCard } from "@askwire/react";
import type { Highlight } from "@askwire/react/code";
import { type ReactNode, useCallback, useMemo } from "react";
import { changesOf, leftOutOf } from "../cards/whole-file.js";
import type { ShownCard, ViewParts } from "../view-state.js";
import type { ViewDrafts } from "./drafts.js";
import type { Host } from "./host.js";
import { useRefusal } from "./use-refusal.js";

interface DockProps {
  readonly chat: string;
  readonly cards: readonly ShownCard[];
  readonly said: string | undefined;
  readonly abilities: ViewParts["abilities"];
  readonly drafts: ViewDrafts;
  readonly highlight: Highlight;
  readonly renderMarkdown: (markdown: string, highlight?: Highlight) => ReactNode;
  readonly words: { readonly view: ViewWords; readonly cards: CardWords };
  readonly host: Pick<Host, "post" | "call">;
}

export function ViewDock(props: DockProps): ReactNode {
  const { chat, cards, words } = props;
  const open = cards.filter(isWaiting).length;
  if (cards.length === 0) return null;
  return (
    <section className="dock" aria-label={words.view.cards}>
      <p className="askwire-unseen" role="status">
        {words.view.open(open)}
      </p>
      {cards.map((card) => (
        // Agents choose ids, which two sessions may share.
        <div key={`${chat} ${card.id}`} className="askwire">
          <ErrorBoundary part={words.view.parts.request} words={words.cards.failure}>
            <OneCard {...props} card={card} />
          </ErrorBoundary>
        </div>
      ))}
    </section>
  );
}

function OneCard({
  chat,
  card,
  abilities,
  said,
  drafts,
  highlight,
  renderMarkdown,
  words,
  host: { post, call },
}: DockProps & { readonly card: ShownCard }): ReactNode {
  const { id } = card;
  const named = { chat, card: id };
  const { issues, follow } = useRefusal(card);
  // Without another function at each message, a difference is made once.
  const showDifference = useCallback(() => post({ type: "difference", chat, card: id }), [post, chat, id]);
  const display = card.kind === "approval" && card.settled === undefined ? card.request.display : undefined;
  const hasDifference = useMemo(() => display !== undefined && changesOf(display).size > 0, [display]);
  const leftOut = useMemo(() => (display === undefined ? [] : leftOutOf(display)), [display]);
  const acts = {
    onBegin: () => post({ type: "begin", ...named }),
    onDismiss: () => {
      drafts.drop(chat, card.id);
      post({ type: "dismiss", ...named });
    },
    words: words.cards,
    issues,
    delivery: card.delivery,
    highlight,
    ...(card.settled !== undefined && { settled: card.settled }),
  };
  if (card.kind === "question") {
    const draft = drafts.card<never>(chat, card.id);
    return (
      <QuestionCard
        {...acts}
        request={card.request}
        {...(card.reply !== undefined && { reply: card.reply })}
        {...(draft !== undefined && { draft })}
        onDraft={(next) => drafts.keepCard(chat, card.id, next)}
        onReply={(reply) => follow(call({ type: "answerQuestion", ...named, reply } as never))}
        {...(card.deadline !== undefined && { deadline: card.deadline })}
        {...(card.since !== undefined && { deadlineSince: card.since - performance.timeOrigin })}
        said={said}
        shows={{ notes: false, skip: false, attachments: false, ...abilities }}
        renderMarkdown={renderMarkdown}
      />
    );
  }
  const draft = drafts.card<never>(chat, card.id);
  return (
    <>
      {card.outside.map((path) => (
        <p key={path} className="notice">
          {words.view.outside(visibleLine(path))}
        </p>
      ))}
      {card.unsaved.length > 0 && (
        <div className="notice unsaved">
          <p role="status">{words.view.unsaved(card.unsaved)}</p>
          <button type="button" onClick={() => post({ type: "saveFirst", ...named })}>
            {words.view.saveFirst}
          </button>
        </div>
      )}
      {hasDifference && (
        <button type="button" className="difference" onClick={showDifference}>
          {words.view.difference}
        </button>
      )}
      {hasDifference && leftOut.length > 0 && (
        <p className="notice">{words.view.notInEditor(leftOut.map((path) => visibleLine(path)))}</p>
      )}
      <ApprovalCard
        {...acts}
        request={card.request}
        {...(card.reply !== undefined && { reply: card.reply })}
        {...(draft !== undefined && { draft })}
        onDraft={(next) => drafts.keepCard(chat, card.id, next)}
        onReply={(reply) => follow(call({ type: "answerApproval", ...named, reply } as never))}
        {...(hasDifference && { onOpenChange: showDifference })}
      />
    </>
  );
}
