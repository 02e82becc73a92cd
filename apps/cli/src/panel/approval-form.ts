import type { ApprovalReply, ApprovalView, RequestContext } from "@askwire/client";
import { approvalForm, approvalReply, type FormResult } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords, TerminalWords } from "@askwire/client/words";
import { standardLabel } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { approvalLines } from "../terminal/approval-lines.js";
import { approvalWords, scopeWords } from "../terminal/approval-words.js";
import { originLines, senderOf } from "../terminal/asked-title.js";
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
    subject: [...origin, ...below(approvalLines(view, paint, words.chat))],
    subjectInFull: [...origin, ...below(approvalLines(view, paint, words.chat, { paths: "all" }))],
    questions: empty.questions,
    form: () => empty,
    due: undefined,
    issues: context.issues,
    signal: context.signal,
    touch: () => context.touch(),
    summary: (result) => [
      approvalSummary(view, replyOf(result), paint, asked),
      ...(isApproved(view, replyOf(result))
        ? firstChanges(below(changesOf(view, paint, words)), paint, asked)
        : []),
    ],
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
  return approvalLines({ ...view, display }, paint, words.chat);
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
  return [paint("bold", words.asked.yourChange), ...displayLines(block, paint, words.chat)];
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
  const changed = typeof reply === "object" && reply.edited !== undefined ? words.withYourChange : "";
  const said = isApproved(view, reply) && typeof reply === "object" ? visibleLine(reply.feedback ?? "") : "";
  const noted = said === "" ? "" : `: ${said}`;
  return `${mark} ${paint("bold", visibleLine(view.description))} → ${cameOf(view, reply, words)}${changed}${noted}`;
}

function cameOf(view: ApprovalView, reply: ApprovalReply, words: AskedWords): string {
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
