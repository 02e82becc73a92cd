import type { ApprovalReply, ApprovalView } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import { standardLabel } from "@askwire/protocol";
import { scopeWords } from "./approval-words.js";

/** The chosen option of a reply; undefined for a reply in the base profile's words. */
const chosenOption = ({ options }: ApprovalView, reply: ApprovalReply) =>
  typeof reply === "object" && "option" in reply ? options?.find(({ id }) => id === reply.option) : undefined;

/** Reports if a reply allows the action. */
export function isApproved(view: ApprovalView, reply: ApprovalReply): boolean {
  const option = chosenOption(view, reply);
  if (option !== undefined) return option.kind === "allow";
  return (typeof reply === "object" && "response" in reply ? reply.response : reply) !== "reject";
}

/** The decision of a reply in words, with the person's words where it rejects. */
export function decisionWords(view: ApprovalView, reply: ApprovalReply, words: AskedWords): string {
  const feedback = typeof reply === "object" ? visibleLine(reply.feedback ?? "") : "";
  const option = chosenOption(view, reply);
  if (option === undefined || option.label === standardLabel({ kind: option.kind })) {
    if (!isApproved(view, reply)) return words.rejected(feedback);
    const word = typeof reply === "object" && "response" in reply ? reply.response : reply;
    return word === "approve_for_session" ? words.approvedForSession : words.approved;
  }
  if (option.kind === "allow" && option.scope !== undefined && option.label === standardLabel(option)) {
    return words.approvedFor(visibleLine(scopeWords(option.scope, view.action, words)));
  }
  return `${visibleLine(option.label)}${feedback === "" || option.kind === "allow" ? "" : `: ${feedback}`}`;
}
