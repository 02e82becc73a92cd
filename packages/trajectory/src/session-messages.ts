import type { ContentPart, StatusUpdate, ToolCall, ToolResult, UserInput } from "@askwire/protocol";
import type { Message, ModelGiven } from "@askwire/server";
import type { JournalRecord } from "@askwire/server/internal";
import { callFacts } from "./call-facts.js";
import type { AskedStep, GivenToModel, RecordedSession, RecordedTurn } from "./examples.js";
import { faultsOf } from "./faults.js";
import { historyMessage } from "./history-message.js";
import { textSigns } from "./plain-text.js";
import { inputText } from "./result-text.js";
import * as steps from "./step.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** UTF-16 units of one trajectory: a longer one is no example, and would have to be held in memory. */
const MOST = 16 * 1024 * 1024;
/** The size of a message besides its text. */
const MESSAGE = 64;

/** The reason why a session is no trajectory. */
export type NoTrajectory = "empty" | "too_long";

/** A prompt; `began` is true once anything was put to the model for it. */
interface TurnSoFar {
  readonly input: UserInput;
  readonly at: number;
  began: boolean;
}

/**
 * The messages of a session, gathered from the records of its journal (P-TRJ-2 to P-TRJ-5). A turn without a step, such
 * as a slash command, reached no model and is left out. The acts of sub-agents are left out too.
 */
export class SessionMessages {
  readonly #messages: TrajectoryMessage[] = [];
  readonly #facts = callFacts();
  #turn: TurnSoFar | undefined;
  #step: steps.RecordedStep | undefined;
  /** The last step that is over. */
  #last: steps.RecordedStep | undefined;
  /** The words of a hook when the model was about to end. */
  #again: string | undefined;
  #first: { readonly at: number; readonly task: string } | undefined;
  /** The time of the last record that counts. */
  #until = 0;
  /** True if the last turn came to its end. */
  #isEnded = false;
  #planMode = false;
  #length = 0;
  /** Contents by their hashes. */
  readonly #texts = new Map<unknown, unknown>();
  readonly #steps: AskedStep[] = [];
  readonly #turns: RecordedTurn[] = [];
  /** The instructions and tools that the model was sent for the running step. */
  #given: GivenToModel | undefined;
  /** The messages that the model still knew of the forgotten conversation. */
  #base: readonly TrajectoryMessage[] = [];
  /** The place of the first message that it has read after that. */
  #from = 0;
  /** The facts of the running turn alone. */
  #turnFacts = callFacts();

