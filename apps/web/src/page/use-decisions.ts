import type { ClientSession } from "@askwire/client";
import { type HeardDecision, listDecisions, type WantedDecisions } from "@askwire/client/decisions";
import { useCallback, useEffect, useRef, useState } from "react";

/** The decisions that a person sees, and whether more are read. */
export interface SeenDecisions {
  readonly is: "reading" | "here" | "failed";
  readonly rows: readonly HeardDecision[];
  /** The place where the next page begins. Undefined once there is no more. */
  readonly next?: string | undefined;
  readonly why?: string;
}

/** The time without a further key after which words are looked for, in milliseconds. */
const PAUSE_MS = 300;
/** Rows of a page. */
const ROWS = 50;

/**
 * Reads what was decided, anew whenever something else is wanted: the last reading is then given up.
 *
 * @returns what was read, and a function that reads on, or again after a failure.
 */
export function useDecisions(
  session: ClientSession,
  wanted: WantedDecisions,
): readonly [SeenDecisions, () => void] {
  const [seen, setSeen] = useState<SeenDecisions>({ is: "reading", rows: [] });
  const ending = useRef<AbortController>(undefined);
  const read = useCallback(
    async (rows: readonly HeardDecision[], from: string | undefined) => {
      ending.current?.abort();
      const mine = new AbortController();
      ending.current = mine;
      setSeen({ is: "reading", rows });
      try {
        // A page of a long search may be empty.
        for (let after = from; ; ) {
          const options = { signal: mine.signal };
          const part = { ...wanted, limit: ROWS, ...(after !== undefined && { after }) };
          const { decisions, next } = await listDecisions(session, part, options);
          if (mine.signal.aborted) return;
          after = next;
          if (decisions.length > 0 || next === undefined)
            return setSeen({ is: "here", rows: [...rows, ...decisions], next });
        }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (!mine.signal.aborted) setSeen({ is: "failed", rows, next: from, why });
      }
    },
    [session, wanted],
  );
  useEffect(() => {
    const timer = setTimeout(() => void read([], undefined), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.current?.abort();
    };
  }, [read]);
  return [seen, () => void read(seen.rows, seen.next)];
}
