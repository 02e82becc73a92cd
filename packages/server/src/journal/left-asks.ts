import { AskResult, type Outcome } from "@askwire/protocol";
import { BoundedMap, defined } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { ApprovalAnswer } from "../requests/approval-request.js";
import type { QuestionAnswer } from "../requests/question-request.js";
import { type AskOpened, type InteractionOpened, type InteractionSettled, validRecord } from "./entries.js";

/** The number of settled asks that are read, the newest, and of open ones. */
const MOST_SETTLED = 256;
const MOST_OPEN = 10_000;

/** An ask that was settled, with its outcome and answer. */
export interface SettledAsk extends Pick<AskOpened, "request_id" | "key" | "digest"> {
  readonly outcome: Outcome;
  readonly answer?: QuestionAnswer | ApprovalAnswer;
}

/** An ask whose request an earlier process left open. */
export interface LeftAsk {
  readonly asked: AskOpened;
  readonly opened: InteractionOpened;
  /** The time of its opening, in milliseconds since 1970. */
  readonly since: number;
  /** True if somebody had begun to answer. */
  readonly touched: boolean;
  /** The number of steps by which its addressees have grown. */
  readonly escalated: number;
  /** True if the record of questions for base clients is there, which a crash may have cut off. */
  readonly isWhole: boolean;
}

type Changing<T> = { -readonly [K in keyof T]?: T[K] };

/** Gathers the asks of a journal, by the ids of their requests. */
export class LeftAsks {
  readonly #settled = new BoundedMap<unknown, SettledAsk>(MOST_SETTLED);
  readonly #open = new BoundedMap<unknown, Changing<LeftAsk> & Pick<LeftAsk, "asked">>(MOST_OPEN);

  /** The settled asks, oldest first. */
  get settledAsks(): SettledAsk[] {
    return [...this.#settled.values()];
  }

  /** The open asks, oldest first. Those of which a crash cut off even the request were sent to nobody. */
  get openAsks(): LeftAsk[] {
    return [...this.#open.values()].flatMap(
      ({ asked, opened, since = 0, touched = false, escalated = 0, isWhole = false }) =>
        opened === undefined ? [] : [{ asked, opened, since, touched, escalated, isWhole }],
    );
  }

  begun(text: string): void {
    const asked = validRecord(text)?.payload as AskOpened | undefined;
    if (asked !== undefined) this.#open.set(asked.request_id, { asked });
  }

  /** Takes a record of the request: ours first, then that of questions for base clients. */
  opened(id: unknown, text: string): void {
    const ask = this.#open.get(id);
    const record = ask && validRecord(text);
    if (record === undefined || ask === undefined) return;
    if (record.form === "request") ask.isWhole = true;
    else {
      ask.opened = record.payload as InteractionOpened;
      ask.since = record.timestamp * 1000;
    }
  }

  touched(id: unknown): void {
    const ask = this.#open.get(id);
    if (ask !== undefined) ask.touched = true;
  }

  /** @param step the number of a step that was made, from 1. */
  escalated(id: unknown, step: unknown): void {
    const ask = this.#open.get(id);
    if (ask !== undefined && typeof step === "number") ask.escalated = Math.max(ask.escalated ?? 0, step);
  }

  settled(id: unknown, text: string): void {
    const ask = this.#open.get(id);
    const record = ask && validRecord(text);
    if (ask === undefined || record === undefined) return;
    this.#open.delete(id);
    const { request_id, key, digest } = ask.asked;
    const { outcome, response } = record.payload as InteractionSettled;
    const read = validateCompiled(AskResult, { request_id, ...(response as object | undefined) });
    const answer = read.ok ? answerIn(read.value) : undefined;
    this.#settled.set(id, { request_id, key, digest, outcome, ...(answer !== undefined && { answer }) });
  }
}

/** The answer that a record of a settlement has, to questions or to an approval. */
function answerIn(response: AskResult): SettledAsk["answer"] {
  const { answers, items, response: word, feedback = "", option, edited } = response;
  if (word !== undefined) return { response: word, feedback, ...defined({ option, edited }) };
  return answers !== undefined && items !== undefined ? { answers, items } : undefined;
}
