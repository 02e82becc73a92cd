"use client";

import type { ClientSession } from "@askwire/client";
import type { HeardSession } from "@askwire/protocol";
import { useEffect, useState } from "react";

/** The sessions of a server, as far as they are known. */
export interface KnownSessions {
  /** Undefined until the server has listed them. */
  readonly sessions: readonly HeardSession[] | undefined;
  /** The reason why they are no longer told. */
  readonly problem?: unknown;
}

/** The sessions of the server, as they are now. They are watched while the component is there. */
export function useSessions(session: Pick<ClientSession, "watchSessions">): KnownSessions {
  const [known, setKnown] = useState<KnownSessions>({ sessions: undefined });
  useEffect(() => {
    let end: (() => unknown) | undefined;
    async function watch(): Promise<void> {
      const lists = session.watchSessions();
      end = () => lists.return?.();
      for await (const sessions of lists) setKnown({ sessions });
    }
    watch().catch((problem: unknown) => setKnown(({ sessions }) => ({ sessions, problem })));
    return () => void end?.();
  }, [session]);
  return known;
}
