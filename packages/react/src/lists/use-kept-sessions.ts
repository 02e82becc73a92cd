"use client";

import type { ClientSession } from "@askwire/client";
import type { HeardSession } from "@askwire/protocol";
import { useCallback, useEffect, useRef, useState } from "react";

/** The sessions that a server has on disk alone, as far as they were asked for. */
export interface KeptSessionsState {
  /** The last active first. Empty until the server has listed them. */
  readonly sessions: readonly HeardSession[];
  /** Asks for the next page. Undefined while there is none. Rejects as `listKeptSessions` does. */
  readonly more?: () => Promise<void>;
}

interface KnownPages {
  readonly sessions: readonly HeardSession[];
  readonly next: string | undefined;
}

const none: KnownPages = { sessions: [], next: undefined };

/**
 * The sessions that a server has on disk alone and can open, by pages of 50 (P-XSE-7). The first page is asked for at
 * once, and again where a session leaves the memory of the server.
 *
 * @param session undefined where nobody can ask yet: then there are none.
 * @param open the number of sessions in memory, as `useSessions` gives them.
 */
export function useKeptSessions(
  session: Pick<ClientSession, "listKeptSessions"> | undefined,
  open: number,
): KeptSessionsState {
  const [known, setKnown] = useState(none);
  const [left, setLeft] = useState(0);
  const before = useRef(open);
  useEffect(() => {
    if (open < before.current) setLeft((times) => times + 1);
    before.current = open;
  }, [open]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a session that has left the memory is in a new first page.
  useEffect(() => {
    let isCurrent = true;
    setKnown(none);
    session?.listKeptSessions().then(
      ({ sessions, next }) => isCurrent && setKnown({ sessions, next }),
      // The sessions in memory are listed also where nobody can say what is kept.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [session, left]);
  const { sessions, next } = known;
  const more = useCallback(async () => {
    const page = await session?.listKeptSessions({ ...(next !== undefined && { after: next }) });
    if (page === undefined) return;
    const add = (now: KnownPages) =>
      now.next === next ? { sessions: [...now.sessions, ...page.sessions], next: page.next } : now;
    setKnown(add);
  }, [session, next]);
  return { sessions, ...(next !== undefined && { more }) };
}
