import type { ToolCall } from "@askwire/protocol";
import {
  checkOptions,
  isAnswerKey,
  type OptionRules,
  option,
  plainBoolean,
  plainList,
  plainText,
} from "@askwire/protocol/internal";
import {
  type Dialect,
  type DialectSettings,
  type Ended,
  type Endings,
  type NativeResult,
  type QuestionsOfCall,
  type Told,
  ToolError,
} from "@askwire/server";
import { brief, deadlineRules, oneLine } from "@askwire/server/internal";
import { TOO_MANY } from "../asked-texts.js";
import { imagesOf, notesOf } from "../said-beside.js";
import { withImages } from "../with-images.js";
import { redcDescription, redcPrompt } from "./prose.js";

/** Settings of {@link redc}. */
export interface RedcSettings extends DialectSettings {
  /**
   * True if the model may ask; a function is read at each step and each call (P-RED-5). Without permission the tool is
   * neither offered nor served. Agents and tools can still ask by themselves. Default: true.
   */
  readonly enabled?: boolean | (() => boolean);
}

const parameters = {
  type: "object",
  properties: {
    question: { type: "string", description: "What the user is asked." },
    choices: {
      type: "array",
      items: { type: "string" },
      description: "What they may choose from, each in a few words.",
    },
    allow_freeform: {
      type: "boolean",
      description: "Whether they may answer in their own words instead. Default: true.",
    },
  },
  required: ["question"],
};

const PLACEHOLDER = "Or type your thoughts...";

/** Reads the model's arguments, or its mistake (P-RED-1, P-RED-2). */
function asked({ function: { arguments: raw } }: ToolCall): QuestionsOfCall | Told {
  let args: unknown;
  try {
    args = JSON.parse(raw ?? "");
  } catch (error) {
    return notRead((error as Error).message, raw);
  }
  if (typeof args !== "object" || args === null || Array.isArray(args)) return notRead("应为 JSON 对象", raw);
  const { question, choices, allow_freeform } = args as Record<string, unknown>;
  if (!isSaid(question)) return failed("工具参数缺少 question，请写明要询问用户的问题", "No question");
  if (!isAnswerKey(question)) return failed("工具参数 question 无效，请换一种问法", "Invalid question");
  const labels = readChoices(choices);
  if (typeof labels === "string") return failed(labels, "Invalid choices");
  const closed = plainBoolean(allow_freeform) === false && labels.length > 0;
  const options = labels.map((label) => ({ label }));
  const ownText = closed ? { own_text: false } : { placeholder: PLACEHOLDER };
  return { questions: [{ question, options, ...ownText }], endings: endings(question) };
}

/** The labels of the choices, each once since a client of the base profile answers by label; or the model's mistake. */
function readChoices(written: unknown): readonly string[] | string {
  if (written === undefined || written === null || written === "") return [];
  const choices = plainList(written, plainChoice);
  if (!Array.isArray(choices)) return '工具参数 choices 无效: 应为文本列表，例如 ["是", "否"]';
  const wrong = choices.findIndex((label) => !isSaid(label));
  if (wrong >= 0) return `工具参数 choices 无效: 第 ${wrong + 1} 项应为非空文本`;
  return [...new Set(choices as string[])];
}

/** A choice is a text, or an object with one. */
function plainChoice(choice: unknown): string | undefined {
  if (typeof choice !== "object" || choice === null) return plainText(choice);
  const { label, text, value } = choice as Record<string, unknown>;
  return plainText(label ?? text ?? value);
}

const isSaid = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

const notRead = (problem: string, raw: string | null) =>
  failed(`工具参数 JSON 解析失败: ${problem}\n原始参数: ${raw ?? ""}`, "Invalid arguments");

function failed(output: string, shown: string): NativeResult {
  return { is_error: true, output, display: brief(shown), extras: { success: false } };
}

const failure = (output: string, shown: string) => () => failed(output, shown);

/** True for a text that tells the model why there is no answer to its question. */
export const isRedcFailure = (text: string): boolean =>
  text === TOO_MANY ||
  /^(?:用户|工具参数|当前|子代理|ask_user |Only one user interaction |<system>)/.test(text);

const CANCELLED = "用户未回答，操作已取消";
const cancelled = (shown: string) => failure(CANCELLED, shown);

/** The text for the model, for each ending (P-RED-4). */
const endings = (question: string): Endings => ({
  answered: (ended) => answered(question, ended),
  dismissed: cancelled("User dismissed"),
  discuss: ({ outcome: { note } }) =>
    failed(`用户想先讨论这个问题${note === undefined ? "" : `：${note}`}`, "User wants to discuss"),
  deadline: cancelled("Question expired"),
  superseded: cancelled("Question withdrawn"),
  agent: cancelled("Question withdrawn"),
  client_lost: cancelled("Question failed"),
  protocol_error: cancelled("Question failed"),
  not_kept: cancelled("Question not saved"),
  unsupported: failure("当前客户端无法显示问题，请直接在回复中询问用户", "Client unsupported"),
  unattended: failure("当前没有用户可以回答，请自行判断并继续", "Nobody present"),
  do_not_ask: failure("用户不希望在本会话中被提问，请自行判断并继续", "Not to be asked"),
  subagent: failure("子代理不能向用户提问", "Not for sub-agents"),
  limit: ({ outcome: { by } }) =>
    failed(
      by === "policy" ? "Only one user interaction can be pending at a time" : TOO_MANY,
      "Too many questions",
    ),
});

/** Characters of an answer that the person is shown again, and UTF-16 units that are read for that. */
const SHOWN = 100;
const READ = 4_096;

function answered(question: string, ended: Ended): NativeResult {
  const said = ended.answer.answers[question];
  // A client of the base profile may answer something that nobody asked.
  if (!isSaid(said)) return failed(CANCELLED, "No answer");
  const line = [...oneLine(said.trimStart().slice(0, READ))];
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN).join("")}…` : line.join("");
  return {
    output: withImages([said, ...notesOf(ended)].join("\n"), imagesOf(ended)),
    display: brief(`↩ ${shown}`),
    extras: { success: true },
  };
}

const outside = (missing: "wire" | "tool call") =>
  new ToolError({
    message: "",
    output: missing === "wire" ? "当前没有连接用户，无法提问，请自行判断并继续" : "ask_user 只能作为工具调用",
    brief: missing === "wire" ? "Wire unavailable" : "Invalid context",
  });

const settingRules: OptionRules<RedcSettings> = {
  deadline: option.of(deadlineRules),
  enabled: option.either(option.flag, option.callable),
};

/**
 * `ask_user` of RedC: a question with choices, own words, or both, whose answer is the result word for word (P-RED-3).
 * The call runs alone in its step, and a second question is refused while a question is open.
 */
export function redc(given: RedcSettings = {}): Dialect {
  checkOptions("redc", given, settingRules);
  const { enabled = true, ...settings } = given;
  const isEnabled = typeof enabled === "function" ? enabled : () => enabled;
  const off = failure("ask_user 已关闭，请自行判断并继续", "Questions are off");
  return {
    name: "redc",
    tool: { name: "ask_user", description: redcDescription, parameters },
    pending: "reject",
    exclusive: true,
    interrupted: failed(CANCELLED, "Question withdrawn"),
    prompt: redcPrompt,
    offered: ({ canAsk }) => canAsk && isEnabled(),
    ...settings,
    begin: () => ({ read: (call) => (isEnabled() ? asked(call) : off()), outside }),
  };
}
