import {
  type AnswerMap,
  answersFromItems,
  type CoreQuestion,
  coreQuestion,
  type ExtendedApprovalRequest,
  type heardAsked,
  type Outcome,
  type Tagged,
  type ToolReturnValue,
  type Unrecognized,
  type WireEvent,
} from "@askwire/protocol";
import type { ApprovalAnswer } from "../requests/approval-answer.js";
import type { QuestionAnswer } from "../requests/question-request.js";
import type { PutToPerson } from "./script.js";

/** An event as the client was told it. Questions and approvals are among them. */
export type RunEvent = WireEvent | Tagged<typeof heardAsked> | Unrecognized;

/** Questions that were put to the person together. */
export interface QuestionAsked {
  readonly kind: "question";
  readonly id: string;
  readonly questions: readonly CoreQuestion[];
  /** By the texts of the questions, with the labels of what was chosen; undefined without an answer. */
  readonly answer: Readonly<AnswerMap> | undefined;
  /** Undefined while the request is open. */
  readonly outcome: Outcome | undefined;
}

/** An approval that was put to the person. */
export interface ApprovalAsked {
  readonly kind: "approval";
  readonly id: string;
  /** The action, its description and whatever else the person was shown. */
  readonly approval: ExtendedApprovalRequest;
  readonly answer: ApprovalAnswer | undefined;
  /** Undefined while the request is open. */
  readonly outcome: Outcome | undefined;
}

/** A tool call of a run. */
export interface ToolCalled {
  readonly id: string;
  readonly name: string;
  /** The arguments as a value; the text itself where it is no JSON. */
  readonly arguments: unknown;
  /** Undefined for a call that was cut off. */
  readonly result: ToolReturnValue | undefined;
}

type Recorded<T> = { -readonly [K in keyof T]: T[K] };

/** Everything that the client of a run was told so far. */
export class RunRecord {
  readonly events: RunEvent[] = [];
  readonly #asked = new Map<string, Recorded<QuestionAsked> | Recorded<ApprovalAsked>>();
  readonly #calls = new Map<string, { name: string; text: string; result: ToolReturnValue | undefined }>();
  #lastCall: { text: string } | undefined;

  /** The questions and approvals, oldest first. */
  get asked(): (QuestionAsked | ApprovalAsked)[] {
    return [...this.#asked.values()].map((asked) => ({ ...asked }));
  }

  /** The text that the agent said, without that of sub-agents. */
  get text(): string {
    return this.events
      .flatMap(({ type, payload }) => (type === "ContentPart" && payload.type === "text" ? payload.text : []))
      .join("");
  }

  /** The calls in the order in which they were made, without those of sub-agents. */
  get tools(): ToolCalled[] {
    return [...this.#calls].map(([id, { name, text, result }]) => ({
      id,
      name,
      arguments: readJson(text),
      result,
    }));
  }

  /** Adds an event, with what it says of calls and requests. */
  add(event: RunEvent): void {
    this.events.push(event);
    if (event.type === "ToolCall") {
      const { id, function: called } = event.payload;
      const call = { name: called.name, text: called.arguments ?? "", result: undefined };
      this.#calls.set(id, call);
      this.#lastCall = call;
    } else if (event.type === "ToolCallPart") {
      if (this.#lastCall !== undefined) this.#lastCall.text += event.payload.arguments_part ?? "";
    } else if (event.type === "ToolResult") {
      const call = this.#calls.get(event.payload.tool_call_id);
      if (call !== undefined) call.result = event.payload.return_value;
    } else if (event.type === "InteractionSettled") {
      const { request_id, outcome, response } = event.payload;
      this.settled(request_id, outcome, response);
    }
  }

  /** Adds a request. False for one that is here already. */
  put({ kind, payload }: PutToPerson): boolean {
    const { id } = payload;
    if (this.#asked.has(id)) return false;
    const open = { id, answer: undefined, outcome: undefined };
    this.#asked.set(
      id,
      kind === "question"
        ? { kind, ...open, questions: payload.questions.map(coreQuestion) }
        : { kind, ...open, approval: payload },
    );
    return true;
  }

  /** Notes the end of a request. */
  settled(id: string, outcome: unknown, response: unknown): void {
    const asked = this.#asked.get(id);
    if (asked === undefined || asked.outcome !== undefined) return;
    asked.outcome = outcome as Outcome;
    if (response === undefined) return;
    if (asked.kind === "approval") asked.answer = response as ApprovalAnswer;
    else asked.answer = { ...answersFromItems(asked.questions, (response as QuestionAnswer).items) };
  }

  /** True while a request waits. */
  isOpen(id: string): boolean {
    const asked = this.#asked.get(id);
    return asked !== undefined && asked.outcome === undefined;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
