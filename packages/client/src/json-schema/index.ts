// A form of JSON Schema as questions, and its answers as values that fit the schema. No terminal, no DOM.

export type { FormSchema } from "@askwire/protocol/internal";
export { contentProblems } from "./content-problems.js";
export { type AskForm, type FormEnd, fillForm } from "./fill-form.js";
export type { FormToAsk } from "./form.js";
export { type FormContent, type FormValue, Unshowable } from "./form-field.js";
export { FINISHED_THERE, linkQuestion } from "./link-question.js";
export type { PatternSearch } from "./pattern-search.js";
