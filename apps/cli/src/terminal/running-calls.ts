import type { ChatWords } from "@askwire/client/words";
import type { CallOutput } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import type { Clock } from "../device/clock.js";
import { cut, widthOf } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
import type { AnswerTold } from "./answer-told.js";
import { CallSubject } from "./call-subject-line.js";
import { outputLines } from "./command-output.js";

/** A call that runs. */
export interface RunningCall {
  readonly id: string;
  readonly tool: string;
  readonly subject: CallSubject;
  /** The time of its beginning, or of the answer that let it run. */
  beganAt: number;
  /** Set once a line with its title, or with an answer about it, has been written. */
  isTitled: boolean;
  /** The answer that let it run, which is its title from then on. */
  answer: AnswerTold | undefined;
}

/** The last lines shown of what a call prints. */
const LAST_LINES = 5;
/** The most calls kept; a turn that ends early leaves some behind. */
const MOST_CALLS = 200;
/** The time after which the row of a call says how long it runs, in milliseconds. */
const LONG_MS = 2_000;

/** The calls that run, and the last lines of what they print. */
export class RunningCallRows {
  readonly #calls = new BoundedMap<string, RunningCall>(MOST_CALLS);
  readonly #printed = new BoundedMap<string, CallOutput>(MOST_CALLS);
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #words: ChatWords;

  constructor(clock: Clock, paint: Paint, words: ChatWords) {
    this.#clock = clock;
    this.#paint = paint;
    this.#words = words;
  }

  /** The call whose arguments come. */
  last(): RunningCall | undefined {
    return [...this.#calls.values()].at(-1);
  }

  began(id: string, tool: string): RunningCall {
    const subject = new CallSubject(tool, this.#words);
    const call = { id, tool, subject, beganAt: this.#clock.now() };
    const running: RunningCall = { ...call, isTitled: false, answer: undefined };
    this.#calls.set(id, running);
    return running;
  }

  /** Takes what a call has printed last. That may come before the call itself (P-XCO-2). */
  printed(output: CallOutput): void {
    this.#printed.set(output.tool_call_id, output);
  }

  ended(id: string): RunningCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#printed.delete(id);
    return call;
  }

  /** All calls, which then are no longer shown. */
  endAll(): readonly RunningCall[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#printed.clear();
    return calls;
  }

  find(id: string): RunningCall | undefined {
    return this.#calls.get(id);
  }

  /** A call that waited for a person begins now. */
  letRun(id: string): void {
    const call = this.#calls.get(id);
    if (call !== undefined) call.beganAt = this.#clock.now();
  }

  /** The calls whose title is not written. */
  untitled(): readonly RunningCall[] {
    return [...this.#calls.values()].filter(({ isTitled }) => !isTitled);
  }

  rows(columns: number, room: number): readonly string[] {
    const all = [...this.#calls.values()];
    if (all.length === 0 || room < 1) return [];
    const isCrowded = all.length > room;
    const shown = isCrowded ? all.slice(0, room - 1) : all;
    const heads = shown.map((call) => this.#head(call, columns));
    if (isCrowded)
      return [
        ...heads,
        cut(this.#paint("dim", `  ${this.#words.moreCalls(all.length - shown.length)}`), columns),
      ];
    let left = room - heads.length;
    return shown.flatMap((call, index) => {
      const tail = this.#tail(call, columns, Math.min(left, LAST_LINES + 1));
      left -= tail.length;
      return [heads[index] as string, ...tail];
    });
  }

  #head({ subject, beganAt, answer }: RunningCall, columns: number): string {
    const ms = this.#clock.now() - beganAt;
    const took = ms < LONG_MS ? "" : this.#paint("dim", ` · ${this.#words.seconds(Math.floor(ms / 1_000))}`);
    const title = answer?.head?.about ?? subject.title(this.#paint, true);
    const end = `${answer?.head === undefined ? "" : ` ${answer.head.decision}`}${took}`;
    const sign = `${this.#paint("yellow", "•")} `;
    return cut(cut(sign + title, columns - widthOf(end)) + end, columns);
  }

  #tail({ id }: RunningCall, columns: number, room: number): string[] {
    const printed = this.#printed.get(id);
    const all = printed === undefined ? [] : outputLines(printed.text);
    if (printed === undefined || all.length === 0 || room < 2) return [];
    const lines = all.slice(-Math.min(LAST_LINES, room - 1));
    const more = printed.lines > lines.length ? [this.#words.lastLines(lines.length, printed.lines)] : [];
    return [...more, ...lines].map((line) => cut(this.#paint("dim", `  ${line}`), columns));
  }
}
