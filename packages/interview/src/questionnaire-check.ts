import { pathProblem } from "@askwire/agent/internal";
import { LiquidProblem, namesInCondition, namesInText, reservedNames } from "./liquid.js";
import type { QuestionnairePath } from "./questionnaire-error.js";
import { factKinds, type ProblemAt, type QuestionnaireSource } from "./questionnaire-format.js";

/**
 * Checks rules beyond any shape: one namespace for facts and answers, names known before use, paths inside the folder.
 * Throws the first problem.
 */
export function checkMeaning(source: QuestionnaireSource, problemAt: ProblemAt): void {
  const known = new Set<string>();

  function declare(name: string, place: QuestionnairePath): void {
    if (!/^[a-z][a-z0-9_]*$/i.test(name)) {
      throw problemAt(
        place,
        `expected a name of letters, digits and _ that starts with a letter, found "${name}"`,
      );
    }
    if (reservedNames.has(name)) throw problemAt(place, `the name "${name}" is reserved: choose another`);
    if (known.has(name)) throw problemAt(place, `the name "${name}" is taken by an earlier fact or question`);
    known.add(name);
  }

  function check(
    namesIn: (text: string) => string[],
    text: string | undefined,
    place: QuestionnairePath,
    extra?: string,
  ): void {
    if (text === undefined) return;
    let names: string[];
    try {
      names = namesIn(text);
    } catch (error) {
      if (!(error instanceof LiquidProblem)) throw error;
      throw problemAt(place, error.message, error.position, error);
    }
    const unknown = names.find((name) => !known.has(name) && name !== extra);
    if (unknown === undefined) return;
    const choice = [...known].join(", ") || "none";
    throw problemAt(place, `unknown name "${unknown}", expected a fact or an earlier question: ${choice}`);
  }
  const checkText = (text: string | undefined, place: QuestionnairePath, extra?: string) =>
    check(namesInText, text, place, extra);
  const checkCondition = (text: string | undefined, place: QuestionnairePath) =>
    check(namesInCondition, text, place);

  for (const [name, fact] of Object.entries(source.facts)) {
    const kinds = factKinds.filter((kind) => fact[kind] !== undefined);
    const [kind] = kinds;
    if (kind === undefined || kinds.length > 1) {
      throw problemAt(
        ["facts", name],
        `expected exactly one of ${factKinds.join(", ")}, found ${kinds.length}`,
      );
    }
    if (kind === "value") checkText(fact.value, ["facts", name, "value"]);
    else {
      const problem = pathProblem(fact[kind] ?? "");
      if (problem) throw problemAt(["facts", name, kind], problem);
    }
    declare(name, ["facts", name]);
  }
  checkText(source.intro, ["intro"]);

  for (const [index, question] of source.questions.entries()) {
    const place = ["questions", index];
    checkCondition(question.when, [...place, "when"]);
    checkText(question.ask, [...place, "ask"]);
    checkText(question.header, [...place, "header"]);
    for (const [at, option] of question.options.entries()) {
      const optionPlace = [...place, "options", at];
      checkCondition(option.when, [...optionPlace, "when"]);
      for (const key of ["label", "description", "value"] as const)
        checkText(option[key], [...optionPlace, key]);
    }
    if (question.multi_select && question.options.length === 0) {
      throw problemAt(
        [...place, "multi_select"],
        "expected options to select from: an open question has one answer",
      );
    }
    if (Array.isArray(question.default) && !question.multi_select) {
      throw problemAt([...place, "default"], "expected a text: a list needs multi_select: true");
    }
    for (const text of [question.default ?? []].flat()) checkText(text, [...place, "default"]);
    declare(question.id, [...place, "id"]);
  }

  for (const [index, file] of source.files.entries()) {
    checkCondition(file.when, ["files", index, "when"]);
    checkText(file.path, ["files", index, "path"]);
    checkText(file.template, ["files", index, "template"]);
  }
  checkText(source.done, ["done"], "written");
}
