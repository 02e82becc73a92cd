import { join } from "node:path";
import type { FoundSession } from "@askwire/server";
import { firstRecordAt, JOURNAL_FILE, type KeptDecision, readDecisions } from "@askwire/server/internal";

/** A decision, and the session that it belongs to. */
export interface ToldDecision {
  readonly session: Pick<FoundSession, "id" | "title" | "workDir">;
  readonly decision: KeptDecision;
  /** The words for a request or an answer that is not kept itself. */
  readonly words?: DecisionWords;
  /** True where a server has cut a text, or left the request or the answer out, for its length. */
  readonly isCut?: true;
}

/** A question and its answer in words, and the digest of the request. */
export interface DecisionWords {
  readonly asked?: string;
  readonly digest?: string;
  readonly answer?: string;
}

/** The choice of decisions, and what is told of sessions that cannot be read. */
export interface MergedRules {
  /** Chooses among the decisions. */
  readonly wants: (decision: KeptDecision) => boolean;
  /** True for a session of which nothing is wanted, by the time of its first record in milliseconds since 1970. */
  readonly isLater: (begunAt: number) => boolean;
  /** Told of each session of which lines, or all, could not be read. */
  readonly onUnread: (session: FoundSession, problem: string) => void;
}

/** The journals that are read beside each other: what a further one has is read at once, into memory. */
const MOST_READ = 256;

/**
 * The decisions of sessions by their time, the oldest first; then the requests that are still open, without an outcome.
 * A journal is read from the time of its first record on, and no further than to its next decision.
 */
export async function* mergedDecisions(
  sessions: readonly FoundSession[],
  rules: MergedRules,
): AsyncGenerator<ToldDecision> {
  const later = sessions
    .map((session) => ({ session, begunAt: firstRecordAt(join(session.folder, JOURNAL_FILE)) ?? 0 }))
    .filter(({ begunAt }) => !rules.isLater(begunAt))
    .sort((one, other) => other.begunAt - one.begunAt);
  const reading: DecisionQueue[] = [];
  const open: ToldDecision[] = [];
  for (;;) {
    const next = later.at(-1);
    const [first] = reading;
    if (next !== undefined && (first === undefined || next.begunAt <= first.at)) {
      later.pop();
      const queue = new DecisionQueue(next.session, rules, open);
      if (await queue.advance()) insert(reading, queue);
      if (reading.length > MOST_READ) await queue.drain();
    } else if (first !== undefined) {
      reading.shift();
      yield first.told as ToldDecision;
      if (await first.advance()) insert(reading, first);
    } else break;
  }
  yield* open.sort((one, other) => one.decision.at - other.decision.at);
}

function insert(reading: DecisionQueue[], queue: DecisionQueue): void {
  let [from, to] = [0, reading.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((reading[middle] as DecisionQueue).at <= queue.at) from = middle + 1;
    else to = middle;
  }
  reading.splice(from, 0, queue);
}

/** The decisions of one session, of which the next one is known. */
class DecisionQueue {
  readonly #session: FoundSession;
  readonly #rules: MergedRules;
  readonly #open: ToldDecision[];
  readonly #decisions: AsyncGenerator<KeptDecision>;
  #drained: KeptDecision[] | undefined;
  #next: KeptDecision | undefined;
  #skipped = 0;

  /** @param open takes the requests that are open at the end. */
  constructor(session: FoundSession, rules: MergedRules, open: ToldDecision[]) {
    this.#session = session;
    this.#rules = rules;
    this.#open = open;
    this.#decisions = readDecisions(join(session.folder, JOURNAL_FILE), {
      onSkipped: () => {
        this.#skipped += 1;
      },
    });
  }

  get told(): ToldDecision | undefined {
    return this.#next && { session: this.#session, decision: this.#next };
  }

  /** The time of the next decision, in milliseconds since 1970. */
  get at(): number {
    return this.#next?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Goes to the next decision. Returns false at the end. */
  async advance(): Promise<boolean> {
    this.#next = this.#drained === undefined ? await this.#read() : this.#drained.pop();
    return this.#next !== undefined;
  }

  /** Reads the journal to its end, so that its file is closed. */
  async drain(): Promise<void> {
    const all: KeptDecision[] = [];
    for (let next = await this.#read(); next !== undefined; next = await this.#read()) all.push(next);
    this.#drained = all.reverse();
  }

  async #read(): Promise<KeptDecision | undefined> {
    try {
      for (;;) {
        const { value, done } = await this.#decisions.next();
        if (done) break;
        if (!this.#rules.wants(value)) continue;
        if (value.outcome !== undefined) return value;
        this.#open.push({ session: this.#session, decision: value });
      }
    } catch (error) {
      this.#rules.onUnread(this.#session, (error as Error).message);
    }
    if (this.#skipped > 0) this.#rules.onUnread(this.#session, skippedText(this.#skipped));
    this.#skipped = 0;
    return undefined;
  }
}

/** The words for lines of a session that cannot be read. */
export const skippedText = (lines: number) =>
  `${lines === 1 ? "a line" : `${lines} lines`} of it could not be read, and may have had a decision`;
