import { isScalar, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { checkMeaning } from "./questionnaire-check.js";
import { type Position, QuestionnaireError, type QuestionnairePath } from "./questionnaire-error.js";
import { type ProblemAt, type Questionnaire, QuestionnaireSource } from "./questionnaire-format.js";

const maxCharacters = 200_000;

/**
 * Reads a questionnaire of at most 200,000 characters of YAML or JSON. Checks its shape, names and Liquid syntax, which
 * needs no work folder.
 *
 * @param file its name in messages
 * @throws QuestionnaireError for the first mistake
 */
export function parseQuestionnaire(text: string, file: string): Questionnaire {
  if (text.length > maxCharacters) {
    throw new QuestionnaireError(
      file,
      [],
      undefined,
      `expected at most ${maxCharacters} characters, found ${text.length}`,
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    logLevel: "error",
  });
  const [fault] = document.errors;
  if (fault) {
    const { line, col } = lines.linePos(fault.pos[0]);
    const problem = `not valid YAML: ${fault.message}${yamlAdvice[fault.code] ?? ""}`;
    throw new QuestionnaireError(file, [], { line, column: col }, problem, fault);
  }

  const problemAt: ProblemAt = (place, problem, within, cause) =>
    new QuestionnaireError(file, place, positionOf(place, within), problem, cause);

  function positionOf(place: QuestionnairePath, within?: Position): Position | undefined {
    for (let depth = place.length; depth >= 0; depth -= 1) {
      const node = document.getIn(place.slice(0, depth), true) as
        | { range?: [number, number, number] }
        | undefined;
      const start = node?.range?.[0];
      if (start === undefined) continue;
      const { line, col } = lines.linePos(start);
      if (!within || depth < place.length || !isScalar(node)) return { line, column: col };
      return positionInScalar(text.split("\n"), node, { line, column: col }, within);
    }
    return undefined;
  }

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw problemAt([], `not valid YAML: ${(error as Error).message}`, undefined, error);
  }
  const parsed = QuestionnaireSource.safeParse(data, { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw problemAt((issue?.path ?? []) as QuestionnairePath, issue?.message ?? "expected a questionnaire");
  }
  checkMeaning(parsed.data, problemAt);
  return { ...parsed.data, file, problemAt };
}

/** The look of a Liquid text without quotes to YAML. */
const yamlAdvice: Readonly<Record<string, string>> = {
  BLOCK_AS_IMPLICIT_KEY: ': put a text that has ": " in it in quotes',
  NON_STRING_KEY: ": put a text that starts with { in quotes",
};

/** A block scalar's text starts on the line below its `|`. Other styles fold, so only their start is known. */
function positionInScalar(
  source: string[],
  scalar: { type?: string | undefined; value?: unknown },
  start: Position,
  within: Position,
): Position {
  if (scalar.type !== "BLOCK_LITERAL") return start;
  const line = start.line + within.line;
  const written = (source[line - 1] ?? "").replace(/\r$/, "");
  const value = String(scalar.value).split("\n")[within.line - 1] ?? "";
  return { line, column: written.length - value.length + within.column };
}

function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return `is missing, expected ${nameOfType(issue.expected)}`;
      if (issue.expected === "string" && typeof issue.input !== "object") {
        return `expected text, found ${String(issue.input)}: put it in quotes`;
      }
      return `expected ${nameOfType(issue.expected)}, found ${kindOf(issue.input)}`;
    case "unrecognized_keys":
      return `unknown key "${issue.keys[0]}", expected ${expectedKeys(issue.inst)}`;
    case "invalid_value":
      return `expected "${issue.values.join('" or "')}", found ${JSON.stringify(issue.input) ?? "nothing"}`;
    case "too_big": {
      const found = Array.isArray(issue.input) ? `, found ${issue.input.length}` : "";
      return `expected at most ${issue.maximum} entries${found}`;
    }
    case "too_small":
      return issue.origin === "array"
        ? `expected at least ${issue.minimum} entry`
        : "expected text that is not empty";
    case "invalid_union":
      return `expected a text or a list of texts, found ${kindOf(issue.input)}`;
    default:
      return issue.message ?? "not expected here";
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
  boolean: "true or false",
};

function nameOfType(expected: string): string {
  return typeNames[expected] ?? expected;
}

function kindOf(input: unknown): string {
  if (input === null) return "nothing";
  if (Array.isArray(input)) return "a list";
  return typeof input === "object" ? "a mapping" : JSON.stringify(input);
}

function expectedKeys(schema: unknown): string {
  return schema instanceof z.ZodObject ? `one of ${Object.keys(schema.shape).join(", ")}` : "none";
}
