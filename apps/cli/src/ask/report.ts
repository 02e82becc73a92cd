import { visibleText } from "@askwire/client/text";
import {
  type AnswerItem,
  type CoreQuestion,
  coreQuestion,
  type HeardOutcome,
  type OutcomeStatus,
  outcomeInOwnWords,
  QuestionInputs,
} from "@askwire/protocol";
import { CommandFailure } from "../input/failure.js";
import type { AskedQuestion } from "./questions.js";

/** The form in which an answer is printed. */
type PrintForm = "json" | "label" | "id";

/** The end of the questions, for the script that asked. */
export interface AskReport {
  /** Null for questions that are still open. */
  readonly outcome: HeardOutcome | null;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly items: readonly AnswerItem[];
  /** The key to come back with, of a request to the people of a server. */
  readonly key?: string | undefined;
}

/** The wishes of the script. */
export interface ReportOptions {
  readonly print: PrintForm;
  /** True for one question whose no is an exit code of its own. Default: false. */
  readonly yesNo?: boolean;
}

export const askExitCodes: Readonly<Record<OutcomeStatus, number>> = {
  answered: 0,
  declined: 3,
  expired: 4,
  unavailable: 4,
  withdrawn: 130,
};

/** The exit code for questions that are still open, as `--no-wait` and a key leave them. */
const OPEN = 5;
/** The exit code for a no to `--yes-no`. */
const NO = 10;

/** Prints what became of the questions, and sets the exit code. */
export async function report(
  end: AskReport,
  questions: readonly AskedQuestion[],
  { print, yesNo = false }: ReportOptions,
): Promise<void> {
  const { key, outcome, answers, items } = end;
  if (print === "json") await written(`${harmless(JSON.stringify({ key, outcome, answers, items }))}\n`);
  else if (outcome !== null && items.length > 0) {
    const chosen = QuestionInputs.parse(questions)
      .map(coreQuestion)
      .flatMap((question) => choices(question, items, print));
    await written(chosen.map((one) => `${shown(one)}\n`).join(""));
  }
  const isNo = yesNo && items.some(({ own_text }) => own_text === "false");
  const status = outcome === null ? undefined : outcomeInOwnWords(outcome).status;
  process.exitCode = status === undefined ? OPEN : isNo && status === "answered" ? NO : askExitCodes[status];
}

/** The answer to a question: its options by their labels or ids, in their order, and own words last. */
function choices({ id, options }: CoreQuestion, items: readonly AnswerItem[], print: PrintForm): string[] {
  const { selected = [], own_text: words = "" } = items.find(({ question_id }) => question_id === id) ?? {};
  const chosen = options.filter((option) => selected.includes(option.id));
  const named = chosen.map((option) => (print === "id" ? option.id : option.label));
  return words === "" ? named : [...named, words];
}

/** A terminal would obey controls; a script gets the very words. */
const shown = (text: string): string => (process.stdout.isTTY ? visibleText(text) : text);

async function written(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const done = (error?: NodeJS.ErrnoException | null) => {
      // A terminal that is gone takes no line, and the exit code still gives the outcome.
      if (!error || error.code === "EIO") resolve();
      else reject(new CommandFailure(`standard output: ${error.message}`));
    };
    process.stdout.once("error", done);
    process.stdout.write(text, done);
  });
}

/**
 * Escapes controls and marks of direction in JSON, since a terminal would obey them. JSON itself escapes only the
 * first 32.
 */
function harmless(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
