import type {
  AnswerItem,
  AnswerMap,
  AskParams,
  HeardAskResult,
  HeardOutcome,
  In,
  QuestionInput,
} from "@askwire/protocol";
import { uuid } from "../runtime/uuid.js";

/** Questions of this program for the people of a session (P-XAK-1 to P-XAK-6). */
export interface AskInit {
  /** The questions. Leave them out to come back for what was asked under the `key`. */
  readonly questions?: readonly QuestionInput[];
  /**
   * This program's own name of the ask, from 1 to 128 characters: the same questions under the same key are asked once,
   * and have one outcome. Default: a new UUID.
   */
  readonly key?: string;
  /** The people's time in milliseconds, and whether the shown defaults count after it. Default: no deadline. */
  readonly deadline?: { readonly ms: number; readonly on_expiry: "cancel" | "default" };
  /** False to have the reply at once, without an outcome while the questions are open. Default: true. */
  readonly wait?: boolean;
  /**
   * The calls of this program that wait for the outcome, from 0 to 1,000: people are told where there are several
   * (P-XAK-10). Sent again without `wait`, another number takes its place. Default: 1 that waits.
   */
  readonly calls?: number;
  /** True to be asked by this client's own handler too. Default: false. */
  readonly here?: boolean;
  /**
   * The fate of open questions when this client is gone for longer than the server waits. Default: `keep` with a
   * your own `key`, since you can come back; else `withdraw`.
   */
  readonly onLost?: "keep" | "withdraw";
  /** Withdraws the questions when aborted; the outcome then says so. */
  readonly signal?: AbortSignal;
}

/** The end of an ask, or its questions while they are open. */
export interface Asked {
  /** The key to come back with. */
  readonly key: string;
  /** The id of the questions, the same for every client. */
  readonly request_id: string;
  /** Undefined while the questions are open, which only an ask without `wait` is told. */
  readonly outcome: HeardOutcome | undefined;
  /** By question text, as in the base profile. Empty unless the outcome has an answer. */
  readonly answers: Readonly<AnswerMap>;
  /** By the ids of questions and options. Empty unless the outcome has an answer. */
  readonly items: readonly AnswerItem[];
}

/** Writes an ask for the wire. */
export function askParams({ key, onLost, signal: _, questions, ...rest }: AskInit): In<typeof AskParams> {
  const lost = onLost ?? (key === undefined ? "withdraw" : undefined);
  return {
    ...rest,
    key: key ?? uuid(),
    ...(questions !== undefined && { questions: [...questions] }),
    ...(lost !== undefined && { on_lost: lost }),
  };
}

/** Reads the reply to an ask. */
export const asked = (key: string, { request_id, outcome, answers, items }: HeardAskResult): Asked => ({
  key,
  request_id,
  outcome,
  answers: answers ?? Object.create(null),
  items: items ?? [],
});
