import { draftOfForm, formWithDraft, type RequestDraft } from "@askwire/client/drafts";
import { questionForm } from "@askwire/client/form";
import type { AnswerDraft, ApprovalDraft, OpenRequest } from "@askwire/react/cards";

/** A person's work on a request, as the page keeps it. */
export type Work = AnswerDraft | ApprovalDraft;

/**
 * The work on a request as it goes to the person's other devices. Undefined where nothing is begun, and for work on other
 * questions, or of another version.
 */
export function portableWork(one: OpenRequest, work: Work | undefined): RequestDraft | undefined {
  try {
    if (one.kind === "approval") return ofApproval(work as ApprovalDraft);
    const { form, discuss } = work as AnswerDraft;
    const isOfIt = JSON.stringify(form.questions) === JSON.stringify(one.request.questions);
    return isOfIt ? draftOfForm(form, discuss) : undefined;
  } catch {
    return undefined;
  }
}

function ofApproval({ why, note = "", edit }: ApprovalDraft): RequestDraft | undefined {
  const draft = {
    ...(why.trim() !== "" && { feedback: why }),
    ...(note.trim() !== "" && { note }),
    ...(edit !== undefined && edit.text !== edit.of && { edited: edit.text }),
  };
  return Object.keys(draft).length === 0 ? undefined : draft;
}

/**
 * Work from another device, as a card takes it.
 *
 * @param here the work on this device, whose pictures and place stay.
 */
export function workOf(one: OpenRequest, draft: RequestDraft, here: Work | undefined): Work {
  if (one.kind === "question") {
    const { discuss } = draft;
    const form = formWithDraft(formHere(one.request.questions, here), draft);
    return { form, ...(discuss !== undefined && { discuss }) };
  }
  const { feedback: why = "", note, edited: text } = draft;
  const of = one.request.edit?.content;
  const edit = of !== undefined && text !== undefined ? { edit: { of, text } } : {};
  return { why, ...(note !== undefined && { note }), ...edit };
}

/** An empty form with the pictures of the work here, which may be of another version, and its place. */
function formHere(questions: AnswerDraft["form"]["questions"], here: Work | undefined): AnswerDraft["form"] {
  const form = questionForm(questions);
  const { drafts: kept, tab } = Object(Object(here).form);
  const drafts = form.drafts.map((empty, at) => {
    const { attachments } = Object(Array.isArray(kept) ? kept[at] : undefined);
    return Array.isArray(attachments) ? { ...empty, attachments } : empty;
  });
  return { ...form, drafts, ...(Number.isInteger(tab) && tab >= 0 && { tab }) };
}
