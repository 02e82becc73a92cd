import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { approvalForm, approvalReply, type FormResult } from "@askwire/client/form";
import { standardLabel } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { visibleLine } from "../device/visible-text.js";
import { approvalLines } from "../terminal/approval-lines.js";
import { approvalWords, scopeWords } from "../terminal/approval-words.js";
import { isDiff } from "../terminal/display-lines.js";
import type { AskedWords } from "../words/asked-words.js";
import type { Words } from "../words/words.js";
import type { PanelRequest } from "./request.js";

/** An approval for a panel: one choice, and a row to reject with a reason. */
export function approvalRequest(
  view: ApprovalView,
  context: RequestContext,
  { paint, words }: { paint: Paint; words: Words },
  byLines: () => PromiseLike<ApprovalReply> | ApprovalReply,
): PanelRequest<ApprovalReply> {
  const { id, tool_call_id, sender, action, description, subagent_type } = view;
  const asked = words.asked;
  const rows = approvalWords(asked);
  const empty = approvalForm(view, rows);
  const replyOf = (result: FormResult) => approvalReply(view, rows, result) as ApprovalReply;
  const title = asked.wantsApproval(
    visibleLine(sender),
    visibleLine(action),
    visibleLine(subagent_type ?? ""),
  );
  return {
    kind: "approval",
    id,
    tool_call_id,
    title,
    heading: title,
    told: description,
    subject: approvalLines(view, paint, words.chat),
    subjectInFull: approvalLines(view, paint, words.chat, { paths: "all" }),
    questions: empty.questions,
    form: () => empty,
    due: undefined,
    issues: context.issues,
    signal: context.signal,
    touch: () => context.touch(),
    summary: (result) => [
      approvalSummary(view, replyOf(result), paint, asked),
      ...(isApproved(view, replyOf(result)) ? changesOf(view, paint, words) : []),
    ],
    // An approved action is still to be done.
    tellsAll: (result) => !isApproved(view, replyOf(result)),
    reply: replyOf,
    byLines,
  };
}

/** The most lines of a difference that stay. The rest was in the panel, and is in the file. */
const CHANGES = 12;

/** The beginning of the approved differences. */
function changesOf(view: ApprovalView, paint: Paint, words: Words): string[] {
  const display = view.display.filter((block) => isDiff(block) && !block.is_summary);
  const lines = approvalLines({ ...view, display }, paint, words.chat).map((line) => `  ${line}`);
  if (lines.length <= CHANGES + 1) return lines;
  return [...lines.slice(0, CHANGES), paint("dim", `  ${words.asked.moreLines(lines.length - CHANGES)}`)];
}

/** The chosen option of a reply; undefined for a reply in the base profile's words. */
const chosenOption = ({ options }: ApprovalView, reply: ApprovalReply) =>
  typeof reply === "object" && "option" in reply ? options?.find(({ id }) => id === reply.option) : undefined;

function isApproved(view: ApprovalView, reply: ApprovalReply): boolean {
  const option = chosenOption(view, reply);
  if (option !== undefined) return option.kind === "allow";
  return (typeof reply === "object" && "response" in reply ? reply.response : reply) !== "reject";
}

/** The outcome of an approval, on one line. */
function approvalSummary(view: ApprovalView, reply: ApprovalReply, paint: Paint, words: AskedWords): string {
  const mark = isApproved(view, reply) ? paint("green", "●") : "○";
  return `${mark} ${paint("bold", visibleLine(view.description))} → ${cameOf(view, reply, words)}`;
}

function cameOf(view: ApprovalView, reply: ApprovalReply, words: AskedWords): string {
  const feedback = typeof reply === "object" ? visibleLine(reply.feedback ?? "") : "";
  const option = chosenOption(view, reply);
  if (option === undefined || option.label === standardLabel({ kind: option.kind })) {
    if (!isApproved(view, reply)) return words.rejected(feedback);
    return reply === "approve_for_session" ? words.approvedForSession : words.approved;
  }
  if (option.kind === "allow" && option.scope !== undefined && option.label === standardLabel(option)) {
    return words.approvedFor(visibleLine(scopeWords(option.scope, view.action, words)));
  }
  return `${visibleLine(option.label)}${feedback === "" ? "" : `: ${feedback}`}`;
}
