import { readFileSync } from "node:fs";
import type { Outcome } from "@askwire/protocol";
import * as z from "zod/mini";
import { getToolCall, getWire, wireSend } from "../context.js";
import {
  QuestionExpired,
  QuestionNotSupported,
  QuestionUnavailable,
  QuestionWithdrawn,
} from "../interaction/errors.js";
import { QuestionRequest } from "../interaction/question-request.js";
import { brief, defineTool, type Tool, ToolError, type ToolReturn } from "../tool.js";

const description = readFileSync(new URL("./ask-user-question.md", import.meta.url), "utf8");

const described = <S extends z.ZodMiniType>(schema: S, text: string) => schema.check(z.describe(text));

const Option = z.looseObject({
  label: described(z.string(), "What is chosen, in 1-5 words."),
  description: z._default(described(z.string(), "What choosing it leads to."), ""),
});

const Item = z.looseObject({
  question: described(z.string(), "A specific question that ends with a question mark."),
  header: z._default(described(z.string(), "A short tag for the question, at most 12 characters."), ""),
  options: z.array(Option).check(
    z.minLength(2),
    z.maxLength(4),
    z.refine(
      (options) => distinct(options.map((option) => option.label)),
      "labels that differ within a question",
    ),
  ),
  multi_select: z._default(described(z.boolean(), "Whether several options may be chosen."), false),
});

const Params = z.looseObject({
  questions: z.array(Item).check(
    z.minLength(1),
    z.maxLength(4),
    z.refine((items) => distinct(items.map((item) => item.question)), "question texts that differ"),
  ),
});
/** What the tool is called with (P-KIM-1 to P-KIM-4). Models that learned another dialect write `multiSelect`. */
export type AskUserQuestionParams = z.output<typeof Params>;

const distinct = (texts: readonly string[]) => new Set(texts).size === texts.length;

/** The question tool of the Kimi dialect. Offered to the model where a question would reach somebody (P-KIM-5). */
export const askUserQuestion: Tool = defineTool({
  name: "AskUserQuestion",
  description,
  parameters: Params,
  offered: ({ canAsk }) => canAsk,
  run: (params, { unattended }) => ask(params, unattended),
});

/** Asks, and renders each outcome in the dialect's own words (P-KIM-6 to P-KIM-8). */
export async function ask(
  params: AskUserQuestionParams,
  unattended: boolean,
): Promise<ToolReturn | ToolError> {
  if (unattended) return notPresent();
  if (getWire() === undefined) {
    return new ToolError({
      message: "Cannot ask user questions: Wire is not available.",
      brief: "Wire unavailable",
    });
  }
  const toolCall = getToolCall();
  if (toolCall === undefined) {
    return new ToolError({
      message: "AskUserQuestion must be called from a tool call context.",
      brief: "Invalid context",
    });
  }
  const questions = params.questions.map((item) => ({
    question: item.question,
    header: item.header,
    options: item.options.map(({ label, description }) => ({ label, description })),
    multi_select: item.multi_select || item.multiSelect === true,
  }));
  const request = new QuestionRequest({ tool_call_id: toolCall.id, questions });
  wireSend(request);
  try {
    const answers = await request.wait();
    const outcome = request.outcome as Outcome;
    return outcome.status === "declined" ? declined(outcome) : answered(answers, outcome);
  } catch (error) {
    return failed(error);
  }
}

function answered(answers: Readonly<Record<string, string>>, outcome: Outcome): ToolReturn {
  const members = Object.entries(answers).map(
    ([question, value]) => `${JSON.stringify(question)}: ${JSON.stringify(value)}`,
  );
  return {
    output: `{"answers": {${members.join(", ")}}}`,
    message: "User has answered.",
    display: brief("User answered"),
    ...(outcome.degraded === undefined ? {} : { extras: { degraded: outcome.degraded } }),
  };
}

function declined(outcome: Outcome): ToolReturn {
  if (outcome.reason !== "discuss") {
    return unanswered("User dismissed the question without answering.", { brief: "User dismissed" });
  }
  const said = outcome.note === undefined ? "" : ` They said: ${outcome.note}`;
  return unanswered(`User wants to talk about the question before answering it.${said}`, {
    brief: "User wants to discuss",
  });
}

function notPresent(): ToolReturn {
  return unanswered("Running in afk mode. No user is present. Make your own decision.", {
    message: "Afk mode, auto-dismissed.",
    brief: "Auto-dismissed (afk)",
  });
}

function unanswered(note: string, told: { message?: string; brief: string }): ToolReturn {
  const output = `{"answers": {}, "note": ${JSON.stringify(note)}}`;
  return { output, message: told.message ?? note, display: brief(told.brief) };
}

function failed(error: unknown): ToolReturn | ToolError {
  if (error instanceof QuestionWithdrawn) throw error;
  if (error instanceof QuestionNotSupported) {
    return new ToolError({
      message:
        "The connected client does not support interactive questions. Do NOT call this tool again. Ask the user directly in your text response instead.",
      brief: "Client unsupported",
    });
  }
  if (error instanceof QuestionExpired) {
    return unanswered("The question expired before anybody answered it.", { brief: "Question expired" });
  }
  if (error instanceof QuestionUnavailable && isAfk(error.outcome)) return notPresent();
  return new ToolError({ message: "Failed to get user response.", brief: "Question failed" });
}

/** Nobody is there by a rule of the session, so the model decides by itself. */
const isAfk = ({ by, reason }: Outcome) => by === "policy" && reason === "unattended";
