import type {
  ApprovalKind,
  ApprovalOption,
  CoreOption,
  CoreQuestion,
  ExtendedApprovalRequest,
} from "@askwire/protocol";
import { type FormResult, type FormState, questionForm } from "./state.js";

/** The parts of an approval that its form shows. */
export type ApprovalToShow = Pick<ExtendedApprovalRequest, "action" | "description" | "options" | "edit">;

/** The words of an approval's form, in the language of the user interface. */
export interface ApprovalWords {
  /** A row of the base profile's three. */
  row(kind: ApprovalKind, action: string): Pick<CoreOption, "label" | "description">;
  /** A row of an option. Default: the asker's words. */
  option?(option: ApprovalOption, action: string): Pick<CoreOption, "label" | "description">;
  /** The row for own words, which reject. */
  readonly rejectAndSay: string;
  /** The row that opens the text to change. Default: no such row. */
  edit?(edited: boolean): Pick<CoreOption, "label" | "description">;
}

/** The reply to an approval, as its handler returns it; `edit` where the person wants to change the text first. */
export type ApprovalFormReply =
  | ApprovalKind
  | { readonly response: ApprovalKind; readonly feedback?: string; readonly edited?: string }
  | { readonly option: string; readonly feedback?: string; readonly edited?: string }
  | "edit";

/** A row of the form: an answer, or the text to change. */
type ApprovalRow =
  | {
      readonly is: "answer";
      readonly kind: ApprovalOption["kind"];
      readonly lasting: boolean;
      readonly reply: { readonly response: ApprovalKind } | { readonly option: string };
    }
  | { readonly is: "edit" };

/**
 * The form of an approval: a row for each way to answer, one to change the text first, and own words, which reject. Only
 * Enter answers; `y`, `a`, `n` and `e` alone move the cursor to approve, the first that lasts, reject, and the change.
 * A note may go with each row.
 *
 * @param edited the text as the person has changed it so far. Default: not changed.
 */
export function approvalForm(view: ApprovalToShow, words: ApprovalWords, edited?: string): FormState {
  const rows = rowsOf(view, words);
  const shortcuts = Object.entries({
    y: rows.findIndex((row) => row.is === "answer" && row.kind === "allow" && !row.lasting),
    a: rows.findIndex((row) => row.is === "answer" && row.kind === "allow" && row.lasting),
    n: rows.findIndex((row) => row.is === "answer" && row.kind === "reject" && !row.lasting),
    e: rows.findIndex((row) => row.is === "edit"),
  }).filter(([, row]) => row >= 0);
  return questionForm([approvalQuestion(view, words, edited)], {
    enterOnly: true,
    takesNotes: true,
    shortcuts: Object.fromEntries(shortcuts),
  });
}

/**
 * Reads the result of an approval's form. Own words reject with a reason; declining rejects too. A note is the feedback
 * of whatever row was confirmed.
 */
export function approvalReply(
  view: ApprovalToShow,
  words: Pick<ApprovalWords, "edit">,
  result: FormResult,
  edited?: string,
): ApprovalFormReply {
  const [item] = result !== "declined" && "items" in result ? result.items : [];
  const why = item?.own_text?.trim() ?? "";
  const note = item?.note?.trim() ?? "";
  const row = why === "" ? rowsOf(view, words)[Number(item?.selected[0]) - 1] : undefined;
  if (row?.is === "edit") return "edit";
  if (row?.is !== "answer") {
    const feedback = [why, note].filter((said) => said !== "").join("\n");
    return feedback === "" ? "reject" : { ...rejection(view), feedback };
  }
  const isChanged = edited !== undefined && edited !== view.edit?.content && row.kind === "allow";
  const reply = { ...row.reply, ...(isChanged && { edited }), ...(note !== "" && { feedback: note }) };
  return isChanged || note !== "" || !("response" in row.reply) ? reply : row.reply.response;
}

/** The way to reject that own words stand for: this call, and nothing beyond it (P-XAO-10). */
function rejection({ options }: ApprovalToShow): { response: "reject" } | { option: string } {
  const reject = options?.find((option) => option.kind === "reject" && !isLasting(option));
  return reject === undefined ? { response: "reject" } : { option: reject.id };
}

const three = ["approve", "approve_for_session", "reject"] as const satisfies readonly ApprovalKind[];

/** True if an option covers more than this call. */
const isLasting = ({ scope }: ApprovalOption) => scope !== undefined && scope.kind !== "call";

function rowsOf({ options, edit }: ApprovalToShow, words: Pick<ApprovalWords, "edit">): ApprovalRow[] {
  const answers: ApprovalRow[] =
    options === undefined
      ? three.map((response) => ({
          is: "answer",
          kind: response === "reject" ? "reject" : "allow",
          lasting: response === "approve_for_session",
          reply: { response },
        }))
      : options.map((option) => ({
          is: "answer",
          kind: option.kind,
          lasting: isLasting(option),
          reply: { option: option.id },
        }));
  return edit === undefined || words.edit === undefined ? answers : [...answers, { is: "edit" }];
}

/** The rows have ids by position, since those of options may be any text. */
function approvalQuestion(
  { description, action, options, edit }: ApprovalToShow,
  words: ApprovalWords,
  edited: string | undefined,
): CoreQuestion {
  const given = (option: ApprovalOption) =>
    words.option?.(option, action) ?? { label: option.label, description: option.scope?.text ?? "" };
  const rows = [
    ...(options?.map(given) ?? three.map((kind) => words.row(kind, action))),
    ...(edit !== undefined && words.edit !== undefined ? [words.edit(edited !== undefined)] : []),
  ];
  return {
    id: "approval",
    question: description,
    header: "",
    options: rows.map((row, index) => ({ id: String(index + 1), ...row })),
    multi_select: false,
    body: "",
    other_label: words.rejectAndSay,
    other_description: "",
    own_text: true,
  };
}
