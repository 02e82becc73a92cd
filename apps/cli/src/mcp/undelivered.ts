import { createHash } from "node:crypto";
import type { AskedQuestion } from "../ask/questions.js";
import type { AnsweredQuestions, Asker } from "./asking.js";

/** The time for which an answer that no call has fetched goes to the next call of the same words, in milliseconds. */
const FRESH_MS = 15 * 60_000;
/** The most questions that are found by their words: as many as a gateway remembers (P-XAK-4). */
const MOST = 256;
/** The UTF-16 units of a question that a list shows. */
const MOST_SHOWN = 200;

interface Kept {
  readonly handle: string;
  readonly asker: Asker;
  readonly questions: readonly string[];
  /** The time of the end, in milliseconds since 1970; undefined while the questions are open, as far as is known. */
  endedAt?: number;
}

/** The handles of questions whose outcome no call has delivered, by a digest of agent, folder and questions. */
export interface Undelivered {
  /** The handle of the same questions, if they are open or ended a short time ago; else the new one, which is kept. */
  handleFor(asker: Asker, questions: readonly AskedQuestion[], make: () => string): string;
  /** The questions of a handle have ended. */
  ended(handle: string): void;
  /** A call has the outcome, or nobody wants it any more. */
  delivered(handle: string): void;
  /** True for an end that is too old to answer the same words again. */
  isStale(at: number): boolean;
  /** The questions of an asker that have ended, oldest first. */
  answered(asker: Asker): readonly AnsweredQuestions[];
}

/** @param now milliseconds since 1970. */
export function undeliveredHandles(now: () => number): Undelivered {
  const kept = new Map<string, Kept>();
  const isStale = (at: number) => now() - at > FRESH_MS;

  function dropStale(): void {
    for (const [digest, { endedAt }] of kept)
      if (endedAt !== undefined && isStale(endedAt)) kept.delete(digest);
  }

  return {
    isStale,
    handleFor(asker, questions, make) {
      dropStale();
      const digest = createHash("sha256")
        .update(JSON.stringify([asker, questions]))
        .digest("base64url");
      const known = kept.get(digest);
      if (known !== undefined) return known.handle;
      const handle = make();
      const shown = questions.map(({ question }) => question.slice(0, MOST_SHOWN));
      kept.set(digest, { handle, asker, questions: shown });
      const [oldest] = kept.keys();
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
      return handle;
    },
    ended(handle) {
      for (const one of kept.values()) if (one.handle === handle) one.endedAt ??= now();
    },
    delivered(handle) {
      for (const [digest, one] of kept) if (one.handle === handle) kept.delete(digest);
    },
    answered({ name, folder }) {
      dropStale();
      return [...kept.values()].flatMap(({ handle, asker, questions, endedAt }) =>
        endedAt === undefined || asker.name !== name || asker.folder !== folder
          ? []
          : [{ handle, questions, at: new Date(endedAt).toISOString() }],
      );
    },
  };
}
