import { plainQuestions } from "@askwire/protocol/internal";
import { type AskedQuestion, readQuestions } from "../ask/questions.js";
import { CommandFailure } from "../input/failure.js";
import { CallMistake, type ToAsk } from "./asking.js";

/**
 * Reads the arguments of `ask_user_question`.
 *
 * @throws CallMistake that names the field and what was expected.
 */
export function readAsk(given: Readonly<Record<string, unknown>>): ToAsk {
  refuseOthers(given, ["questions", "handle"]);
  const { questions } = plainQuestions(given, "multi_select") as { questions?: unknown };
  const handle = readHandle(given);
  if (handle !== undefined && questions !== undefined)
    throw new CallMistake(
      "handle: expected it alone, for questions that were asked before: leave questions out",
    );
  if (handle !== undefined) return { handle };
  if (questions === undefined)
    throw new CallMistake('questions: expected an array such as [{"question": "Which one?"}], or a handle');
  return { questions: checked(questions) };
}

/**
 * Reads the arguments of `ask_user_status`.
 *
 * @throws CallMistake that names the field and what was expected.
 */
export function readStatus(given: Readonly<Record<string, unknown>>): string | undefined {
  refuseOthers(given, ["handle"]);
  return readHandle(given);
}

function readHandle({ handle }: Readonly<Record<string, unknown>>): string | undefined {
  if (handle === undefined || handle === null || handle === "") return undefined;
  if (typeof handle === "string" && handle.length <= 128) return handle;
  throw new CallMistake("handle: expected the text that an earlier call returned");
}

function refuseOthers(given: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
  const other = Object.keys(given).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw new CallMistake(`${JSON.stringify(other)}: no such argument; expected ${keys.join(" or ")}`);
}

function checked(questions: unknown): readonly AskedQuestion[] {
  try {
    return readQuestions(JSON.stringify({ questions }), "arguments");
  } catch (error) {
    if (error instanceof CommandFailure) throw new CallMistake(error.message);
    throw error;
  }
}
