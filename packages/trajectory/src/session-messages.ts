import type { ContentPart, StatusUpdate, ToolCall, ToolResult, UserInput } from "@askwire/protocol";
import type { JournalRecord } from "@askwire/server/internal";
import { callFacts } from "./call-facts.js";
import { textSigns } from "./plain-text.js";
import { inputText } from "./result-text.js";
import * as steps from "./step.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** UTF-16 units of one trajectory: a longer one is no example, and would have to be held in memory. */
const MOST = 16 * 1024 * 1024;
/** The size of a message beside its text. */
const MESSAGE = 64;

/** Why a session is no trajectory. */
export type NoTrajectory = "empty" | "too_long";

/** A prompt, and whether anything was put to the model for it. */
interface TurnSoFar {
  readonly input: UserInput;
  readonly at: number;
  began: boolean;
}

/**
 * Gathers the messages of a session from the records of its journal (P-TRJ-2 to P-TRJ-5). A turn without a step, such
 * as a slash command, reached no model and is left out. The acts of sub-agents are left out too.
 */
export function sessionMessages() {
  const messages: TrajectoryMessage[] = [];
  const facts = callFacts();
  let turn: TurnSoFar | undefined;
  let step: steps.Step | undefined;
  /** The last step that is over. */
  let last: steps.Step | undefined;
  /** The words of a hook when the model was about to end. */
  let again: string | undefined;
  let first: { readonly at: number; readonly task: string } | undefined;
  let until = 0;
  let ended = false;
  let planMode = false;
  let length = 0;

  function add(message: TrajectoryMessage): void {
    messages.push(message);
    length += MESSAGE;
  }

  function person(input: UserInput): void {
    const content = inputText(input);
    length += content.length;
    add({ role: "user", content, loss: false });
  }

  function closeStep(): void {
    if (step === undefined) return;
    facts.add(step.calls);
    facts.counted.hallucinated_result ||= textSigns(step.said).result;
    for (const message of steps.stepMessages(step)) add(message);
    last = step;
    step = undefined;
  }

  function beginStep(begun: TurnSoFar): void {
    if (step !== undefined) step.whole = true;
    closeStep();
    if (!begun.began) {
      begun.began = true;
      person(begun.input);
      first ??= { at: begun.at, task: inputText(begun.input) };
    }
    if (again !== undefined) person(again);
    again = undefined;
    step = steps.newStep();
  }

  function endTurn(wasEnded: boolean, at: number): void {
    closeStep();
    if (turn?.began) {
      ended = wasEnded;
      until = at;
    }
    turn = undefined;
    again = undefined;
  }

  const takes: Readonly<Record<string, (payload: never, at: number) => void>> = {
    TurnBegin({ user_input }: { user_input: UserInput }, at) {
      endTurn(false, until);
      turn = { input: user_input, at, began: false };
    },
    TurnEnd: (_, at) => endTurn(true, at),
    StepBegin() {
      if (turn !== undefined) beginStep(turn);
    },
    // The model is asked again, and does not see its first words.
    StepRetry() {
      if (step !== undefined) step = steps.newStep();
    },
    StepInterrupted() {
      closeStep();
      last = undefined;
    },
    StatusUpdate(update: StatusUpdate) {
      if (step !== undefined && endsStep(update, planMode)) step.whole = true;
      planMode = update.plan_mode ?? planMode;
    },
    SteerInput({ user_input }: { user_input: UserInput }) {
      if (step !== undefined) step.whole = true;
      closeStep();
      if (turn?.began) person(user_input);
    },
    HookResolved({ event, action, reason }: { event: string; action: string; reason: string }) {
      if (event === "Stop" && action === "block") again = reason;
    },
    ContentPart(part: ContentPart) {
      if (step !== undefined) length += steps.say(step, part);
    },
    ToolCall(made: ToolCall) {
      if (step !== undefined) length += steps.call(step, made);
    },
    ToolCallPart({ arguments_part }: { arguments_part: string | null }) {
      if (step !== undefined) length += steps.moreArguments(step, arguments_part);
    },
    ToolResult({ tool_call_id, return_value }: ToolResult) {
      if (step !== undefined) length += steps.result(step, tool_call_id, return_value);
    },
  };

  return {
    /** Takes the next record; false once further records are useless. */
    take({ form, type, payload, timestamp }: JournalRecord): boolean {
      if (form !== "event" || !Object.hasOwn(takes, type)) return true;
      takes[type]?.(payload as never, timestamp);
      if (turn?.began) until = timestamp;
      return length <= MOST;
    },
    /** Makes the result of the records. No record can follow. */
    finish(session: string): Trajectory | NoTrajectory {
      endTurn(turn === undefined, until);
      if (length > MOST) return "too_long";
      if (first === undefined || !messages.some(({ role }) => role === "assistant")) return "empty";
      const success = ended && last !== undefined && isAnswer(last);
      return {
        version: 1,
        session,
        started_at: utc(first.at),
        duration_s: Math.max(0, Math.round((until - first.at) * 1000) / 1000),
        task: first.task,
        messages,
        flags: { ...facts.counted, success },
      };
    },
  };
}

/** True for the update of a step. An update of plan mode alone changes the mode, and counts nothing. */
const endsStep = ({ plan_mode, token_usage, message_id }: StatusUpdate, before: boolean) =>
  token_usage !== null || message_id !== null || plan_mode === null || plan_mode === before;

/** A step after which nothing is left to do. */
const isAnswer = ({ whole, said, calls }: steps.Step) => whole && said.trim() !== "" && calls.length === 0;

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

const utc = (seconds: number) => new Date(Math.min(Math.max(seconds, 0), LATEST) * 1000).toISOString();
