import type { FormResult, FormState } from "@askwire/client/form";
import type { AnswerIssue, CoreQuestion } from "@askwire/protocol";
import type { Due } from "./deadline.js";

/** A request as panels show it, whatever its kind. */
export interface PanelRequest<Reply = unknown> {
  readonly kind: "approval" | "question";
  readonly id: string;
  readonly tool_call_id: string;
  /** Who asks and what for, in one line. */
  readonly title: string;
  /** What of that the panel says: nothing where it is the agent itself that has questions. */
  readonly heading: string;
  /** What a notification tells of it: foreign text. */
  readonly told: string;
  /** What stands above the rows, painted, without control characters. */
  readonly subject: readonly string[];
  /** The same as it is read in full, with what the panel leaves out. */
  readonly subjectInFull: readonly string[];
  readonly questions: readonly CoreQuestion[];
  /** An empty form of it. */
  readonly form: () => FormState;
  readonly due: Due | undefined;
  /** Why the server refused the last answer to it. */
  readonly issues: readonly AnswerIssue[];
  readonly signal: AbortSignal;
  /** Tells the server that the person began to answer. */
  touch(): void;
  /** The lines that stay of it. */
  summary(result: FormResult): string[];
  /** Whether those lines tell all that the result of the call would tell of it. */
  tellsAll(result: FormResult): boolean;
  reply(result: FormResult): Reply;
  /** Asks the same line by line, where no panel can be shown. */
  byLines(): PromiseLike<Reply> | Reply;
}
