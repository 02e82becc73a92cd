import { visibleLine } from "@askwire/client/text";
import { claimIn, type TerminalWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import type { LineFeed } from "../lines/line-readers.js";
import { answerRow, type RowAnswerer } from "./answer-row.js";
import type { OpenedPerson } from "./pane.js";
import { type InboxRow, rowKey, type Waiting } from "./waiting.js";
import { spokenLine, wordOnClaim } from "./words-of-row.js";

interface SpokenOptions {
  readonly lines: Pick<LineFeed, "next" | "interactive">;
  readonly waiting: Pick<Waiting, "rows" | "all" | "isWhole">;
  readonly words: TerminalWords["inbox"];
  readonly clock: Clock;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly tell: (line: string) => void;
  readonly person: (row: InboxRow, left: () => void) => OpenedPerson;
}

/** The request that is open. */
interface Opened {
  readonly key: string;
  readonly leave: AbortController;
  readonly person: OpenedPerson["person"];
  /** Set once Ctrl-C has been pressed in it. */
  isLeaving: boolean;
}

/**
 * The inbox in lines, for screen readers and logs: what waits, what comes and what goes, each as a line with a number
 * that stays. Where nobody types, it only tells.
 */
export class SpokenInbox {
  readonly #options: SpokenOptions;
  readonly #numbers = new Map<string, number>();
  /** The words on who has taken them, as they were told last. */
  readonly #claims = new Map<string, string>();
  readonly #end = new AbortController();
  #last = 0;
  #hasTold = false;
  #opened: Opened | undefined;

  constructor(options: SpokenOptions) {
    this.#options = options;
  }

  /** Tells and takes numbers until the person leaves, or the input ends. */
  async run(): Promise<void> {
    const { lines } = this.#options;
    if (!lines.interactive) return this.#untilClosed();
    for (;;) {
      const line = await lines.next("> ", this.#end.signal, { below: true }).catch(() => undefined);
      if (line === undefined || this.#end.signal.aborted) return;
      const said = line.trim();
      if (/^(?:q|quit|exit)$/i.test(said)) return;
      await this.#take(said);
    }
  }

  close(): void {
    this.#end.abort();
  }

  /** Ctrl-C: goes back to the list from a request, which stays open; at the list it leaves. */
  interrupted(): void {
    const opened = this.#opened;
    if (opened === undefined) return this.close();
    const wasLeaving = opened.isLeaving;
    opened.isLeaving = true;
    // The reply of the interrupted question is dropped, then the session is left.
    if (wasLeaving || !opened.person.interrupt()) opened.leave.abort();
  }

  /** Something has come, changed or gone. */
  changed(): void {
    const { waiting, tell, words } = this.#options;
    if (!this.#hasTold && !waiting.isWhole) return;
    const { rows } = waiting;
    if (!this.#hasTold) {
      this.#hasTold = true;
      tell(words.counted(waiting.all, rows.length));
      for (const row of rows) this.#number(row);
      this.#tellAll();
      if (this.#options.lines.interactive) tell(words.howToOpen);
      return;
    }
    const there = new Set(rows.map(({ request }) => rowKey(request)));
    // A stored session that is opened leaves one place before it is listed by the other.
    if (this.#opened !== undefined) there.add(this.#opened.key);
    for (const [key, number] of this.#numbers) {
      if (there.has(key)) continue;
      this.#numbers.delete(key);
      this.#claims.delete(key);
      tell(words.gone(number));
    }
    for (const row of rows) {
      if (!this.#numbers.has(rowKey(row.request))) this.#tell(row, this.#number(row));
      else this.#tellClaim(row);
    }
  }

  /** Tells that somebody has taken a request, or that nobody has it now, once. */
  #tellClaim({ request }: InboxRow): void {
    const { tell, words } = this.#options;
    const key = rowKey(request);
    const number = this.#numbers.get(key) ?? 0;
    const before = this.#claims.get(key);
    const taken = claimIn(request.answering);
    const now = taken && wordOnClaim(taken, words);
    if (now === before) return;
    if (now === undefined) this.#claims.delete(key);
    else this.#claims.set(key, now);
    tell(now === undefined ? words.free(number) : words.taken(number, now));
  }

  #number({ request }: InboxRow): number {
    this.#last += 1;
    this.#numbers.set(rowKey(request), this.#last);
    return this.#last;
  }

  #tellAll(): void {
    for (const row of this.#options.waiting.rows) {
      const number = this.#numbers.get(rowKey(row.request));
      if (number !== undefined) this.#tell(row, number);
    }
  }

  #tell(row: InboxRow, number: number): void {
    const { tell, words, now } = this.#options;
    const taken = claimIn(row.request.answering);
    if (taken !== undefined) this.#claims.set(rowKey(row.request), wordOnClaim(taken, words));
    tell(spokenLine(row, number, now(), words));
  }

  async #take(said: string): Promise<void> {
    const { waiting, tell, words } = this.#options;
    if (said === "") {
      tell(words.counted(waiting.all, waiting.rows.length));
      return this.#tellAll();
    }
    const [, act, number = said] = /^([tg]) *(\d+)$/i.exec(said) ?? [];
    const row = waiting.rows.find(({ request }) => String(this.#numbers.get(rowKey(request))) === number);
    if (row === undefined) return tell(words.noSuchNumber(visibleLine(number)));
    if (act === undefined) return this.#answer(row);
    const takes = act.toLowerCase() === "t";
    await row.place.claim(row.request, takes).catch((error: Error) => {
      tell((takes ? words.notTaken : words.notGivenBack)(visibleLine(error.message)));
    });
  }

  async #answer(row: InboxRow): Promise<void> {
    const { tell, words, clock } = this.#options;
    const leave = new AbortController();
    const { person, answerer } = this.#options.person(row, () => leave.abort());
    const opened: Opened = { key: rowKey(row.request), leave, person, isLeaving: false };
    this.#opened = opened;
    const unlessLeft = async <Reply>(reply: PromiseLike<Reply> | Reply): Promise<Reply> => {
      const given = await reply;
      if (opened.isLeaving) leave.abort();
      return given;
    };
    try {
      const asked = {
        ...answerer,
        question: (...given: Parameters<RowAnswerer["question"]>) => unlessLeft(person.question(...given)),
        approval: (...given: Parameters<RowAnswerer["approval"]>) => unlessLeft(person.approval(...given)),
        updated: person.updated.bind(person),
      };
      const signal = AbortSignal.any([leave.signal, this.#end.signal]);
      const end = await answerRow(row, asked, { signal, clock });
      if (end === "not there") tell(words.notThere(visibleLine(row.request.text)));
    } catch (error) {
      tell(words.notOpened(visibleLine((error as Error).message)));
    } finally {
      this.#opened = undefined;
      person.close();
      this.changed();
    }
  }

  #untilClosed(): Promise<void> {
    const { signal } = this.#end;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}
