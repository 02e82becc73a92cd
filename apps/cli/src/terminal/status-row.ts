import type { SessionStatus } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import { cut } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";

/** The facts for the row below the prompt, as far as they are known. */
export interface StatusFacts {
  readonly model?: string | undefined;
  /** The mode of an agent that others wrote, by its own name. */
  readonly mode?: string | undefined;
  readonly status?: SessionStatus | undefined;
  readonly isYolo?: boolean;
  readonly isAfk?: boolean;
  /** The requests that wait for the person. */
  readonly waiting?: number;
  readonly isLost?: boolean;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** The time of one picture of the spinner, in milliseconds. */
const STEP_MS = 125;

/** The row below the prompt. While nothing runs it stays unchanged, and nothing is written. */
export class StatusRow {
  readonly #clock: Clock;
  readonly #paint: Paint;
  readonly #words: ChatWords;
  readonly #changed: () => void;
  readonly #told: () => StatusFacts;
  #turn: { readonly beganAt: number; isOurs: boolean; isCancelled: boolean } | undefined;
  #stop = () => {};

  /** @param changed called when the row has to be drawn again. */
  constructor(
    { clock, paint, words }: { readonly clock: Clock; readonly paint: Paint; readonly words: ChatWords },
    told: () => StatusFacts,
    changed: () => void,
  ) {
    this.#clock = clock;
    this.#paint = paint;
    this.#words = words;
    this.#told = told;
    this.#changed = changed;
  }

  /** @param isOurs set for a turn that a key here cancels. */
  began(isOurs: boolean): void {
    this.#turn = { beganAt: this.#clock.now(), isOurs, isCancelled: false };
    this.#stop();
    this.#step();
  }

  cancelled(): void {
    if (this.#turn !== undefined) this.#turn.isCancelled = true;
    this.#changed();
  }

  ended(): void {
    this.#turn = undefined;
    this.#stop();
    this.#changed();
  }

  row(columns: number): string | undefined {
    const parts = [...this.#state(), ...this.#rest()];
    return parts.length === 0 ? undefined : cut(`  ${parts.join(this.#paint("dim", " · "))}`, columns);
  }

  #step(): void {
    this.#changed();
    this.#stop = this.#clock.after(STEP_MS, () => this.#step());
  }

  #state(): string[] {
    const words = this.#words;
    if (this.#turn === undefined) return [];
    const { beganAt, isCancelled } = this.#turn;
    const ms = this.#clock.now() - beganAt;
    const sign = SPINNER[Math.floor(ms / STEP_MS) % SPINNER.length] as string;
    const state = `${sign} ${isCancelled ? words.isCancelled : words.works}`;
    return [this.#paint("cyan", state), this.#paint("dim", words.seconds(Math.floor(ms / 1_000)))];
  }

  #rest(): string[] {
    const words = this.#words;
    const { model, mode, status, isYolo, isAfk, waiting = 0, isLost } = this.#told();
    const marks = [
      ...(isLost ? [this.#paint("red", words.isLost)] : []),
      ...(waiting > 0 ? [this.#paint("yellow", words.waiting(waiting))] : []),
      ...(status?.plan_mode ? [this.#paint("magenta", words.planned)] : []),
      ...(isYolo ? [this.#paint("red", words.yolo)] : []),
      ...(isAfk ? [this.#paint("yellow", words.afk)] : []),
    ];
    const cancels = this.#turn?.isOurs === true && !this.#turn.isCancelled ? [words.escCancels] : [];
    const facts = [
      ...cancels,
      ...(mode === undefined || status?.plan_mode ? [] : [visibleLine(mode)]),
      ...(model === undefined ? [] : [visibleLine(model)]),
      ...this.#context(status),
    ];
    return [...marks, ...facts.map((text) => this.#paint("dim", text))];
  }

  #context(status: SessionStatus | undefined): string[] {
    const { context_tokens: tokens, context_usage: usage } = status ?? {};
    return [
      ...(tokens == null ? [] : [this.#words.tokens(inThousands(tokens))]),
      ...(usage == null
        ? []
        : [this.#words.contextLeft(Math.round(100 * Math.max(0, Math.min(1, 1 - usage))))]),
    ];
  }
}

const inThousands = (tokens: number) =>
  tokens < 1_000 ? String(tokens) : `${(tokens / 1_000).toFixed(tokens < 10_000 ? 1 : 0)}k`;
