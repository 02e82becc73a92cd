"use client";

import type { Delivery } from "@askwire/client";
import type { TalkWords } from "@askwire/client/words";
import { talk as english } from "@askwire/client/words/en";
import { memo, type ReactNode, useId, useMemo } from "react";
import { asWritten, type RenderMarkdown } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { Highlight } from "../looks/coloured.js";
import type { Conversation } from "./conversation.js";
import { EntryRow } from "./entry-row.js";
import { SaidRow } from "./said-row.js";
import { shownEntries } from "./shown-entries.js";
import { failedLast, wordsAtEnds } from "./turn-texts.js";
import { useAnnouncement } from "./use-announcement.js";
import { useStayAtEnd } from "./use-stay-at-end.js";

/** The props of a {@link Transcript}. */
export interface TranscriptProps {
  /** The conversation, as `useStore` gives it from `transcript()`. */
  readonly conversation: Conversation;
  /** What is on its way, as `useStore(session.outbox)` gives it: the words in it stand at the end. Default: nothing. */
  readonly outbox?: readonly Delivery[];
  /** Shows the agent's Markdown. Default: as it was written. */
  readonly renderMarkdown?: RenderMarkdown;
  /** Finds the colours of commands and differences, as `codeColours` of `@askwire/react/code` makes it. Default: they are plain. */
  readonly highlight?: Highlight;
  /** The language of the agent's and other people's words, as a tag such as `en`. Default: not said. */
  readonly lang?: string;
  /** Opens a file that a tool call names or changes. Default: there is no button. */
  readonly onOpenFile?: (path: string) => void;
  /** Asks the agent again by the words of a turn that failed. Default: there is no button. */
  readonly onTryAgain?: (prompt: string) => void;
  /** The ids of the requests whose cards are open beside the conversation: their rows come with the answer. Default: none. */
  readonly openCards?: readonly string[];
  /** The name of this client where it is the only one that answers: its answers are not signed with it. Default: all are. */
  readonly onlyClient?: string;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/**
 * A conversation, which stays at its end while the reader is there. A screen reader is told by one status that the
 * agent answers, and what came of it.
 */
export const Transcript = memo(function Transcript(props: TranscriptProps): ReactNode {
  const { failure } = props.words ?? english;
  return (
    <ErrorBoundary part={failure.parts.conversation} words={failure}>
      <Shown {...props} />
    </ErrorBoundary>
  );
});

function Shown({
  conversation,
  outbox = nothing,
  renderMarkdown = asWritten,
  highlight,
  lang,
  onOpenFile,
  onTryAgain,
  openCards = noCards,
  onlyClient,
  words = english,
}: TranscriptProps): ReactNode {
  const { entries, isRunning, isComing, isCut } = conversation;
  const id = useId();
  const { scroller, content, isAtEnd, toEnd } = useStayAtEnd();
  const announcement = useAnnouncement(conversation, words);
  const said = useMemo(() => wordsAtEnds(entries), [entries]);
  const drawn = useMemo(() => shownEntries(entries, openCards), [entries, openCards]);
  const failed = isRunning || onTryAgain === undefined ? undefined : failedLast(entries);
  return (
    <section className="askwire askwire-transcript" aria-labelledby={id}>
      <h2 id={id} className="askwire-unseen">
        {words.conversation}
      </h2>
      <div
        ref={scroller}
        className="askwire-scroller"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to take the focus
        tabIndex={0}
        aria-labelledby={id}
        role="log"
        aria-live="off"
        aria-busy={isRunning || isComing}
      >
        <div ref={content} className="askwire-entries" {...(lang !== undefined && { lang })}>
          {isCut && <p className="askwire-note">{words.cut}</p>}
          {drawn.entries.map((entry) => (
            <EntryRow
              key={entry.key}
              {...{
                entry,
                renderMarkdown,
                highlight,
                words,
                onOpenFile,
                onlyClient,
                said: said.get(entry.key),
              }}
              isLastTodo={entry.key === drawn.lastTodo}
              isTold={drawn.told.has(entry.key)}
              onTryAgain={entry.key === failed?.key ? () => onTryAgain?.(failed.prompt) : undefined}
            />
          ))}
          {outbox.map((one) => one.kind === "words" && <SaidRow key={one.id} said={one} words={words} />)}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="askwire-to-end" onClick={toEnd}>
          {words.toEnd}
        </button>
      )}
      <p className="askwire-unseen" role="status">
        {announcement}
      </p>
    </section>
  );
}

/** Lists that stay the same objects. */
const nothing: readonly Delivery[] = [];
const noCards: readonly string[] = [];
