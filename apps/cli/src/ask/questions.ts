import { isatty } from "node:tty";
import { describeIssues, fieldTypes, QuestionInputs, validate } from "@askwire/protocol";
import * as z from "zod/mini";
import { usageFailure } from "../input/failure.js";
import { parseJson } from "../input/parse-json.js";
import { readOptionFile } from "../input/read-file.js";
import { standardInput, TOO_LONG } from "../input/standard-input.js";

/** The source of the questions: a file, flags for one question, or else standard input. */
export interface QuestionOptions {
  readonly questions?: string;
  readonly question?: readonly string[];
  readonly option?: readonly string[];
  readonly header?: string;
  readonly multi?: boolean;
  readonly yesNo?: boolean;
}

const words = z.string().check(z.refine((text) => text.trim() !== "", "a text that is not blank"));

/** An object of these keys alone, so that a misspelt key is not ignored silently. */
function only<S extends z.core.$ZodLooseShape>(shape: S) {
  const keys = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `no such key as ${JSON.stringify(issue.keys[0])}; expected ${keys}`
        : undefined,
  });
}

/** A label alone stands for an option without a description. */
const Option = z.pipe(
  z.transform((option: unknown) => (typeof option === "string" ? { label: option } : option)),
  only({
    label: words,
    description: z._default(z.string(), ""),
    preview: z.optional(z.string()),
    recommended: z.optional(z.boolean()),
  }),
);

const bound = z.optional(z.union([z.number(), z.string()]));

/** The form of an answer (P-XFL-1). */
const Field = only({
  type: z.literal(fieldTypes),
  bounds: z.optional(only({ min: bound, max: bound })),
  pattern: z.optional(z.string()),
  required: z.optional(z.boolean()),
  prefill: z.optional(z.string()),
});

const Question = only({
  question: words,
  header: z._default(z.string(), ""),
  body: z.optional(z.string()),
  options: z._default(z.array(Option), []).check(unlike("label")),
  multi_select: z._default(z.boolean(), false),
  field: z.optional(Field),
  min: z.optional(z.number()),
  max: z.optional(z.number()),
});

const Questions = only({
  questions: z.array(Question).check(
    z.refine((list) => list.length > 0, "at least one question"),
    unlike("question"),
  ),
});

export type AskedQuestion = z.output<typeof Question>;

/** Refuses equal texts, since answers name questions and options by their text. */
function unlike<K extends string>(key: K) {
  return z.check<Record<K, string>[]>(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, { [key]: text }] of value.entries()) {
      if (seen.has(text)) {
        const message = `another text than ${JSON.stringify(text)}, which is there before`;
        issues.push({ code: "custom", path: [index, key], message, input: text });
      }
      seen.add(text);
    }
  });
}

/**
 * Reads the questions from the source in the options.
 *
 * @param signal ends the wait for standard input.
 * @throws Failure for wrong use; the signal's reason, when it is aborted.
 */
export async function questionsFrom(options: QuestionOptions, signal: AbortSignal): Promise<AskedQuestion[]> {
  const { questions: file, question: [question, second] = [], option, header, multi, yesNo } = options;
  if (second !== undefined)
    throw usageFailure("ask: --question is given twice; several questions go into --questions FILE");
  if (question !== undefined) {
    if (file !== undefined)
      throw usageFailure("ask: --question and --questions both say what to ask: leave one out");
    const field = yesNo === true ? { type: "boolean" } : undefined;
    const asked = { question, header, options: option, multi_select: multi, field };
    return [checked(Question, asked, flagOf)];
  }
  const alone = option !== undefined ? "--option" : header !== undefined ? "--header" : multi && "--multi";
  if (alone) throw usageFailure(`ask: ${alone} needs --question TEXT`);
  if (file !== undefined) return readQuestions(readOptionFile("--questions", file), file);
  if (isatty(0))
    throw usageFailure("ask: no question: give --question TEXT or --questions FILE, or pipe one in");
  return readQuestions(await readStandardInput(signal), "standard input");
}

/**
 * Reads questions from JSON.
 *
 * @param source the name for messages.
 * @throws Failure that names the source, the place in it and what was expected there.
 */
export function readQuestions(json: string, source: string): AskedQuestion[] {
  if (json.trim() === "")
    throw usageFailure(`${source}: expected JSON, {"questions": [{"question": TEXT}]}, but it is empty`);
  const where = (problem: string) => `${source}: ${problem}`;
  const { questions } = checked(Questions, parseJson(json, source), where);
  const asked = validate(QuestionInputs, questions);
  if (!asked.ok) throw usageFailure(where(`questions${asked.problem}`));
  return questions;
}

function checked<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  where: (problem: string) => string,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw usageFailure(where(describeIssues(parsed.error.issues)));
}

/** Rewrites a problem to name the flag. */
function flagOf(problem: string): string {
  return problem
    .replace(
      /(^|; )options\[(\d+)\]\.label/g,
      (_all, before, index) => `${before}--option number ${Number(index) + 1}`,
    )
    .replace(/^question/, "--question");
}

/** The time after which a command that waits for its questions says so, in milliseconds. */
const WAITING_MS = 1_000;

async function readStandardInput(signal: AbortSignal): Promise<string> {
  const waiting = setTimeout(
    () => process.stderr.write("askwire: ask: reads its questions from standard input, until that ends\n"),
    WAITING_MS,
  );
  const text = await standardInput(signal)
    .catch((error: Error) => {
      signal.throwIfAborted();
      throw usageFailure(`standard input: ${error.message}`);
    })
    .finally(() => clearTimeout(waiting));
  if (text === undefined) throw usageFailure(TOO_LONG);
  return text;
}
