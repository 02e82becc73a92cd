import type { DisplayBlockInput, Outcome } from "@askwire/protocol";
import type { ApprovalOptionInit } from "../requests/approval-options.js";
import type { ApprovalEditInit } from "../requests/approval-request.js";
import type { ToolError } from "../requests/tool-error.js";
import type { AskSettings } from "./ask-types.js";

/** An action for a person to allow. */
export interface ApprovalInit<Option extends ApprovalOptionInit = ApprovalOptionInit> extends AskSettings {
  /** The action covered by `approve_for_session`: equal actions are not asked again in the session (P-APR-3). */
  readonly action: string;
  /** The action in a sentence. */
  readonly description: string;
  /** Default: nothing. */
  readonly display?: readonly DisplayBlockInput[];
  /**
   * The ways to answer; one that rejects this call alone is added where none does (P-XAO-1). Default: approve, approve
   * the action for the session, reject.
   */
  readonly options?: readonly Option[];
  /**
   * The id of the option that `approve_for_session` of a base client stands for, where several have a scope (P-XAO-5).
   * Default: the only one; with several, base clients are asked by a question.
   */
  readonly for_session?: string;
  /** True if no policy may answer it, such as for a plan (P-XAO-10). Default: false. */
  readonly person_only?: boolean;
  /** The number of people who must approve it, from 2 to 10; no policy then may (P-XQU-1). Default: one is enough. */
  readonly quorum?: number;
  /** A text that the person may change before approving (P-XAO-3). Default: none. */
  readonly edit?: ApprovalEditInit;
  /** The name of who wants to act. Default: the tool that asks, and `agent` outside of a call. */
  readonly sender?: string;
}

/** The approval that a person, or a policy, gave. */
export interface Approval<Id extends string = string> {
  /** The id of the chosen option; undefined where the approval has no options of its own. */
  readonly option: Id | undefined;
  /** The text as the person changed it; undefined where they did not. Use this one, and tell the model. */
  readonly edited: string | undefined;
}

/** An action that may be done. */
export interface Approved<Id extends string = string> extends Approval<Id> {
  readonly approved: true;
  readonly feedback?: undefined;
  readonly outcome: Outcome;
  readonly toolError: undefined;
}

/** An action that must not be done, for the reason that `outcome` has. */
export interface Refused {
  readonly approved: false;
  readonly option?: undefined;
  readonly edited?: undefined;
  /** The words of the person who rejected it; empty without any. */
  readonly feedback: string;
  readonly outcome: Outcome;
  /** The text for the model, which says not to go around it: return it from the tool (P-OUT-6). */
  readonly toolError: ToolError;
}

/** The ids of the options that allow. */
export type IdOf<Option extends ApprovalOptionInit> = Exclude<Option, { readonly kind: "reject" }>["id"];

/**
 * Asks a person to allow the next action, and resolves with the decision (P-APR-1).
 *
 * ```ts
 * const asked = await turn.approve({ action: "delete files", description: "Delete the build folder" });
 * if (!asked.approved) return asked.toolError;
 * ```
 *
 * @throws QuestionWithdrawn when the turn or session ended meanwhile; let it through.
 * @throws the reason of the signal.
 * @throws TypeError for options, or a text to change, that do not fit. LocalError INVALID_STATE outside a turn and for a
 * key that the turn has used.
 */
export type TurnApprove = <const Option extends ApprovalOptionInit>(
  init: ApprovalInit<Option>,
) => Promise<Approved<IdOf<Option>> | Refused>;
