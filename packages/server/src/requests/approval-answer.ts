import type { ApprovalKind } from "@askwire/protocol";

/** The decision on an approval: rejected unless the person, or a policy, approved. */
export interface ApprovalAnswer {
  /** For this once, for the session as far as the chosen option says, or not. */
  readonly response: ApprovalKind;
  /** The reason in the person's words; empty without any. */
  readonly feedback: string;
  /** The id of the chosen option; only where the approval has its own options. */
  readonly option?: string;
  /** The text as the person changed it; undefined if it stays as it was (P-XAO-3). */
  readonly edited?: string;
}
