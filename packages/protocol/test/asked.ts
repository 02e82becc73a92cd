import {
  AskwireCapabilities,
  type CoreQuestion,
  coreQuestion,
  QuestionInputs,
  validate,
} from "../src/index.js";

type Asked = Parameters<typeof validate<typeof QuestionInputs>>[1];

/** Questions as the core has them. Throws what is wrong with them. */
export function asked(...questions: Asked[]): CoreQuestion[] {
  const parsed = validate(QuestionInputs, questions);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.map(coreQuestion);
}

/** A question of which nothing is lost in the base profile. */
export const plain = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };

/** What an extended client declares, complete. */
export function declared(keys: object = {}): AskwireCapabilities {
  const parsed = validate(AskwireCapabilities, { revision: 3, ...keys });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}
