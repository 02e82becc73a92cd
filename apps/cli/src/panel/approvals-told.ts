import { approvalsIn, type PanelWords } from "@askwire/client/words";
import type { PersonUpdate } from "./terminal-person.js";

/** Says who has approved what several people must approve (P-XQU-3); undefined where an update tells nothing of it. */
export function approvalsTold(
  update: PersonUpdate,
  { mustApprove, somebodyIn }: Pick<PanelWords, "mustApprove" | "somebodyIn">,
): string | undefined {
  const approvals = approvalsIn(update, somebodyIn);
  return approvals && mustApprove(approvals.needed, approvals.names);
}
