"use client";

import type { ClientSession } from "@askwire/client";
import type { HeardRequest } from "@askwire/protocol";
import { useEffect, useState } from "react";
import { watchWaiting } from "../hooks/watch-waiting.js";

/** All that waits for a person on a server, as far as it is known. */
export interface KnownRequests {
  /** Undefined until the server has listed them. */
  readonly requests: readonly HeardRequest[] | undefined;
  /** The number of all that waits, where that is more than `requests` has. Undefined until the server has listed them. */
  readonly all?: number;
  /** The reason why they are no longer told. */
  readonly problem?: unknown;
}

/**
 * All that waits for a person in the sessions of a server, as it is now, those that are kept on its disk included. It is
 * watched while the component is there (P-XRQ-3).
 */
export function useWaitingRequests(
  session: Pick<ClientSession, "watchRequests" | "listRequests">,
): KnownRequests {
  const [known, setKnown] = useState<KnownRequests>({ requests: undefined });
  useEffect(() => {
    const stop = watchWaiting(session, {
      told: (requests, all) => setKnown({ requests, all }),
      ended: (problem) => setKnown(({ requests }) => ({ requests, problem })),
    });
    return () => stop();
  }, [session]);
  return known;
}
