"use client";

import type { TalkWords } from "@askwire/client/words";
import { talk as english } from "@askwire/client/words/en";
import type { HeardRequest, HeardSession } from "@askwire/protocol";
import { type ReactNode, useId, useState } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useNow } from "../hooks/use-now.js";
import { Icon } from "../looks/icon.js";
import { useAttempt } from "../prompt/use-attempt.js";
import {
  firstOf,
  isFound,
  KEPT,
  type SessionGroup,
  sessionGroups,
  sessionsOnDisk,
} from "./session-groups.js";
import { SessionRow } from "./session-row.js";
import { useSearchKey } from "./use-search-key.js";

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
  /** Closes a session for everybody. Default: no menu offers that. */
  onClose?(id: string): unknown;
  /**
   * All that waits, as `useWaitingRequests` gives it: the sessions of its kept requests are offered to go on with.
   * Default: none.
   */
  readonly waiting?: readonly HeardRequest[];
  /** The sessions on disk alone, as `useKeptSessions` gives them. Those that are in another list come once. Default: none. */
  readonly kept?: readonly HeardSession[];
  /** Asks for more of them. Default: there are no more. */
  onMoreKept?(): unknown;
  /** Opens a kept session again, and leads there (P-XAT-10). Default: kept sessions are not offered. */
  onResume?(id: string): void;
  /** The name of the list, such as the server's where there are several lists. Default: the word for sessions. */
  readonly heading?: string;
  /** Shown below the heading, such as the state of the connection. Default: nothing. */
  readonly children?: ReactNode;
  /** The words of the component. Default: English, `talkWords.en`. */
  readonly words?: TalkWords;
}

/** The sessions of a server in groups: what waits for a person, what works, and what is over. */
export function SessionList(props: SessionListProps): ReactNode {
  const { failure } = props.words ?? english;
  return (
    <ErrorBoundary part={failure.parts.sessions} words={failure}>
      <Sessions {...props} />
    </ErrorBoundary>
  );
}

/** Rows that are drawn at first, and with each step. */
const STEP = 50;
/** A list that is longer can be searched. */
const MOST_UNSEARCHED = 8;
/** In a list that is longer, a key leads to the search. */
const MOST_WITHOUT_KEY = 30;

function Sessions(props: SessionListProps): ReactNode {
  const { sessions, heading, children, onResume, onMoreKept, words = english } = props;
  const id = useId();
  const now = useNow(30_000);
  const [said, setSaid] = useState("");
  const [most, setMost] = useState(STEP);
  const { problem, attempt } = useAttempt();
  const all = onResume === undefined ? sessions : withKept(props);
  const search = useSearchKey(all.length > MOST_WITHOUT_KEY);
  const found = said === "" ? all : all.filter((one) => isFound(one, said));
  const left = found.length - most;
  return (
    <section className="askwire askwire-sessions" aria-labelledby={id}>
      <div className="askwire-sessions-head">
        <h2 id={id} tabIndex={-1}>
          {heading ?? words.sessions}
        </h2>
        {props.onNew && (
          <button type="button" className="askwire-plain" onClick={() => void attempt(() => props.onNew?.())}>
            <Icon name="pen" /> {words.newSession}
          </button>
        )}
      </div>
      <p className="askwire-hint" role="status">
        {problem !== "" && <Foreign text={words.notDone(problem)} />}
      </p>
      {children}
      {(all.length > MOST_UNSEARCHED || said !== "") && (
        <input
          ref={search}
          type="search"
          aria-label={words.searchSessions}
          placeholder={words.searchSessions}
          value={said}
          onChange={({ target }) => {
            setSaid(target.value);
            setMost(STEP);
          }}
        />
      )}
      <p className={found.length === 0 && said !== "" ? "askwire-hint" : "askwire-unseen"} role="status">
        {said !== "" && words.sessionsFound(found.length)}
      </p>
      {firstOf(sessionGroups(found, now, words.sessionGroups), most).map((group) => (
        <Group
          key={group.name}
          {...props}
          {...{ group, now, words }}
          onClosing={(act) => void attempt(act)}
        />
      ))}
      {left > 0 && (
        <button type="button" className="askwire-plain" onClick={() => setMost(most + STEP)}>
          {words.moreSessions(Math.min(STEP, left), left)}
        </button>
      )}
      {left <= 0 && onMoreKept && (
        <button type="button" className="askwire-plain" onClick={() => void attempt(onMoreKept)}>
          {words.moreKept}
        </button>
      )}
    </section>
  );
}

/** The sessions in memory, those on disk in which something waits, and the others there, each once. */
function withKept({ sessions, waiting = [], kept = [] }: SessionListProps): HeardSession[] {
  const listed = [...sessions, ...sessionsOnDisk(waiting)];
  const ids = new Set(listed.map(({ id }) => id));
  return [...listed, ...kept.filter(({ id }) => !ids.has(id))];
}

function Group({
  group,
  now,
  words,
  current,
  onOpen,
  onClose,
  onResume,
  onClosing,
}: Pick<SessionListProps, "current" | "onOpen" | "onClose" | "onResume"> & {
  readonly group: SessionGroup;
  readonly now: number;
  readonly words: TalkWords;
  onClosing(act: () => unknown): void;
}): ReactNode {
  const id = useId();
  return (
    <>
      <h3 id={id}>
        <Foreign text={group.name} />
      </h3>
      <ul aria-labelledby={id}>
        {group.sessions.map((session) => (
          <li key={session.id}>
            <ErrorBoundary part={words.failure.parts.session} words={words.failure} isQuiet>
              <SessionRow
                {...{ session, now, words }}
                isCurrent={session.id === current}
                onOpen={() => (session.state === KEPT ? onResume?.(session.id) : onOpen(session.id))}
                onClose={onClose && (() => onClosing(() => onClose(session.id)))}
              />
            </ErrorBoundary>
          </li>
        ))}
      </ul>
    </>
  );
}
