// A person's unsent work that follows them over devices, for a user interface. `@askwire/client/drafts`.
export type { RequestDraft } from "@askwire/protocol";
export { draftOfForm, formWithDraft } from "./drafts/answer-draft.js";
export { type PersonDrafts, personDrafts, type WorkElsewhere } from "./drafts/person-drafts.js";
