import { type PanelWords, whoActs } from "@askwire/client/words";
import type { PersonUpdate } from "./terminal-person.js";

/** Says who has approved what several people must approve (P-XQU-3); undefined where an update tells nothing of it. */
export function approvalsTold(
  { approved_by: approvedBy, quorum }: PersonUpdate,
  { mustApprove, somebodyIn }: Pick<PanelWords, "mustApprove" | "somebodyIn">,
): string | undefined {
  if (approvedBy === undefined || quorum === undefined) return undefined;
  return mustApprove(
    quorum,
    approvedBy.map((one) => whoActs(one, somebodyIn)),
  );
}
