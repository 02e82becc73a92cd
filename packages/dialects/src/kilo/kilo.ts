import type { ContentPart, ToolCall, ToolReturnValue } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import type { Asking, DeadlineInit, Dialect, DialectSettings } from "@askwire/server";
import { Deadline, deadlineRules } from "@askwire/server/internal";
import { TOOL_NAME } from "./call-element.js";
import { countMistakes } from "./mistakes.js";
import { type PersonLanguage, personLanguages } from "./person-words.js";
import { inText, kiloDescription } from "./prose.js";
import { type KiloForm, kiloForms, parameters, readKiloCall } from "./read-call.js";
import { failed, failure, kiloEndings, outsideError, type SwitchMode } from "./render.js";
import { IN_MESSAGE, kiloTextCalls } from "./text-calls.js";

/** Settings of {@link kilo}. */
export interface KiloSettings extends DialectSettings {
  /** The form of the model's calls: a provider's tool, or elements in the text. Default: `json`. */
  readonly form?: KiloForm;
  /** The number of mistakes in a row before the person is asked; 0: never. Default: 3. */
  readonly mistakeLimit?: number;
  /** The language in which the person is then asked. Default: `en`. */
  readonly language?: PersonLanguage;
  /**
   * Answers with the first suggestion after `afterMs`, unless somebody begins to answer. A question
   * without suggestions waits. The time is a deadline with the expiry `default` (P-XDL-2). Clients that show no
   * deadline take no part. If only these are asked, the question expires. Default: questions wait.
   */
  readonly autoAnswer?: { readonly afterMs: number };
  /** Takes the person's words in the running turn as the answer (P-DIA-7). Default: false. */
  readonly messagesAnswer?: boolean;
  /** Called when a person chose a suggestion with a mode, before the model is told. Default: clients are told of it only. */
  readonly switchMode?: SwitchMode;
}

/** Mistakes in a row that are shown to the person. */
const MISTAKES = 3;

const settingRules: OptionRules<KiloSettings> = {
  deadline: option.of(deadlineRules),
  form: option.oneOf(kiloForms),
  mistakeLimit: option.whole(0),
  language: option.oneOf(personLanguages),
  autoAnswer: option.of<NonNullable<KiloSettings["autoAnswer"]>>({ afterMs: option.any }),
  messagesAnswer: option.flag,
  switchMode: option.callable,
};

/**
 * `ask_followup_question` of Kilo Code and Roo Code: one question with suggested answers (P-KIL-1). The person may
 * always answer in own words. A newer question replaces an older.
 *
 * @throws TypeError for an invalid setting.
 */
export function kilo(settings: KiloSettings = {}): Dialect {
  checkOptions("kilo", settings, settingRules);
  const { form = "json", mistakeLimit = MISTAKES, language = "en", messagesAnswer = false } = settings;
  const { switchMode, autoAnswer } = settings;
  const deadline = deadlineOf(settings);
  const withDefault = deadline?.on_expiry === "default";

  function begin(): Asking {
    const mistakes = countMistakes(mistakeLimit, language, deadline);
    return {
      read(call, run) {
        // A message asks one question (P-KIL-7).
        if (form === "xml" && call.extras?.[IN_MESSAGE] !== undefined) {
          return failed("One message may ask one question: this one was not asked.", "Second question");
        }
        const read = readKiloCall(form, call, withDefault);
        if ("told" in read) return mistakes.one(read, run);
        mistakes.none();
        const { question } = read;
        const { options = [] } = question;
        // With nothing to choose, nothing can be chosen by itself.
        const waits = autoAnswer !== undefined && options.length === 0;
        return {
          questions: [question],
          endings: kiloEndings(read, switchMode),
          ...(!waits && deadline !== undefined && { deadline }),
        };
      },
      outside: outsideError,
    };
  }

  let schema: Record<string, unknown> | undefined;
  return {
    name: form === "xml" ? "kilo-xml" : "kilo",
    tool: {
      name: TOOL_NAME,
      description: kiloDescription,
      // Made when first read, since it costs a millisecond and a scripted model never reads it.
      get parameters() {
        schema ??= parameters();
        return schema;
      },
    },
    pending: "supersede",
    interrupted: failure(
      "Task was interrupted before this tool call could be completed.",
      "Question withdrawn",
    ),
    steersAnswer: messagesAnswer,
    ...(form === "xml" && { inText: kiloTextCalls(kiloResultInText), prompt: inText }),
    begin,
  };
}

/** @throws TypeError if the time is invalid, or both ways of setting one are used. */
function deadlineOf({ deadline, autoAnswer }: KiloSettings): DeadlineInit | undefined {
  if (deadline !== undefined && autoAnswer !== undefined) {
    throw new TypeError("autoAnswer: expected no deadline beside it");
  }
  const given: DeadlineInit | undefined =
    autoAnswer === undefined ? deadline : { ms: autoAnswer.afterMs, on_expiry: "default" };
  // Every question makes its own deadline. A trial here finds its mistakes early.
  if (given !== undefined) new Deadline(given);
  return given;
}

/** The result of a call in the model's text: its name, its outcome, then images (P-KIL-5). */
export function kiloResultInText(call: ToolCall, { output, message }: ToolReturnValue): ContentPart[] {
  const parts: ContentPart[] = typeof output === "string" ? [{ type: "text", text: output }] : output;
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = [message, ...texts].filter((part) => part !== "").join("\n");
  return [
    { type: "text", text: `[${TOOL_NAME} for '${questionIn(call)}'] Result:` },
    { type: "text", text },
    ...parts.filter(({ type }) => type !== "text"),
  ];
}

function questionIn({ function: { arguments: text } }: ToolCall): string {
  try {
    const { question } = JSON.parse(text ?? "{}") as { question?: unknown };
    return typeof question === "string" ? question.trim() : "";
  } catch {
    return "";
  }
}
