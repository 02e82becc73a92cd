import type { QuestionInput, ToolCall } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { plainQuestions } from "@askwire/protocol/internal";
import { readArguments, toJsonSchema } from "@askwire/server/internal";
import { described, optionLabel, questionTextSchema } from "../asked-texts.js";

/** The questions of a call by ids, with the model's own text of each. The shown text may differ. */
export interface KlaudeQuestions {
  readonly questions: readonly PositionedQuestion[];
  /** The texts of the questions in their order, as the model wrote them. */
  readonly texts: readonly string[];
}

/** A question with ids by position (P-QST-2). */
interface PositionedQuestion extends Omit<QuestionInput, "options"> {
  id: string;
  options: { id: string; label: string; description: string; preview?: string }[];
}

/** An object without further keys. A model that adds a key is told which (L-05, L-23). */
const strict = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `expected no ${issue.keys.slice(0, 4).map(quoted).join(", ")}`
        : undefined,
  });
const quoted = (key: string) => JSON.stringify(key.slice(0, 64));

const differ = (texts: readonly string[]) => new Set(texts).size === texts.length;

const Option = strict({
  label: described(optionLabel, "What is chosen, in 1-5 words."),
  description: z._default(described(z.string(), "What choosing it leads to."), ""),
  markdown: z.optional(
    described(z.string(), "A preview to look at before choosing it; not shown where multiSelect is true."),
  ),
});

const Question = strict({
  question: described(questionTextSchema, "A complete, specific question that ends with a question mark."),
  header: described(z.string(), "A short tag for the question, at most 12 characters."),
  options: z.array(Option).check(
    z.minLength(2),
    z.maxLength(4),
    z.refine((options) => differ(options.map(({ label }) => label)), "labels that differ within a question"),
  ),
  multiSelect: z._default(described(z.boolean(), "Whether several options may be chosen."), false),
});

/** The arguments, as the model is told of them. */
const Arguments = strict({ questions: z.array(Question).check(z.minLength(1), z.maxLength(4)) });

/** The JSON Schema of the arguments. */
export const argumentsSchema = () => toJsonSchema(Arguments);

/**
 * Reads the model's arguments (P-KLA-1 to P-KLA-3).
 *
 * @throws ToolError that names the misfit.
 */
export function readKlaudeCall(call: ToolCall): KlaudeQuestions {
  const { questions } = readArguments(Arguments, call, (written) => plainQuestions(written, "multiSelect"));
  const texts = questions.map(({ question }) => question);
  const shown = told(texts);
  return {
    texts,
    questions: questions.map(({ header, options, multiSelect }, index) => {
      const id = `q${index + 1}`;
      return {
        id,
        question: shown[index] as string,
        header,
        options: options.map(({ label, description, markdown }, o) => ({
          id: `${id}_o${o + 1}`,
          label,
          description,
          ...(markdown !== undefined && markdown !== "" && !multiSelect && { preview: markdown }),
        })),
        multi_select: multiSelect,
      };
    }),
  };
}

/**
 * The texts as they are shown. A base client answers by text, so one that an earlier question has gets a number:
 * `Which? (2)` (P-KLA-3).
 */
function told(texts: readonly string[]): string[] {
  const taken = new Set(texts);
  const shown = new Set<string>();
  return texts.map((text) => {
    if (!shown.has(text)) {
      shown.add(text);
      return text;
    }
    let n = 2;
    while (taken.has(`${text} (${n})`)) n += 1;
    taken.add(`${text} (${n})`);
    return `${text} (${n})`;
  });
}
