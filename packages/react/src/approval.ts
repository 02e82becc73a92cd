// The face @askwire/react/approval: the card of approvals, which the first question does not need.

export { ApprovalCard } from "./cards/approval-card.js";
export type { ApprovalCardProps } from "./cards/card-props.js";
export { type ApprovalForm, type ApprovalWay, useApprovalForm } from "./cards/use-approval-form.js";
