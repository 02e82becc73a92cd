"use client";

import { sessionsInOrder } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type TalkWords, talkWords } from "@askwire/client/words";
import type { HeardSession } from "@askwire/protocol";
import { type ReactNode, useId, useState } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { Sure } from "../cards/sure.js";
import { useFocusBack } from "../cards/use-focus-back.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useNow } from "../hooks/use-now.js";
import { useAttempt } from "../prompt/use-attempt.js";

/** The props of a {@link SessionList}. */
export interface SessionListProps {
  /** The sessions, as `useSessions` gives them. */
  readonly sessions: readonly HeardSession[];
  /** The id of the session that the page shows. Default: none. */
  readonly current?: string;
  /** Leads to a session. */
  onOpen(id: string): void;
  /** Makes a session, and leads there. Default: there is no button. */
  onNew?(): unknown;
  /** Closes a session for everybody. Default: there is no button. */
  onClose?(id: string): unknown;
  /** The name of the list, such as the server's where there are several lists. Default: the word for sessions. */
  readonly heading?: string;
  /** Shown below the heading, such as the state of the connection. Default: nothing. */
  readonly children?: ReactNode;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/** The sessions of a server: their titles, places and states, those that wait for a person first. */
export function SessionList(props: SessionListProps): ReactNode {
  const { failure } = props.words ?? talkWords.en;
  return (
    <ErrorBoundary part={failure.parts.sessions} words={failure}>
      <Sessions {...props} />
    </ErrorBoundary>
  );
}

function Sessions(props: SessionListProps): ReactNode {
  const { sessions, heading, children, words = talkWords.en } = props;
  const id = useId();
  const now = useNow(30_000);
  const { problem, attempt } = useAttempt();
  return (
    <section className="askwire askwire-sessions" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {heading ?? words.sessions}
      </h2>
      {children}
      <ul>
        {sessionsInOrder(sessions).map((session) => (
          <li key={session.id}>
            <ErrorBoundary part={words.failure.parts.session} words={words.failure} isQuiet>
              <Row {...props} {...{ session, now, words }} onClosing={(act) => void attempt(act)} />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
      {props.onNew && (
        <button type="button" onClick={() => void attempt(() => props.onNew?.())}>
          {words.newSession}
        </button>
      )}
      <p className="askwire-hint" role="status">
        {problem !== "" && <Foreign text={words.notDone(problem)} />}
      </p>
    </section>
  );
}

function Row({
  session: { id, title, folder = "", host = "", state, oldest, open = 0 },
  now,
  words,
  current,
  onOpen,
  onClose,
  onClosing,
}: Pick<SessionListProps, "current" | "onOpen" | "onClose"> & {
  readonly session: HeardSession;
  readonly now: number;
  readonly words: TalkWords;
  onClosing(act: () => unknown): void;
}): ReactNode {
  const [asks, setAsks] = useState(false);
  const close = useFocusBack<HTMLButtonElement>(!asks);
  const name = title ?? words.untitled;
  const minutes = Math.max(0, Math.floor((now - Date.parse(oldest?.since ?? "")) / 60_000));
  return (
    <>
      <button
        type="button"
        className="askwire-session"
        aria-current={id === current ? "true" : undefined}
        onClick={() => onOpen(id)}
      >
        <Foreign text={name} />
        <small>
          <Foreign text={words.place(folder, host) || id} />
        </small>
        <small>
          {oldest === undefined ? words.state(state) : words.waitsFor(open, minutes)}
          {id === current && `, ${words.here}`}
        </small>
        {oldest !== undefined && (
          <small>
            <Foreign text={oldest.text} />
          </small>
        )}
      </button>
      {onClose !== undefined &&
        (asks ? (
          <Sure
            question={words.closeSure}
            yes={words.close}
            no={words.keep}
            onYes={() => {
              setAsks(false);
              onClosing(() => onClose(id));
            }}
            onNo={() => setAsks(false)}
          />
        ) : (
          <button
            ref={close}
            type="button"
            aria-label={words.closeOf(visibleLine(name))}
            onClick={() => setAsks(true)}
          >
            {words.close}
          </button>
        ))}
    </>
  );
}
