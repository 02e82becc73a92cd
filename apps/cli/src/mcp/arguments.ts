import type { ApprovalToAsk } from "@askwire/client";
import { describeIssues } from "@askwire/protocol";
import { defined, plainQuestions } from "@askwire/protocol/internal";
import * as z from "zod/mini";
import { type AskedQuestion, readQuestions } from "../ask/questions.js";
import { CommandFailure } from "../input/failure.js";
import { CallMistake, type ToAsk } from "./asking.js";

type Given = Readonly<Record<string, unknown>>;

/** The longest time for people, in seconds: a week. */
const MOST_SECONDS = 7 * 24 * 60 * 60;

/** The members of a question, which a model may write without the list around them. */
const QUESTION_KEYS = ["question", "header", "body", "options", "multi_select", "multiSelect", "field"];

/**
 * Reads the arguments of `ask_user_question`.
 *
 * @throws CallMistake that names the field and what was expected.
 */
export function readAsk(written: Given): ToAsk {
  const given = inAList(written);
  refuseOthers(given, ["questions", "deadline_seconds", "handle"]);
  const { questions } = plainQuestions(given, "multi_select") as { questions?: unknown };
  const handle = readHandle(given);
  if (handle !== undefined && questions !== undefined)
    throw new CallMistake(
      "handle: expected it alone, for questions that were asked before: leave questions out",
    );
  if (handle !== undefined) return { handle };
  if (questions === undefined)
    throw new CallMistake('questions: expected an array such as [{"question": "Which one?"}], or a handle');
  return { questions: checked(questions), ...defined({ deadlineMs: readDeadline(given) }) };
}

/** Puts a question that is written in the place of the arguments into a list. */
function inAList(given: Given): Given {
  if (typeof given.question !== "string" || (given.questions ?? undefined) !== undefined) return given;
  const isPart = ([key]: [string, unknown]) => QUESTION_KEYS.includes(key) || key === "min" || key === "max";
  const entries = Object.entries(given);
  const rest = entries.filter((entry) => !isPart(entry));
  return { ...Object.fromEntries(rest), questions: [Object.fromEntries(entries.filter(isPart))] };
}

function readDeadline({ deadline_seconds: given }: Given): number | undefined {
  if (given === undefined || given === null || given === "") return undefined;
  const seconds = typeof given === "string" ? Number(given) : given;
  if (typeof seconds === "number" && seconds >= 1 && seconds <= MOST_SECONDS)
    return Math.round(seconds * 1_000);
  throw new CallMistake(`deadline_seconds: expected a number of seconds from 1 to ${MOST_SECONDS}`);
}

const said = z.string().check(z.refine((text) => text.trim() !== "", "a text that is not blank"));

const Approval = z.object({
  action: said,
  description: said,
  command: z.nullish(z.string()),
  changes: z.nullish(
    z.array(z.object({ path: said, old_text: z._default(z.string(), ""), new_text: z.string() })),
  ),
});

/** The ways to answer: this one action. Words of a model are no extent that a person could allow for later. */
const ONCE = [
  { id: "approve", kind: "allow" },
  { id: "reject", kind: "reject" },
] as const satisfies ApprovalToAsk["options"];

/**
 * Reads the arguments of `ask_user_approval`. No policy answers what comes of them: only a person does (P-XAO-10).
 *
 * @throws CallMistake that names the field and what was expected.
 */
export function readApproval(given: Given): ToAsk {
  refuseOthers(given, ["action", "description", "command", "changes", "handle"]);
  const handle = readHandle(given);
  const { handle: _, ...content } = given;
  const isEmpty = Object.values(content).every((value) => value === null || value === undefined);
  if (handle !== undefined && isEmpty) return { handle };
  if (handle !== undefined)
    throw new CallMistake(
      "handle: expected it alone, for an action that was asked before: leave the rest out",
    );
  const read = Approval.safeParse(content);
  if (!read.success) throw new CallMistake(describeIssues(read.error.issues));
  const { action, description, command, changes } = read.data;
  const shown = command ? [{ type: "shell" as const, language: "sh", command }] : [];
  const diffs = (changes ?? []).map((change) => ({ type: "diff" as const, ...change }));
  return {
    approval: { action, description, display: [...shown, ...diffs], options: ONCE, person_only: true },
  };
}

/**
 * Reads the arguments of `ask_user_status`.
 *
 * @throws CallMistake that names the field and what was expected.
 */
export function readStatus(given: Given): string | undefined {
  refuseOthers(given, ["handle"]);
  return readHandle(given);
}

function readHandle({ handle }: Given): string | undefined {
  if (handle === undefined || handle === null || handle === "") return undefined;
  if (typeof handle === "string" && handle.length <= 128) return handle;
  throw new CallMistake("handle: expected the text that an earlier call returned");
}

function refuseOthers(given: Given, keys: readonly string[]): void {
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
