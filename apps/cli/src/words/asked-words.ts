import { fieldWords } from "@askwire/client/text";
import { type OutcomeReason, standardLabel, standardScopeText } from "@askwire/protocol";
import type { TerminalLanguage } from "./language.js";

/** The number of options that a question takes, and if it takes other words. */
interface Choice {
  readonly many: boolean;
  readonly ownText: boolean;
  /** The number of options to choose. Default: any number. */
  readonly choices?: string | undefined;
}

/** The extent of an option as data. */
interface ShownScope {
  readonly kind: string;
  readonly value?: string | undefined;
}

/**
 * The reasons why a request is closed, in a person's words, save those that the interface tells in words of their own.
 * Without `en` the reason is told as it is.
 */
const reasons = new Map<string, { readonly en?: string; readonly zh: string }>(
  Object.entries({
    dismissed: { zh: "已忽略" },
    discuss: { zh: "先讨论" },
    session_closed: { en: "the session was closed", zh: "会话已关闭" },
    shutdown: { en: "the server was stopped", zh: "服务器已关闭" },
    agent: { en: "the agent took it back", zh: "智能体已撤回" },
    unsupported: { zh: "客户端不支持" },
    unattended: { zh: "无人值守" },
    do_not_ask: { zh: "不再提问" },
    client_lost: { en: "the connection was lost for too long", zh: "客户端已断开" },
    subagent: { zh: "子智能体不能提问" },
    limit: { zh: "请求过多" },
    protocol_error: { zh: "协议错误" },
    not_kept: { zh: "未能保存" },
  } satisfies Record<Exclude<OutcomeReason, "deadline" | "interrupted" | "superseded">, unknown>),
);

const en = {
  // A question, and the ways to answer it with a line.
  recommended: "recommended",
  byDefault: "default",
  moreLines: (count: number) => `… ${count} more ${count === 1 ? "line" : "lines"}`,
  /** The hints of a question: what counts as an answer, and the words that answer without one. */
  howToAnswer: (placeholder: string, ways: readonly string[]) =>
    `your answer${placeholder === "" ? "" : `: ${placeholder}`} (${ways.join(", ")})`,
  howToChoose: ({ many, ownText, choices }: Choice, ways: readonly string[]) =>
    `${many ? "numbers with commas" : "a number"}${choices === undefined ? "" : `, ${choices}`}, ${ownText ? "or your own words" : "no other words"} (${ways.join(", ")})`,
  field: fieldWords.en,
  howToFill: (values: string, ways: readonly string[]) => `${values} (${ways.join(", ")})`,
  declines: (word: string) => `${word} to decline`,
  leavesOut: (word: string) => `${word} to leave it out`,
  takesPrefill: (word: string, prefill: string) => `${word} for ${prefill}`,
  leavesEmpty: (word: string) => `${word} to leave it empty`,
  expected: (values: string) => `Expected: ${values}.`,
  emptyLine: "An empty line is no answer.",
  exitIsForPrompt: (exit: string, decline: string) =>
    `${exit} is for the prompt: ${decline} first, or a blank before it.`,
  noAskIsElsewhere: (noAsk: string, decline: string) =>
    `${noAsk} is not for this connection: ${decline} first, or a blank before it.`,
  wordIsElsewhere: (word: string, decline: string) =>
    `${word} does not count at this question: ${decline} declines, and a blank before it makes it your answer.`,
  numbersUpTo: (last: number) => `There are the numbers 1 to ${last}.`,
  onlyOptions: (last: number) => `Only the options count here: the numbers 1 to ${last}.`,
  notTaken: (why: string) => `(not taken: ${why})`,
  discard: (answers: number) =>
    `discard ${answers === 1 ? "the answer" : `the ${answers} answers`} that you gave? y: yes, n: ask again`,

  // An approval.
  asksTo: (sender: string, action: string, description: string) =>
    `${sender} asks to ${action}: ${description}`,
  /** With the extent of “always”: empty if that is the whole action, undefined where nothing lasts. */
  howToApprove: (covers: string | undefined) =>
    `y: yes, ${covers === undefined ? "" : `a: always in this session${covers === "" ? "" : ` (${covers})`}, `}n [why]: no`,
  answerLetters: (hasAlways: boolean) => `Answer ${hasAlways ? "y, a" : "y"} or n.`,
  orByNumber: (letters: string) => `${letters}, or a number`,
  howToApproveByNumber: "a number, n [why]: no",
  answerNumber: (last: number) => `Answer with one of these letters, or a number from 1 to ${last}.`,

  // The reasons why a request is gone.
  noLongerOpen: (why: string) => `(no longer open: ${why})`,
  didNotCount: (why: string) => `(your answer did not count: ${why})`,
  undelivered: "(your answer is not delivered yet: it is kept, and sent again by itself)",
  delivered: "(your answer is delivered)",
  notDelivered: (why: string) => `(your answer was not delivered: ${why})`,
  /** The line about an answer from before the command ended, in line-by-line mode. */
  /** The meaning of a typed line, before it counts. */
  understood: (answer: string, isOwn: boolean) => (isOwn ? `→ in your own words: ${answer}` : `→ ${answer}`),
  answeredBefore: (question: string, answer: string) => `(answered before: ${question} → ${answer})`,
  clientAnswered: (client: string) => `${client} answered it`,
  clientDeclined: (client: string) => `${client} declined it`,
  ruleAnswered: "a rule of the session answered it",
  wasAnswered: "it was answered",
  timeIsOver: "its time is over",
  turnCancelled: "the turn was cancelled",
  newerQuestion: "a newer question took its place",
  givenUp: (reason: string) => reasons.get(reason)?.en ?? `it was given up: ${reason}`,
  /** The client's words, if no outcome is known. */
  gone: (message: string) => message,

  // A panel, by the type of the sub-agent that asks; empty if the agent itself asks.
  hasQuestions: (count: number, agent: string) =>
    `${agent === "" ? "The agent" : `The sub-agent ${agent}`} has ${count === 1 ? "a question" : `${count} questions`} for you`,
  /** The title of questions that a connected program asks, by the name of the program. */
  programAsks: (count: number, program: string) =>
    `${program} has ${count === 1 ? "a question" : `${count} questions`} for you`,
  wantsApproval: (sender: string, action: string, agent: string) =>
    `${sender}${agent === "" ? "" : ` of the sub-agent ${agent}`} asks to ${action}`,
  waitsForPrompt: (title: string) =>
    `(${title}, once the prompt is empty: Enter sends what stands there, Ctrl-C wipes it)`,
  waitsForLine: (title: string) =>
    `(${title}, once this line is empty: Enter sends what stands there, Ctrl-U wipes it)`,
  cannotDraw: (why: string) => `(the panel cannot be shown: ${why}; asked line by line instead)`,
  approve: "Approve",
  approveForSession: "Approve for this session",
  /** The label of an option whose asker gave none. */
  optionLabel: (kind: "allow" | "reject", scope?: ShownScope): string => standardLabel({ kind, scope }),
  /** The extent of an option, by its scope and the action. */
  scope: (scope: ShownScope, action: string): string =>
    standardScopeText(scope, action) ?? `every further “${action}” too`,
  reject: "Reject",
  rejectAndSay: "Reject, and say why",
  edit: "Change it first",
  editAgain: "Change it again",
  inEditor: "in your editor; saving approves nothing",
  yourChange: "Your change:",
  notEdited: (why: string) => `(nothing was changed: ${why})`,
  endsKept: "(line ends that only your editor changed stay as they were)",
  /** Lines: the text can be changed by a line that begins with e. */
  orEdit: (letters: string) => `${letters}, e TEXT: change it`,
  editedTo: (text: string) => `Changed to: ${text}`,

  // The answers that stay on the screen.
  declined: "declined",
  notAnswered: "not answered",
  approved: "approved",
  approvedForSession: "approved for this session",
  withYourChange: ", with your change",
  /** With the extent of the approval. */
  approvedFor: (extent: string) => `approved for this session (${extent})`,
  rejected: (why: string) => (why === "" ? "rejected" : `rejected: ${why}`),
};

