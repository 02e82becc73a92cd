import type { QuestionInput, ToolCall } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { isAnswerKey } from "@askwire/protocol/internal";
import { toJsonSchema } from "@askwire/server/internal";
import { described } from "../asked-texts.js";
import { TOOL_NAME } from "./call-element.js";
import { readSuggestions, type Suggestion } from "./suggestions.js";

/** The forms of a model's calls: a provider's tool, or elements in the text. */
export const kiloForms = ["json", "xml"] as const;
/** A value of {@link kiloForms}. */
export type KiloForm = (typeof kiloForms)[number];

/** The question of a call. */
export interface KiloQuestion {
  readonly question: QuestionInput;
  /** Its options, in their order. */
  readonly suggestions: readonly Suggestion[];
  /** The breach of the advice on suggestions, if any. */
  readonly advice: string | undefined;
}

/** The mistake of a call: one failure, told to each side in its own words (P-KIL-2). */
export interface Mistake {
  /** For the person. */
  readonly shown: string;
  /** For the model. */
  readonly told: string;
}

/** The JSON Schema of the arguments for a model. Reading is more patient. */
export const parameters = (): Record<string, unknown> => toJsonSchema(Params);

const Params = z.strictObject({
  question: described(z.string(), "One clear, specific question on what you need to know."),
  follow_up: described(
    z
      .array(
        z.strictObject({
          text: described(z.string(), "A complete answer, ready to be chosen, without blanks to fill in."),
          mode: described(
            z.nullable(z.string()),
            "The mode to switch to if this is chosen; null to stay in the present one.",
          ),
        }),
      )
      .check(z.minLength(1), z.maxLength(4)),
    "2 to 4 answers that the user may choose from.",
  ),
});

/**
 * Reads the model's arguments, or its mistake (P-KIL-1 to P-KIL-3).
 *
 * @param withDefault set if the first suggestion counts when a deadline passes.
 */
export function readKiloCall(form: KiloForm, call: ToolCall, withDefault: boolean): KiloQuestion | Mistake {
  const args = readObject(call.function.arguments);
  if (typeof args === "string") return unread(args);
  const { follow_up, options } = args;
  const question = typeof args.question === "string" ? args.question.trim() : "";
  // A mistyped close tag, which only `<follow_up>` then ends.
  const asks = form === "xml" ? question.replace(/<\/q[a-z]*>?$/i, "").trim() : question;
  if (asks === "") return noQuestion;
  if (!isAnswerKey(asks)) return unread(`question: expected another text than "__proto__"`);
  const given = isGiven(follow_up) ? follow_up : options;
  const suggestions = isGiven(given) ? readSuggestions(given, form === "json") : [];
  if ("problem" in suggestions) return unparsable(suggestions.problem);
  return asked(asks, withoutEqual(suggestions), { withDefault, given: isGiven(given) });
}

/** Of suggestions with one text the first counts: a client of the base profile answers by it. */
function withoutEqual(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const texts = new Set<string>();
  return suggestions.filter(({ text }) => !texts.has(text) && texts.add(text));
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");

/** The id of the option that is a suggestion, from 0. */
export const optionId = (index: number): string => `q1_o${index + 1}`;

function asked(
  question: string,
  suggestions: readonly Suggestion[],
  { withDefault, given }: { withDefault: boolean; given: boolean },
): KiloQuestion {
  const options = suggestions.map(({ text, mode }, index) => ({
    id: optionId(index),
    label: text,
    description: mode === undefined ? "" : `Mode: ${mode}`,
  }));
  const counts = withDefault && options.length > 0 && { default: [optionId(0)] };
  return {
    question: { id: "q1", question, options, ...counts },
    suggestions,
    advice: given ? advice(suggestions.length) : undefined,
  };
}

/** Advice, and no rule (P-KIL-3). */
const advised = { least: 2, most: 4 };

function advice(count: number): string | undefined {
  const { least, most } = advised;
  if (count >= least && count <= most) return undefined;
  return `${count} suggestion${count === 1 ? "" : "s"}, where ${least} to ${most} are advised`;
}

/** The arguments as an object, or why they are none. */
function readObject(text: string | null): Record<string, unknown> | string {
  if (text === null || text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    return "expected an object";
  } catch (error) {
    return `not JSON (${(error as Error).message})`;
  }
}

/** The text of a failure for a model. */
export const failedTool = (why: string): string =>
  `The tool execution failed with the following error:\n<error>\n${why}\n</error>`;

const reminder = `Call ${TOOL_NAME} again with everything that it needs, or go on without asking.`;

const noQuestion: Mistake = {
  shown: `Askwire tried to use ${TOOL_NAME} without value for required parameter 'question'. Retrying...`,
  told: failedTool(
    `Missing value for required parameter 'question'. Please retry with complete response.\n\n${reminder}`,
  ),
};

const unparsable = (problem: string): Mistake => ({
  shown: `Failed to parse operations: Failed to parse XML: ${problem}`,
  told: failedTool("Invalid operations xml format"),
});

const unread = (problem: string): Mistake => ({
  shown: `Failed to read the arguments of ${TOOL_NAME}: ${problem}`,
  told: failedTool(`Invalid arguments: ${problem}.\n\n${reminder}`),
});
