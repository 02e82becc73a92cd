import * as z from "@askwire/protocol/internal";
import { checkOptions, type OptionRules, option, plainQuestions } from "@askwire/protocol/internal";
import {
  type Dialect,
  type DialectSettings,
  type Ended,
  type Endings,
  type QuestionsOfCall,
  questionTool,
  type Tool,
  ToolError,
  type ToolReturn,
} from "@askwire/server";
import { brief, deadlineRules, readArguments, toJsonSchema } from "@askwire/server/internal";
import { described, optionLabel, questionTextSchema } from "../asked-texts.js";
import { imagesOf, notesOf } from "../said-beside.js";
import { withImages } from "../with-images.js";
import { kimiDescription, meanwhile } from "./prose.js";

const Option = z.looseObject({
  label: described(optionLabel, "What is chosen, in 1-5 words."),
  description: z._default(described(z.string(), "What choosing it leads to."), ""),
});

const Item = z.looseObject({
  question: described(questionTextSchema, "A specific question that ends with a question mark."),
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
const BackgroundParams = z.looseObject({
  ...Params.shape,
  background: z._default(
    described(z.boolean(), "Whether you go on meanwhile and are told the answer later, in a message."),
    false,
  ),
});
const plain = (written: unknown) => plainQuestions(written, "multi_select");

const distinct = (texts: readonly string[]) => new Set(texts).size === texts.length;

/** The questions of a call as read (P-KIM-1 to P-KIM-4). */
function asked({ questions, background }: z.output<typeof Params>, mayGoOn: boolean): QuestionsOfCall {
  return {
    questions: questions.map((item) => ({
      question: item.question,
      header: item.header,
      options: item.options.map(({ label, description }) => ({ label, description })),
      multi_select: item.multi_select || item.multiSelect === true,
    })),
    endings,
    background: mayGoOn && background === true,
  };
}

const failed = () => new ToolError({ message: "Failed to get user response.", brief: "Question failed" });

/** The text for the model, for each ending (P-KIM-6 to P-KIM-8). */
const endings: Endings = {
  answered,
  dismissed: () => unanswered("User dismissed the question without answering.", { brief: "User dismissed" }),
  discuss: ({ outcome: { note } }) =>
    unanswered(
      `User wants to talk about the question before answering it.${note === undefined ? "" : ` They said: ${note}`}`,
      { brief: "User wants to discuss" },
    ),
  deadline: () =>
    unanswered("The question expired before anybody answered it.", { brief: "Question expired" }),
  unattended: ({ outcome: { by } }) =>
    // A rule of the session lets the model decide by itself. Otherwise nobody happens to be connected.
    by === "policy"
      ? unanswered("Running in afk mode. No user is present. Make your own decision.", {
          message: "Afk mode, auto-dismissed.",
          brief: "Auto-dismissed (afk)",
        })
      : failed(),
  do_not_ask: () =>
    unanswered("The user does not want to be asked questions in this session. Make your own decision.", {
      brief: "Not to be asked",
    }),
  unsupported: () =>
    new ToolError({
      message:
        "The connected client does not support interactive questions. Do NOT call this tool again. Ask the user directly in your text response instead.",
      brief: "Client unsupported",
    }),
  superseded: failed,
  agent: failed,
  client_lost: failed,
  subagent: failed,
  limit: failed,
  protocol_error: failed,
  not_kept: failed,
};

const outside = (missing: "wire" | "tool call") =>
  missing === "wire"
    ? new ToolError({
        message: "Cannot ask user questions: Wire is not available.",
        brief: "Wire unavailable",
      })
    : new ToolError({
        message: "AskUserQuestion must be called from a tool call context.",
        brief: "Invalid context",
      });

function answered(ended: Ended): ToolReturn {
  const members = Object.entries(ended.answer.answers).map(
    ([question, value]) => `${JSON.stringify(question)}: ${JSON.stringify(value)}`,
  );
  const notes = notesOf(ended);
  const note = notes.length === 0 ? "" : `, "note": ${JSON.stringify(notes.join("\n"))}`;
  return {
    output: withImages(`{"answers": {${members.join(", ")}}${note}}`, imagesOf(ended)),
    message: "User has answered.",
    display: brief("User answered"),
  };
}

function unanswered(note: string, told: { message?: string; brief: string }): ToolReturn {
  const output = `{"answers": {}, "note": ${JSON.stringify(note)}}`;
  return { output, message: told.message ?? note, display: brief(told.brief) };
}

/** Settings of the Kimi dialect. */
export interface KimiSettings extends DialectSettings {
  /**
   * Lets the model ask in the background, as that of kimi-code: it continues, and reads the answer at a later step
   * (P-XBG-1). Default: false.
   */
  readonly background?: boolean;
}

const settingRules: OptionRules<KimiSettings> = {
  deadline: option.of(deadlineRules),
  background: option.flag,
};

/**
 * `AskUserQuestion` of Kimi CLI: one to four questions of two to four options each. The model is offered the tool if a
 * question would reach somebody (P-KIM-5).
 *
 * @throws TypeError for an unknown or an invalid setting.
 */
export function kimi(given: KimiSettings = {}): Dialect {
  checkOptions("kimi", given, settingRules);
  const { background = false, ...settings } = given;
  const schema = background ? BackgroundParams : Params;
  let parameters: Record<string, unknown> | undefined;
  return {
    name: "kimi",
    tool: {
      name: "AskUserQuestion",
      description: background ? kimiDescription + meanwhile : kimiDescription,
      // Made when first read, since it costs a millisecond and a scripted model never reads it.
      get parameters() {
        parameters ??= toJsonSchema(schema);
        return parameters;
      },
    },
    pending: "queue",
    interrupted: unanswered("The turn ended before anybody answered the question.", {
      brief: "Question withdrawn",
    }),
    ...settings,
    begin: () => ({ read: (call) => asked(readArguments(schema, call, plain), background), outside }),
  };
}

/** The tool of the Kimi dialect, for agents that bring it themselves. */
export const askUserQuestion: Tool = questionTool(kimi());
