import type { FormResult, FormState } from "@askwire/client/form";
import type { AnswerIssue, CoreQuestion } from "@askwire/protocol";
import type { AnswerTold } from "../terminal/answer-told.js";
import type { Due } from "./deadline.js";

/** A request of any kind, for a panel. */
export interface PanelRequest<Reply = unknown> {
  readonly kind: "approval" | "question";
  readonly id: string;
  readonly tool_call_id: string;
  /** The sender and purpose, on one line. */
  readonly title: string;
  /** The part of the title for the panel. Empty if the agent itself asks. */
  readonly heading: string;
  /** Foreign text for a notification. */
  readonly told: string;
  /** Painted lines above the rows, without control characters. */
  readonly subject: readonly string[];
  /** The subject for the full text, with the parts that the panel leaves out. */
  readonly subjectInFull: readonly string[];
  readonly questions: readonly CoreQuestion[];
  /** Makes an empty form. */
  readonly form: () => FormState;
  readonly due: Due | undefined;
  /** The server's reasons for refusing the last answer. */
  readonly issues: readonly AnswerIssue[];
  readonly signal: AbortSignal;
  /** Tells the server that the person began to answer. */
  touch(): void;
  /** The answer as the conversation shows it once the panel is gone. */
  summary(result: FormResult): AnswerTold;
  /** Reports if a result lets the agent do what is asked about. */
  allows(result: FormResult): boolean;
  /** Reports if those lines already show the result of the call. */
  tellsAll(result: FormResult): boolean;
  reply(result: FormResult): Reply;
  /** The text that the person may change before they answer; undefined without one. */
  readonly change?: Change<Reply> | undefined;
  /** Asks line by line, where no panel can be shown. */
  byLines(): PromiseLike<Reply> | Reply;
}

/** A text that the person may change before they answer. */
export interface Change<Reply = unknown> {
  /** Reports if a result asks for the text, instead of answering. */
  isWanted(result: FormResult): boolean;
  /** The current text, and a file name for an editor. */
  readonly text: string;
  readonly name: string;
  /** A copy of the request, with the text changed. */
  changed(text: string): PanelRequest<Reply>;
}
