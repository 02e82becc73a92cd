import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { type FormResult, questionForm } from "@askwire/client/form";
import { type ApprovalKind, approvalKinds, type CoreQuestion } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { visibleLine } from "../device/visible-text.js";
import { approvalCover } from "../terminal/approval-cover.js";
import { approvalLines } from "../terminal/approval-lines.js";
import { isDiff } from "../terminal/display-lines.js";
import type { AskedWords } from "../words/asked-words.js";
import type { Words } from "../words/words.js";
import type { PanelRequest } from "./request.js";

/** The letters of an approval, by the position of their choice. */
const shortcuts = { y: 0, a: 1, n: 2 };

/** An approval for a panel: one choice, and a row to reject with a reason. */
export function approvalRequest(
  view: ApprovalView,
  context: RequestContext,
  { paint, words }: { paint: Paint; words: Words },
  byLines: () => PromiseLike<ApprovalReply> | ApprovalReply,
): PanelRequest<ApprovalReply> {
  const { id, tool_call_id, sender, action, description, subagent_type } = view;
  const asked = words.asked;
  const questions = [approvalQuestion(view, asked)];
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
    questions,
    form: () => questionForm(questions, { enterOnly: true, shortcuts }),
    due: undefined,
    issues: context.issues,
    signal: context.signal,
    touch: () => context.touch(),
    summary: (result) => [
      approvalSummary(view, result, paint, asked),
      ...(isApproved(approvalReply(result)) ? changesOf(view, paint, words) : []),
    ],
    // An approved action is still to be done.
    tellsAll: (result) => !isApproved(approvalReply(result)),
    reply: approvalReply,
    byLines,
  };
}

function approvalQuestion(view: ApprovalView, words: AskedWords): CoreQuestion {
  const labels: Readonly<Record<ApprovalKind, string>> = {
    approve: words.approve,
    approve_for_session: words.approveForSession,
    reject: words.reject,
  };
  return {
    id: "approval",
    question: view.description,
    header: "",
    options: approvalKinds.map((id) => ({
      id,
      label: labels[id],
      description:
        id === "approve_for_session" ? (approvalCover(view, words) ?? words.alsoFurther(view.action)) : "",
    })),
    multi_select: false,
    body: "",
    other_label: words.rejectAndSay,
    other_description: "",
    own_text: true,
  };
}

/** Reads the result of the form. Own words reject with a reason; declining rejects too. */
function approvalReply(result: FormResult): ApprovalReply {
  const [item] = result === "declined" ? [] : result.items;
  const feedback = item?.own_text?.trim() ?? "";
  if (feedback !== "") return { response: "reject", feedback };
  return approvalKinds.find((kind) => kind === item?.selected[0]) ?? "reject";
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

const isApproved = (reply: ApprovalReply) => reply === "approve" || reply === "approve_for_session";

/** The outcome of an approval, on one line. */
function approvalSummary(
  { description }: ApprovalView,
  result: FormResult,
  paint: Paint,
  words: AskedWords,
): string {
  const reply = approvalReply(result);
  const came = {
    approve: words.approved,
    approve_for_session: words.approvedForSession,
    reject: words.rejected(typeof reply === "object" ? visibleLine(reply.feedback ?? "") : ""),
  }[typeof reply === "object" ? reply.response : reply];
  const mark = isApproved(reply) ? paint("green", "●") : "○";
  return `${mark} ${paint("bold", visibleLine(description))} → ${came}`;
}
