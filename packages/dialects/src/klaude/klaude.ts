import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import {
  type Dialect,
  type DialectSettings,
  type Endings,
  type NativeResult,
  type QuestionsOfCall,
  ToolError,
  type ToolReturn,
} from "@askwire/server";
import { brief, deadlineRules } from "@askwire/server/internal";
import { TOO_MANY } from "../asked-texts.js";
import { klaudeDescription } from "./prose.js";
import { argumentsSchema, type KlaudeQuestions, readKlaudeCall } from "./read-call.js";
import { answeredText, policyText, type ResultText, unansweredText } from "./result-text.js";

/** Settings of {@link klaude}. */
export type KlaudeSettings = DialectSettings;

/** The text for the model if a rule of the session excludes the person (L-46). */
const NOBODY =
  "No human is available to answer (unattended run). Proceed with your best judgment and state the assumption in your final report.";
/** The text for the model if the person does not want to be asked. */
const NOT_TO_BE_ASKED =
  "The user does not want to be asked questions in this session. Proceed with your best judgment and state the assumption in your final report.";
const NOT_AVAILABLE = "AskUserQuestion is not available in this context";

/** The text for the model, for each ending (P-KLA-4, P-KLA-5). */
const endings = (asked: KlaudeQuestions): Endings => ({
  answered: ({ answer, outcome: { note } }) => success(answeredText(asked, answer, note), "User answered"),
  dismissed: () => {
    const told = unansweredText(asked, "(User declined to answer questions)");
    return { ...success(told, "User declined", { continue_agent: false }), stopsTurn: true };
  },
  discuss: ({ outcome: { note } }) => {
    const words = "User wants to discuss this before answering";
    const told = unansweredText(asked, note === undefined ? `(${words})` : `(${words}: ${note})`);
    return success(told, "User wants to discuss");
  },
  deadline: () =>
    success(unansweredText(asked, "(The question expired before the user answered)"), "Question expired"),
  unattended: ({ outcome: { by } }) =>
    by === "policy"
      ? success(policyText(asked, NOBODY), "Nobody present")
      : failure(NOT_AVAILABLE, "Nobody present"),
  do_not_ask: () => success(policyText(asked, NOT_TO_BE_ASKED), "Not to be asked"),
  unsupported: () => failure(NOT_AVAILABLE, "Client unsupported"),
  superseded: withdrawn,
  agent: withdrawn,
  client_lost: () => failure("Missing AskUserQuestion response payload"),
  protocol_error: () => failure("Invalid AskUserQuestion response payload"),
  not_kept: () => failure("The question could not be saved and was not asked", "Question not saved"),
  subagent: () => failure("User interaction is available only for the main agent", "Not for sub-agents"),
  limit: ({ outcome: { by } }) =>
    by === "policy"
      ? failure("Only one user interaction can be pending at a time", "Too many questions")
      : failure(TOO_MANY, "Too many questions"),
});

function withdrawn(): NativeResult {
  return failure("The question was withdrawn before the user answered");
}

/** A cancel is told as aborted, wherever it comes from (L-11). */
const ABORTED: ToolReturn = {
  is_error: true,
  output: "The turn was interrupted before the user answered",
  extras: { status: "aborted" },
};

function success({ output, summaries }: ResultText, shown: string, extras: object = {}): NativeResult {
  const ui_extra = { type: "ask_user_question_summary", items: summaries };
  return { output, display: brief(shown), extras: { status: "success", ...extras, ui_extra } };
}

const failure = (output: string, shown = "Question failed"): NativeResult => ({
  is_error: true,
  output,
  display: brief(shown),
  extras: { status: "error" },
});

const outside = () => new ToolError({ message: "", output: NOT_AVAILABLE, brief: "Not available" });

function read(call: Parameters<typeof readKlaudeCall>[0]): QuestionsOfCall | NativeResult {
  try {
    const asked = readKlaudeCall(call);
    return { questions: asked.questions, endings: endings(asked) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ...failure(error.message), display: brief(error.brief) };
  }
}

const settingRules: OptionRules<KlaudeSettings> = {
  deadline: option.of(deadlineRules),
};

/**
 * `AskUserQuestion` of klaude-code: one to four questions of two to four options each, with previews (P-KLA-1 to
 * P-KLA-6). A person who declines ends the turn. A session has one open question at a time.
 */
export function klaude(settings: KlaudeSettings = {}): Dialect {
  checkOptions("klaude", settings, settingRules);
  let parameters: Record<string, unknown> | undefined;
  return {
    name: "klaude",
    tool: {
      name: "AskUserQuestion",
      description: klaudeDescription,
      // Made when first read, since a scripted model never reads it.
      get parameters() {
        parameters ??= argumentsSchema();
        return parameters;
      },
    },
    pending: "reject",
    interrupted: ABORTED,
    ...settings,
    begin: () => ({ read, outside }),
  };
}
