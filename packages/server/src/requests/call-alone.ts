// An approval for a client whose answer reaches no further than the call that asks (P-XRL-6).
import { type ApprovalOption, type CoreQuestion, isLasting, standardLabel } from "@askwire/protocol";
import type { ApprovalRequest } from "./approval-request.js";

const once = (kind: ApprovalOption["kind"], id: "approve" | "reject"): ApprovalOption => ({
  id,
  label: standardLabel({ kind }),
  kind,
});

/** The options without those that last; of an approval without options the words of the base profile for this call. */
export const optionsForCall = ({ options }: ApprovalRequest): readonly ApprovalOption[] =>
  options?.filter(({ scope }) => !isLasting(scope)) ?? [once("allow", "approve"), once("reject", "reject")];

/** The question that stands for an approval, without the choices that last. */
export function questionForCall(request: ApprovalRequest, question: CoreQuestion): CoreQuestion {
  const ids = new Set(optionsForCall(request).map(({ id }) => id));
  return { ...question, options: question.options.filter(({ id }) => ids.has(id)) };
}
