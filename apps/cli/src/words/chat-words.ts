import { lineEndWords, ruleWords, valueWords } from "@askwire/client/text";
import type { TerminalLanguage } from "./language.js";

const en = {
  // The prompt.
  canType: (help: string, exit: string) => `(${help} lists what you can type, ${exit} leaves)`,
  answersOnly: (exit: string) =>
    `(this address is for answering only: what is asked appears here, ${exit} leaves)`,
  showsThis: "shows this",
  declines: "declines what is asked",
  leaves: "leaves",
  stopsAsking:
    "asks you no more questions in this session; approvals are asked all the same (on, off, or toggle)",
  onOrOff: (command: string) => `${command}: expected on, off or nothing.`,
  policyDecided: (isApproved: boolean, rule: string, what: string) =>
    `(${isApproved ? "approved" : "rejected"} without asking, ${ruleWords.en(rule)}: ${what})`,
  doNotAsk: (enabled: boolean, by: string) =>
    enabled
      ? `(no more questions are asked in this session${by === "" ? "" : `, said ${by}`}: the agent decides by itself)`
      : `(questions are asked again${by === "" ? "" : `, said ${by}`})`,
  notSwitched: (why: string) => `(not switched: ${why})`,
  showsOutput: "shows all that the last command printed",
  noOutput: "No command has printed anything yet.",
  also: (names: readonly string[]) => ` (also ${names.join(", ")})`,
  noSuchCommand: (command: string, help: string) =>
    `There is no ${command}: ${help} lists what there is. With a blank before it, it is said as it is.`,
  nothingAsked: "Nothing is asked.",
  leaveAgain: "(Ctrl-C again leaves)",
  workLost: "(not all that you had entered for this question could be read again: look before you send)",
  noMoreRoom: "(there is no more room at the prompt: the rest was not taken)",

  // A session and its turns.
  sessionBegins: (id: string) => `(session ${id} begins)`,
  waitsHere: (minutes: number, text: string) =>
    `(a session of this folder ${minutes < 1 ? "waits for you" : `has waited for you for ${minutes} min`}: ${text})`,
  goOn: "Go on with it? Enter or y goes on, n begins anew.",
  waitingElsewhere: (count: number) =>
    `(${count === 1 ? "a session" : `${count} sessions`} of this folder ${count === 1 ? "waits" : "wait"} for a person: askwire sessions --waiting)`,
  notKept: (why: string) => `(nothing of this session is kept: ${why}; set ASKWIRE_HOME to another folder)`,
  interviewBegins: "(nothing to go on with: an interview begins anew)",
  sessionGoesOn: (id: string, turns: number, last: string) =>
    `(session ${id} goes on: ${turns} ${turns === 1 ? "turn" : "turns"} so far${last === "" ? "" : `, the last: ${last}`})`,
  stoppedAfter: (steps: number | undefined) =>
    steps === undefined
      ? "(stopped after as many steps as a turn may have)"
      : `(stopped after ${steps} ${steps === 1 ? "step" : "steps"})`,
  cancelled: "(cancelled)",
  nothingWritten: "Nothing was written.",
  /** The input ended at a question or an approval. */
  nobody: (goesOn: "kept" | "before others" | "nowhere") =>
    `the input has ended, so nobody here can answer: nothing was decided${
      {
        kept: ". The session is kept, and asks again with --continue in a terminal",
        "before others": ", and others who are connected still can",
        nowhere: "",
      }[goesOn]
    }`,
  notCancelled: "(not cancelled, since the connection is lost: Ctrl-C again leaves)",

  joined: (whole: boolean): string =>
    whole
      ? "(this is the conversation so far)"
      : "(this is the conversation so far; its beginning is not kept)",

  // The sessions of a server.
  untitled: "(nothing said yet)",
  onHost: " on ",
  sessionState: valueWords.en.sessionState,
  waitsFor: valueWords.en.waitsFor,
  whichSession: (count: number) =>
    `(${count === 1 ? "1" : `a number from 1 to ${count}`} joins, new begins one, an empty line lists again)`,
  noSuchSession: (said: string) => `There is no session ${said}.`,

  // Words for an agent that works.
  notInThisTurn: "(not taken in this turn: it is said at the next prompt)",
  saidAtNextPrompt: "(the connection is lost: it is said at the next prompt)",
  hearsNothing: "(this agent hears nothing while it works: say it again at the prompt)",
  notPassedOn: (why: string) => `(not passed on: ${why})`,
  perhapsRead: "(the connection is lost: nobody knows whether the agent has read it)",

  // The connection.
  connectionLost: (why: string | undefined) =>
    `(the connection is lost, trying again: ${why ?? "no reason was given"})`,
  connectedAgain: "(connected again)",
  connectedAnew: "(connected again; the server was restarted, or too much was missed)",

  // The agent's actions.
  promptedElsewhere: (prompt: string) => `(prompted elsewhere) ${prompt}`,
  /** A part of a message without text, by its type. */
  part: valueWords.en.part,
  plan: (path: string) => (path === "" ? "Plan" : `Plan (${path})`),
  planMode: (on: boolean) => `(plan mode is ${on ? "on" : "off"})`,
  hasQuestions: (count: number) =>
    count === 1 ? "Agent has a question for you" : `Agent has ${count} questions for you`,
  /** The mark before the subject of a title. */
  colon: ": ",
  stepInterrupted: "(the step was interrupted)",
  tryingAgain: (seconds: number, why: string, attempt: number, attempts: number) =>
    `(trying again in ${seconds} s, ${why}: attempt ${attempt} of ${attempts})`,
  summingUp: "(summing up the conversation so far)",
  summedUp: "(summed up)",
  hookBlocked: (hook: string, target: string, why: string) =>
    `(a ${`${hook} hook blocked ${target}`.trimEnd()}${why === "" ? "" : `: ${why}`})`,
  notification: (severity: string, text: string) => `(${severity}) ${text}`,
  lineEnds: lineEndWords.en,
  tooLong: (before: string, after: string) => `too long to show: ${before} before, ${after} after`,
  task: (description: string, status: string) => `${description}: ${valueWords.en.status(status)}`,
  /** Left-out lines of a command's output; 0 if only ends of lines are left out. */
  moreOutput: (lines: number, command: string) =>
    lines === 0
      ? `(${command} shows the whole lines)`
      : `… ${lines} more ${lines === 1 ? "line" : "lines"} (${command} shows all)`,
};

