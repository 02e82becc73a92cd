import { BoundedSet } from "@askwire/protocol/internal";
import { type InteractionKind, interactionKinds } from "./entries.js";
import { promptLine } from "./first-prompt.js";
import { type LeftAsk, LeftAsks, type SettledAsk } from "./left-asks.js";
import { type FileLine, linesIn, type ReadableFile } from "./lines.js";
import { beginsRecord, type RawPayload, rawRecord } from "./raw-record.js";
import type { SkippedLine } from "./read-journal.js";
import { LastTurns, type LeftTurns } from "./unfinished.js";
import { type UnsettledRequest, UnsettledRequests } from "./unsettled.js";

/** The hashes of instructions and tools that are remembered: instructions that differ each time are no leak. */
const KNOWN_TEXTS = 256;

/** The state of a session when its last process ended, and its asks. */
export interface LeftState {
  /** True if plan mode was on when an earlier process ended (P-PLN-1). */
  readonly planMode: boolean;
  /** True if nobody wanted to be asked when an earlier process ended (P-XDN-3). */
  readonly doNotAsk: boolean;
  /** The value that the agent of an earlier process kept (P-JRN-13); undefined without one. */
  readonly agentMemory: unknown;
  /** The time at which an earlier process began it, in milliseconds since 1970; undefined for a new one. */
  readonly begunAt?: number;
  /** The first line of the first prompt of earlier processes that has text and is no slash command. */
  readonly firstPrompt?: string;
  /** The asks of earlier processes that were settled, oldest first: the last 256. */
  readonly asks: readonly SettledAsk[];
  /** The asks whose questions earlier processes left open, oldest first: whoever opens the journal resumes them. */
  readonly openAsks: readonly LeftAsk[];
}

/** All that earlier processes left in a journal. */
export interface Left {
  /** The number of the last process that wrote to it; 0 before all that say theirs. */
  readonly generation: number;
  /** The newest version of our records in it; 0 without any. */
  readonly version: number;
  readonly state: LeftState;
  readonly turns: LeftTurns;
  /** The requests that end with their process, oldest first: those of the turn and the open asks may go on. */
  readonly unsettled: readonly UnsettledRequest[];
  /** The hashes of the instructions and tools that it has (P-JRN-14). */
  readonly modelTexts: BoundedSet<string>;
}

/** Reads a journal once, from its beginning to its end. Only a turn without an end is read again, to restore it. */
export function readLeft(file: ReadableFile, onSkipped?: (skipped: SkippedLine) => void): Left {
  const end = file.size();
  const reading = new LeftReading(end);
  const wants = (beginning: string) => reading.wants(beginning);
  for (const { number: line, at, text } of linesIn(file, { end, wants })) {
    if (text === undefined) onSkipped?.({ line, problem: "it is too long" });
    else reading.take(text, at);
  }
  const from = reading.unfinishedFrom;
  return reading.left(from === undefined ? [] : linesIn(file, { from, end }));
}

/** Hands the records of a journal, oldest first, to those who gather them. */
export class LeftReading {
  readonly #unsettled = new UnsettledRequests();
  readonly #asks = new LeftAsks();
  readonly #turns: LastTurns;
  readonly #modelTexts = new BoundedSet<string>(KNOWN_TEXTS);
  readonly #process = { generation: 0, version: 0 };
  readonly #state: Changing<Omit<LeftState, "asks" | "openAsks">> = {
    planMode: false,
    doNotAsk: false,
    agentMemory: undefined,
  };

  /** @param end the place after the last line, as lines have places, by which what is recent is told. */
  constructor(end: number) {
    this.#turns = new LastTurns(end);
  }

  /** Readers of the records that say what was left, by type. All other records are passed over. */
  readonly #readers = new Map(
    Object.entries<(payload: RawPayload, text: string, at: number) => void>({
      SessionOpened: ({ generation, version }) => {
        this.#process.generation = larger(generation, this.#process.generation);
        this.#process.version = larger(version, this.#process.version);
      },
      TurnOpened: (_, text, at) => this.#turns.opened(text, at),
      TurnBegin: ({ user_input }) => this.#begun(promptLine(user_input)),
      TurnEnded: (_, text, at) => this.#turns.ended(text, at),
      StatusUpdate: ({ plan_mode }) => {
        this.#state.planMode = flag(plan_mode, this.#state.planMode);
      },
      DoNotAsk: ({ enabled }) => {
        this.#state.doNotAsk = flag(enabled, this.#state.doNotAsk);
      },
      AgentMemory: ({ value }) => {
        this.#state.agentMemory = value;
      },
      ModelText: ({ hash }) => {
        if (typeof hash === "string") this.#modelTexts.add(hash);
      },
      AskOpened: (_, text) => this.#asks.begun(text),
      InteractionOpened: ({ request_id, kind }, text) => this.#opened(request_id, kindOf(kind), text),
      QuestionRequest: ({ id }, text) => this.#opened(id, "question", text),
      ToolCallRequest: ({ id }, text) => this.#opened(id, "tool_call", text),
      InteractionTouched: ({ request_id }) => this.#asks.touched(request_id),
      InteractionEscalated: ({ request_id, step }) => this.#asks.escalated(request_id, step),
      InteractionSettled: ({ request_id }, text, at) => {
        this.#unsettled.settled(request_id);
        this.#asks.settled(request_id, text);
        this.#turns.settled(text, at);
      },
    }),
  );

  /** False for the beginning of a line that says nothing here. */
  wants(beginning: string): boolean {
    return this.#state.begunAt === undefined || beginsRecord(beginning, this.#readers);
  }

  take(text: string, at: number): void {
    if (this.#state.begunAt === undefined) Object.assign(this.#state, begunBy(text));
    const record = rawRecord(text, this.#readers);
    if (record !== undefined) this.#readers.get(record.type)?.(record.payload ?? {}, text, at);
  }

  /** The place of the first line of a turn that has no end; undefined without one. Asked once all lines were taken. */
  get unfinishedFrom(): number | undefined {
    return this.#turns.unfinishedFrom;
  }

  /** @param unfinished the lines from `unfinishedFrom` on. */
  left(unfinished: Iterable<Pick<FileLine, "text">>): Left {
    const { openAsks, settledAsks: asks } = this.#asks;
    const turns = this.#turns.left(unfinished);
    const goOn = [...openAsks, ...(turns.turn?.requests ?? [])].map(({ opened }) => opened.request_id);
    const unsettled = this.#unsettled.left(new Set(goOn));
    return {
      ...this.#process,
      state: { ...this.#state, asks, openAsks },
      turns,
      unsettled,
      modelTexts: this.#modelTexts,
    };
  }

  #begun(prompt: string | undefined): void {
    if (prompt === undefined) return;
    this.#state.firstPrompt = prompt;
    this.#readers.delete("TurnBegin");
  }

  #opened(id: unknown, kind: InteractionKind | undefined, text: string): void {
    if (typeof id !== "string" || kind === undefined) return;
    this.#asks.opened(id, text);
    this.#unsettled.opened(id, kind);
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

const larger = (value: unknown, before: number) =>
  typeof value === "number" && value > before ? value : before;

const flag = (value: unknown, before: boolean) => (typeof value === "boolean" ? value : before);

const kindOf = (kind: unknown) => interactionKinds.find((known) => known === kind);

/** The time of a record, as the beginning of its session. */
function begunBy(text: string): Pick<LeftState, "begunAt"> {
  const [, seconds] = /^\{"timestamp": ?([0-9.]+)/.exec(text) ?? [];
  return seconds === undefined ? {} : { begunAt: Number(seconds) * 1000 };
}