  /** The effect of each type of record. */
  readonly #takes: Readonly<Record<string, (payload: never, at: number) => void>> = {
    TurnBegin: ({ user_input }: { user_input: UserInput }, at) => this.#beginTurn(user_input, at),
    TurnEnd: (_, at) => this.#endTurn(true, at),
    StepBegin: () => this.#beginStep(),
    StepRetry: () => this.#retryStep(),
    StepInterrupted: () => this.#interruptStep(),
    StatusUpdate: (update: StatusUpdate) => this.#update(update),
    SteerInput: ({ user_input }: { user_input: UserInput }) => this.#steer(user_input),
    HookResolved: (hook: { event: string; action: string; reason: string }) => this.#hook(hook),
    ContentPart: (part: ContentPart) => this.#inStep((step) => steps.addSaid(step, part)),
    ToolCall: (made: ToolCall) => this.#inStep((step) => steps.call(step, made)),
    ToolCallPart: ({ arguments_part }: { arguments_part: string | null }) =>
      this.#inStep((step) => steps.moreArguments(step, arguments_part)),
    ToolResult: ({ tool_call_id, return_value }: ToolResult) =>
      this.#inStep((step) => steps.result(step, tool_call_id, return_value)),
  };

  /** The effect of each type of note. */
  readonly #notes: Readonly<Record<string, (payload: never) => void>> = {
    ModelText: ({ hash, content }: { hash: string; content: unknown }) => this.#texts.set(hash, content),
    ModelAsked: (hashes: { system?: string; tools?: string }) => this.#ask(hashes),
    ModelSaid: ({ content }: { content: ContentPart[] }) => {
      if (this.#step !== undefined) steps.saidInText(this.#step, content);
    },
    ModelForgot: ({ messages }: { messages: Message[] }) => this.#forget(messages),
  };

  /** Takes the next record; false once further records are useless. */
  take({ form, type, payload, timestamp }: JournalRecord): boolean {
    if (form === "note" && Object.hasOwn(this.#notes, type)) this.#notes[type]?.(payload as never);
    if (form !== "event" || !Object.hasOwn(this.#takes, type)) return true;
    this.#takes[type]?.(payload as never, timestamp);
    if (this.#turn?.began) this.#until = timestamp;
    return this.#length <= MOST;
  }

  /** Makes the result of the records. No record can follow. */
  finish(session: string): RecordedSession | NoTrajectory {
    this.#endTurn(this.#turn === undefined, this.#until);
    const first = this.#first;
    const last = this.#last;
    if (this.#length > MOST) return "too_long";
    if (first === undefined || !this.#messages.some(({ role }) => role === "assistant")) return "empty";
    const success = this.#isEnded && last !== undefined && isAnswer(last);
    const trajectory: Trajectory = {
      version: 1,
      session,
      started_at: utc(first.at),
      duration_s: Math.max(0, Math.round((this.#until - first.at) * 1000) / 1000),
      task: first.task,
      messages: this.#messages,
      flags: { ...this.#facts.counted, success },
    };
    return { trajectory, turns: this.#turns, steps: this.#steps };
  }

  #ask({ system, tools }: { system?: string; tools?: string }): void {
    this.#given = {
      system: this.#texts.get(system) as string | undefined,
      tools: this.#texts.get(tools) as ModelGiven["tools"] | undefined,
    };
  }

  #forget(messages: readonly Message[]): void {
    this.#base = messages.flatMap(historyMessage);
    this.#from = this.#messages.length;
  }

  #beginTurn(input: UserInput, at: number): void {
    this.#endTurn(false, this.#until);
    this.#turn = { input, at, began: false };
  }

  #endTurn(isEnded: boolean, at: number): void {
    this.#closeStep();
    if (this.#turn?.began) {
      this.#isEnded = isEnded;
      this.#until = at;
      const success = isEnded && this.#last !== undefined && isAnswer(this.#last);
      this.#turns.push({ faults: faultsOf({ ...this.#turnFacts.counted, success }), success });
      this.#turnFacts = callFacts();
    }
    this.#turn = undefined;
    this.#again = undefined;
  }

  #beginStep(): void {
    if (this.#turn === undefined) return;
    this.#completeStep();
    this.#putTurn(this.#turn);
    if (this.#again !== undefined) this.#person(this.#again);
    this.#again = undefined;
    this.#step = steps.newStep();
    this.#given = undefined;
  }

  /** Adds the prompt of a turn, with its first step. */
  #putTurn(turn: TurnSoFar): void {
    if (turn.began) return;
    turn.began = true;
    this.#person(turn.input);
    this.#first ??= { at: turn.at, task: inputText(turn.input) };
  }

  /** Begins the step anew: the model is asked again, and does not see its first words. */
  #retryStep(): void {
    if (this.#step !== undefined) this.#step = steps.newStep();
  }

  #interruptStep(): void {
    this.#closeStep();
    this.#last = undefined;
  }

  #completeStep(): void {
    if (this.#step !== undefined) this.#step.whole = true;
    this.#closeStep();
  }

  #closeStep(): void {
    const step = this.#step;
    if (step === undefined) return;
    for (const facts of [this.#facts, this.#turnFacts]) {
      facts.add(step.calls);
      facts.counted.hallucinated_result ||= textSigns(step.said).result;
    }
    const at = this.#messages.length;
    for (const message of steps.stepMessages(step)) this.#add(message);
    if (this.#messages.length > at) {
      const [turn, base, from, given] = [this.#turns.length, this.#base, this.#from, this.#given];
      this.#steps.push({ turn, base, from, at, given });
    }
    this.#last = step;
    this.#step = undefined;
  }

  #update(update: StatusUpdate): void {
    if (this.#step !== undefined && endsStep(update, this.#planMode)) this.#step.whole = true;
    this.#planMode = update.plan_mode ?? this.#planMode;
  }

  #steer(input: UserInput): void {
    this.#completeStep();
    if (this.#turn?.began) this.#person(input);
  }

  #hook({ event, action, reason }: { event: string; action: string; reason: string }): void {
    if (event === "Stop" && action === "block") this.#again = reason;
  }

  /** Adds to the running step. */
  #inStep(add: (step: steps.RecordedStep) => number): void {
    if (this.#step !== undefined) this.#length += add(this.#step);
  }

  #person(input: UserInput): void {
    const content = inputText(input);
    this.#length += content.length;
    this.#add({ role: "user", content, loss: false });
  }

  #add(message: TrajectoryMessage): void {
    this.#messages.push(message);
    this.#length += MESSAGE;
  }
}

/** True for the update of a step. An update of plan mode alone changes the mode, and counts nothing. */
const endsStep = ({ plan_mode, token_usage, message_id }: StatusUpdate, before: boolean) =>
  token_usage !== null || message_id !== null || plan_mode === null || plan_mode === before;

/** A step after which nothing is left to do. */
const isAnswer = ({ whole, said, calls }: steps.RecordedStep) =>
  whole && said.trim() !== "" && calls.length === 0;

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const utc = (seconds: number) => new Date(Math.min(Math.max(seconds, 0), LATEST) * 1000).toISOString();
