import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { approvalForm, approvalReply, type FormResult } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords, TerminalWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import { approvalLines } from "../terminal/approval-lines.js";
import { approvalWords } from "../terminal/approval-words.js";
import { originLines, senderOf } from "../terminal/asked-title.js";
import { decisionWords, isApproved } from "../terminal/decision-words.js";
import { displayLines, isDiff } from "../terminal/display-lines.js";
import type { PanelRequest } from "./request.js";

/** An approval for a panel: one choice, and a row to reject with a reason. */
export function approvalRequest(
  view: ApprovalView,
  context: RequestContext,
  drawn: {
    paint: Paint;
    words: TerminalWords;
    /** Set if the text of an approval can be changed here. */
    edits: boolean;
    /** The text as changed so far. */
    edited: string | undefined;
  },
  byLines: () => PromiseLike<ApprovalReply> | ApprovalReply,
): PanelRequest<ApprovalReply> {
  const { paint, words, edits } = drawn;
  const { id, tool_call_id, action, description, subagent_type, edit } = view;
  const asked = words.asked;
  const edited = drawn.edited === edit?.content ? undefined : drawn.edited;
  const rows = approvalWords(asked, edits);
  const empty = approvalForm(view, rows, edited);
  const replyOf = (result: FormResult) => approvalReply(view, rows, result, edited) as ApprovalReply;
  const changes = edited === undefined ? [] : editedLines(view, edited, paint, words);
  // The person's version stands first, since that version is what is done.
  const below = (lines: string[]) =>
    changes.length === 0 || lines.length === 0 ? [...changes, ...lines] : [...changes, "", ...lines];
  const origin = originLines(view, paint, asked);
  const title = asked.wantsApproval(senderOf(view), visibleLine(action), visibleLine(subagent_type ?? ""));
  return {
    kind: "approval",
    id,
    tool_call_id,
    title,
    heading: title,
    told: description,
    subject: [...origin, ...below(approvalLines(view, paint, words.chat, { diffs: "numbered" }))],
    subjectInFull: [
      ...origin,
      ...below(approvalLines(view, paint, words.chat, { paths: "all", diffs: "numbered" })),
    ],
    questions: empty.questions,
    form: () => empty,
    due: undefined,
    issues: context.issues,
    signal: context.signal,
    touch: () => context.touch(),
    summary: (result) => ({
      head: approvalSummary(view, replyOf(result), paint, asked),
      lines: isApproved(view, replyOf(result))
        ? firstChanges(below(changesOf(view, paint, words)), paint, asked)
        : [],
    }),
    allows(result) {
      const reply = approvalReply(view, rows, result, edited);
      return reply !== "edit" && isApproved(view, reply);
    },
    // An approved action is still to be done.
    tellsAll: (result) => !isApproved(view, replyOf(result)),
    reply: replyOf,
    ...(edit !== undefined && {
      change: {
        isWanted: (result: FormResult) => approvalReply(view, rows, result) === "edit",
        text: edited ?? edit.content,
        name: edit.path ?? (edit.language === "bash" ? "command.sh" : "text"),
        changed: (text: string) => approvalRequest(view, context, { ...drawn, edited: text }, byLines),
      },
    }),
    byLines,
  };
}

/** The differences that the agent wants approved. */
function changesOf(view: ApprovalView, paint: Paint, words: TerminalWords): string[] {
  const display = view.display.filter((block) => isDiff(block) && !block.is_summary);
  return approvalLines({ ...view, display }, paint, words.chat, { diffs: "numbered" });
}

/** The most lines of a difference that stay. The rest was in the panel, and is in the file. */
const CHANGES = 12;

/** The beginning of the approved differences, below their approval. */
function firstChanges(changes: readonly string[], paint: Paint, words: AskedWords): string[] {
  const lines = changes.map((line) => (line === "" ? "" : `  ${line}`));
  if (lines.length <= CHANGES + 1) return lines;
  return [...lines.slice(0, CHANGES), paint("dim", `  ${words.moreLines(lines.length - CHANGES)}`)];
}

/** The person's change of the text, as a difference. */
function editedLines({ edit }: ApprovalView, edited: string, paint: Paint, words: TerminalWords): string[] {
  const change = { path: "", old_text: edit?.content ?? "", new_text: edited, old_start: 1, new_start: 1 };
  const block = { type: "diff" as const, ...change, is_summary: false };
  return [paint("bold", words.asked.yourChange), ...displayLines(block, paint, words.chat, "numbered")];
}

/** The outcome of an approval, on one line. */
function approvalSummary(view: ApprovalView, reply: ApprovalReply, paint: Paint, words: AskedWords) {
  const mark = isApproved(view, reply) ? paint("green", "●") : "○";
  const changed = typeof reply === "object" && reply.edited !== undefined ? words.withYourChange : "";
  const said = isApproved(view, reply) && typeof reply === "object" ? visibleLine(reply.feedback ?? "") : "";
  const noted = said === "" ? "" : `: ${said}`;
  const about = paint("bold", visibleLine(view.description));
  return { mark, about, decision: `→ ${decisionWords(view, reply, words)}${changed}${noted}` };
}