export type ChatWords = typeof en;

const zh: ChatWords = {
  canType: (help, exit) => `（${help} 查看可用命令，${exit} 退出）`,
  answersOnly: (exit) => `（此地址仅供回答问题：有问题时会显示在这里，${exit} 退出）`,
  showsThis: "显示本帮助",
  declines: "拒绝回答",
  leaves: "退出",
  stopsAsking: "在本会话中不再向你提问，审批照常（on、off 或切换）",
  onOrOff: (command) => `${command}：请输入 on、off 或留空。`,
  policyDecided: (isApproved, rule, what) =>
    `（未询问即${isApproved ? "批准" : "拒绝"}，${ruleWords.zh(rule)}：${what}）`,
  doNotAsk: (enabled, by) =>
    enabled
      ? `（本会话不再提问${by === "" ? "" : `，来自 ${by}`}：由智能体自行决定）`
      : `（恢复提问${by === "" ? "" : `，来自 ${by}`}）`,
  notSwitched: (why) => `（未能切换：${why}）`,
  showsOutput: "显示上一条命令的全部输出",
  noOutput: "还没有命令输出任何内容。",
  also: (names) => `（也可用 ${names.join("、")}）`,
  noSuchCommand: (command, help) =>
    `没有 ${command} 命令，输入 ${help} 查看可用命令。若要原样发送，请在前面加一个空格。`,
  nothingAsked: "当前没有待回答的问题。",
  leaveAgain: "（再按一次 Ctrl-C 退出）",
  workLost: "（之前为此问题填写的内容未能全部恢复：发送前请检查）",
  noMoreRoom: "（输入内容已达长度上限，超出部分未录入）",

  sessionBegins: (id) => `（新会话 ${id}）`,
  waitsHere: (minutes, text) =>
    `（本目录有一个会话${minutes < 1 ? "正在等待您" : `已等待您 ${minutes} 分钟`}：${text}）`,
  goOn: "继续该会话吗？按 Enter 或 y 继续，n 重新开始。",
  waitingElsewhere: (count) => `（本目录有 ${count} 个会话在等待答复：askwire sessions --waiting）`,
  notKept: (why) => `（此会话不会保留：${why}；可用 ASKWIRE_HOME 指定其他目录）`,
  interviewBegins: "（没有可继续的内容：问答从头开始）",
  sessionGoesOn: (id, turns, last) =>
    `（继续会话 ${id}：已有 ${turns} 轮${last === "" ? "" : `，最近一轮：${last}`}）`,
  stoppedAfter: (steps) =>
    steps === undefined ? "（已达步数上限，停止执行）" : `（执行 ${steps} 步后停止）`,
  cancelled: "（已取消）",
  nothingWritten: "未写入任何内容。",
  nobody: (goesOn) =>
    `输入已结束，此处无人可回答：未作任何决定${
      {
        kept: "。会话已保留，在终端用 --continue 会再次询问",
        "before others": "，其他已连接的人仍可回答",
        nowhere: "",
      }[goesOn]
    }`,
  notCancelled: "（连接已断开，未能取消；再按一次 Ctrl-C 退出）",

  joined: (whole) => (whole ? "（以上是之前的对话）" : "（以上是之前的对话，开头部分未保留）"),

  untitled: "（尚无内容）",
  onHost: " @ ",
  sessionState: valueWords.zh.sessionState,
  waitsFor: valueWords.zh.waitsFor,
  whichSession: (count) => `（输入 ${count === 1 ? "1" : `1 到 ${count}`} 加入会话，new 新建会话，空行刷新）`,
  noSuchSession: (said) => `没有会话 ${said}。`,

  notInThisTurn: "（本轮未接收，将在下一轮发送）",
  saidAtNextPrompt: "（连接已断开，将在下一轮发送）",
  hearsNothing: "（该智能体运行时不接收消息，请等它结束后再发送）",
  notPassedOn: (why) => `（未能送达：${why}）`,
  perhapsRead: "（连接已断开，无法确认智能体是否已收到）",

  connectionLost: (why) => `（连接已断开，正在重连：${why ?? "原因不明"}）`,
  connectedAgain: "（已重新连接）",
  connectedAnew: "（已重新连接；服务器重启过，或遗漏的内容过多）",

  promptedElsewhere: (prompt) => `（来自其他客户端）${prompt}`,
  part: valueWords.zh.part,
  plan: (path) => (path === "" ? "计划" : `计划（${path}）`),
  planMode: (on) => `（计划模式已${on ? "开启" : "关闭"}）`,
  hasQuestions: (count) => (count === 1 ? "智能体有问题想问你" : `智能体有 ${count} 个问题想问你`),
  colon: "：",
  stepInterrupted: "（这一步被中断）",
  tryingAgain: (seconds, why, attempt, attempts) =>
    `（${seconds} 秒后重试，${why}：第 ${attempt} 次，共 ${attempts} 次）`,
  summingUp: "（正在压缩对话历史）",
  summedUp: "（对话历史已压缩）",
  hookBlocked: (hook, target, why) =>
    `（${hook} 钩子阻止了${target === "" ? "操作" : ` ${target}`}${why === "" ? "" : `：${why}`}）`,
  notification: (severity, text) => `（${valueWords.zh.severity(severity)}）${text}`,
  lineEnds: lineEndWords.zh,
  tooLong: (before, after) => `改动过长，不予显示：修改前 ${before}，修改后 ${after}`,
  task: (description, status) => `${description}：${valueWords.zh.status(status)}`,
  moreOutput: (lines, command) =>
    lines === 0 ? `（${command} 显示完整的行）` : `… 还有 ${lines} 行（${command} 显示全部）`,
};

export const chatWords: Readonly<Record<TerminalLanguage, ChatWords>> = { en, zh };
