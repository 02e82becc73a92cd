// An approval for a client whose answer reaches no further than the call that asks (P-XRL-6).
import { type ApprovalOption, type CoreQuestion, isLasting, standardLabel } from "@askwire/protocol";
import type { ApprovalRequest } from "./approval-request.js";
import type { AllowedFeatures } from "./shows.js";

const once = (kind: ApprovalOption["kind"], id: "approve" | "reject"): ApprovalOption => ({
  id,
  label: standardLabel({ kind }),
  kind,
});

/** The options without those that last; of an approval without options the words of the base profile for this call. */
export const optionsForCall = ({ options }: ApprovalRequest): readonly ApprovalOption[] =>
  options?.filter(({ scope }) => !isLasting(scope)) ?? [once("allow", "approve"), once("reject", "reject")];

/** The options that a client is sent, if it shows options. */
export const optionsFor = (
  request: ApprovalRequest,
  { scopes }: Pick<AllowedFeatures, "scopes">,
): readonly ApprovalOption[] | undefined => (scopes ? request.options : optionsForCall(request));

/** The question that a client is sent in the place of an approval; undefined where three words suffice (P-XAO-5). */
export function questionFor(
  request: ApprovalRequest,
  { scopes }: Pick<AllowedFeatures, "scopes">,
): CoreQuestion | undefined {
  const { asQuestion } = request;
  if (scopes || asQuestion === undefined) return asQuestion;
  const ids = new Set(optionsForCall(request).map(({ id }) => id));
  return { ...asQuestion, options: asQuestion.options.filter(({ id }) => ids.has(id)) };
}