export type AskedWords = typeof en;

const messages = new Map([
  ["it was settled", "已处理"],
  ["it was settled elsewhere", "已在别处处理"],
  ["it was settled while the connection was lost", "断线期间已处理"],
  ["the connection closed", "连接已关闭"],
  ["the turn ended", "本轮已结束"],
  ["the server was restarted", "服务器已重启"],
  ["too much was missed", "遗漏的内容过多"],
]);

const zh: AskedWords = {
  recommended: "推荐",
  byDefault: "默认",
  moreLines: (count) => `… 还有 ${count} 行`,
  howToAnswer: (placeholder, ways) =>
    `请回答${placeholder === "" ? "" : `：${placeholder}`}（${ways.join("，")}）`,
  howToChoose: ({ many, ownText, choices }, ways) =>
    `输入${many ? "序号，多个用逗号分隔" : "序号"}${choices === undefined ? "" : `，${choices}`}${ownText ? "，或直接写出回答" : "，只能从中选择"}（${ways.join("，")}）`,
  field: fieldWords.zh,
  howToFill: (values, ways) => `请输入${values}（${ways.join("，")}）`,
  declines: (word) => `${word} 拒绝回答`,
  leavesOut: (word) => `${word} 跳过`,
  takesPrefill: (word, prefill) => `${word} 使用 ${prefill}`,
  leavesEmpty: (word) => `${word} 留空`,
  expected: (values) => `需要：${values}。`,
  emptyLine: "不能提交空行。",
  exitIsForPrompt: (exit, decline) =>
    `正在提问，${exit} 不可用：请先用 ${decline} 拒绝；若要作为回答，请在前面加一个空格。`,
  noAskIsElsewhere: (noAsk, decline) =>
    `此处 ${noAsk} 不可用：请先用 ${decline} 拒绝；若要作为回答，请在前面加一个空格。`,
  wordIsElsewhere: (word, decline) =>
    `${word} 在此问题中不可用：可用 ${decline} 拒绝；若要作为回答，请在前面加一个空格。`,
  numbersUpTo: (last) => `请输入 1 到 ${last} 之间的序号。`,
  onlyOptions: (last) => `只能从选项中选择：序号 1 到 ${last}。`,
  notTaken: (why) => `（回答未被接受：${why}）`,
  discard: (answers) => `放弃已给出的 ${answers} 个回答？y：是，n：继续作答`,

  asksTo: (sender, action, description) => `${sender} 请求批准 ${action}：${description}`,
  howToApprove: (covers) =>
    `y：批准，${covers === undefined ? "" : `a：本会话内一律批准${covers === "" ? "" : `（${covers}）`}，`}n [原因]：拒绝`,
  answerLetters: (hasAlways) => `请输入 ${hasAlways ? "y、a" : "y"} 或 n。`,
  orByNumber: (letters) => `${letters}，或输入序号`,
  howToApproveByNumber: "序号：选择对应选项，n [原因]：拒绝",
  answerNumber: (last) => `请输入上述字母，或 1 到 ${last} 之间的序号。`,

  noLongerOpen: (why) => `（请求已失效：${why}）`,
  didNotCount: (why) => `（你的回答未生效：${why}）`,
  undelivered: "（你的回答尚未送达：已保留，将自动重新发送）",
  delivered: "（你的回答已送达）",
  notDelivered: (why) => `（你的回答未送达：${why}）`,
  understood: (answer, isOwn) => (isOwn ? `→ 自行填写：${answer}` : `→ ${answer}`),
  answeredBefore: (question, answer) => `（之前已回答：${question} → ${answer}）`,
  clientAnswered: (client) => `${client} 已回答`,
  clientDeclined: (client) => `${client} 已拒绝`,
  ruleAnswered: "会话规则已自动回答",
  wasAnswered: "已有回答",
  timeIsOver: "已超时",
  turnCancelled: "本轮已取消",
  newerQuestion: "已被新的问题取代",
  givenUp: (reason) => `已撤销：${reasons.get(reason)?.zh ?? reason}`,
  gone: (message) => messages.get(message) ?? message,

  hasQuestions: (count, agent) =>
    `${agent === "" ? "智能体" : `子智能体 ${agent} `}有${count === 1 ? "" : ` ${count} 个`}问题想问你`,
  programAsks: (count, program) => `${program} 有${count === 1 ? "" : ` ${count} 个`}问题想问你`,
  wantsApproval: (sender, action, agent) =>
    `${agent === "" ? "" : `子智能体 ${agent} 的 `}${sender} 请求批准 ${action}`,
  waitsForPrompt: (title) => `（${title}。请先处理输入框中的文字：Enter 发送，Ctrl-C 清除）`,
  waitsForLine: (title) => `（${title}。请先处理这一行中的文字：Enter 发送，Ctrl-U 清除）`,
  cannotDraw: (why) => `（无法显示面板：${why}；改为逐行提问）`,
  approve: "批准",
  approveForSession: "本会话内一律批准",
  optionLabel: (kind, scope) => {
    const verb = kind === "allow" ? "批准" : "拒绝";
    switch (scope?.kind) {
      case undefined:
      case "call":
        return verb;
      case "command":
        return `本会话内一律${verb}此命令`;
      case "program":
        return `本会话内一律${verb} ${scope?.value ?? ""}`;
      case "file":
        return `本会话内一律${verb}此文件`;
      default:
        return `本会话内一律${verb}`;
    }
  },
  scope: ({ kind, value = "" }, action) =>
    ({
      call: "仅此一次",
      command: "之后的相同命令也不再询问",
      program: `之后的普通“${value}”命令也不再询问`,
      file: `之后对 ${value} 的修改也不再询问`,
    })[kind] ?? `之后的“${action}”也不再询问`,
  reject: "拒绝",
  rejectAndSay: "拒绝并说明原因",
  edit: "先修改内容",
  editAgain: "再次修改内容",
  inEditor: "在编辑器中修改，保存不等于批准",
  yourChange: "你的修改：",
  notEdited: (why) => `（内容未修改：${why}）`,
  endsKept: "（仅由编辑器改动的换行符保持原样）",
  orEdit: (letters) => `${letters}，e 新内容：先修改`,
  editedTo: (text) => `已改为：${text}`,

  declined: "已拒绝回答",
  notAnswered: "未回答",
  approved: "已批准",
  approvedForSession: "本会话内一律批准",
  withYourChange: "（含你的修改）",
  approvedFor: (extent) => `本会话内一律批准（${extent}）`,
  rejected: (why) => (why === "" ? "已拒绝" : `已拒绝：${why}`),
};

export const askedWords: Readonly<Record<TerminalLanguage, AskedWords>> = { en, zh };
