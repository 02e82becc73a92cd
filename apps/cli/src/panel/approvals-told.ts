import { approversOf, type PanelWords, whoActs } from "@askwire/client/words";
import type { PersonUpdate } from "./terminal-person.js";

/** Says who has approved what several people must approve (P-XQU-3); undefined where an update tells nothing of it. */
export function approvalsTold(
  update: PersonUpdate,
  { mustApprove, somebodyIn }: Pick<PanelWords, "mustApprove" | "somebodyIn">,
): string | undefined {
  const approvers = approversOf(update);
  if (approvers.length === 0 || typeof update.quorum !== "number") return undefined;
  return mustApprove(
    update.quorum,
    approvers.map((one) => whoActs(one, somebodyIn)),
  );
}
