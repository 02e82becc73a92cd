import { lostWords, ruleWords, valueWords } from "@askwire/client/text";
import type { HeardOutcome } from "@askwire/protocol";
import { cardWords } from "./card-words.js";
import { inEndedWords } from "./ended-words.js";

const en = {
  // The conversation.
  conversation: "Conversation",
  you: "You",
  /** The name of a prompt that no client sent: of the server's own program, or to a sub-agent. */
  task: "Task",
  thoughts: "Thoughts",
  part: valueWords.en.part,
  status: valueWords.en.status,
  running: "runs",
  failed: "failed",
  args: "Arguments",
  output: "Output",
  noOutput: "no output",
  openFile: (path: string) => `Open ${path}`,
  changes: "Changes",
  added: cardWords.en.added,
  removed: cardWords.en.removed,
  lineEnds: cardWords.en.lineEnds,
  subagent: (type: string) => (type === "" ? "Sub-agent" : `Sub-agent ${type}`),
  plan: (path: string) => (path === "" ? "Plan" : `Plan (${path})`),
  steered: "said meanwhile",
  asked: (isApproval: boolean): string => (isApproval ? "Approval" : "Question"),
  approved: "approved",
  approvedForSession: "approved for this session",
  rejected: "rejected",
  editedFirst: "after a change",
  /** The client that answered, and what it was not shown. */
  by: (name: string, degraded: HeardOutcome["degraded"]) => {
    const lost = lostWords.en(degraded);
    return `by ${name}${lost && `, not shown there: ${lost}`}`;
  },
  /** The end of a request without an answer. */
  ended: inEndedWords({
    answered: "answered",
    declined: "declined",
    discussed: "to be discussed first",
    expired: "its time was over",
    closed: "withdrawn at the end of the session",
    cancelled: "the turn was cancelled",
    givenUp: "given up",
  }),
  left: "The turn was interrupted.",
  stepInterrupted: "The step was interrupted.",
  tryingAgain: (seconds: number, why: string, attempt: number, attempts: number) =>
    `Trying again in ${seconds} s, ${why}: attempt ${attempt} of ${attempts}.`,
  summingUp: "Summing up the conversation so far.",
  summedUp: "Summed up.",
  hookBlocked: (hook: string, target: string, why: string) =>
    `A ${`${hook} hook blocked ${target}`.trimEnd()}${why === "" ? "" : `: ${why}`}.`,
  notification: (severity: string, text: string) => `${severity}: ${text}`,
  planMode: (on: boolean) => `Plan mode is ${on ? "on" : "off"}.`,
  policyDecided: (isApproved: boolean, rule: string, what: string) =>
    `${isApproved ? "Approved" : "Rejected"} without asking, ${ruleWords.en(rule)}: ${what}`,
  doNotAsk: (enabled: boolean, by: string) =>
    enabled
      ? `No more questions are asked in this session${by === "" ? "" : `, said ${by}`}.`
      : `Questions are asked again${by === "" ? "" : `, said ${by}`}.`,
  cancelled: "Cancelled.",
  turnFailed: (why: string) => `The turn failed${why === "" ? "" : `: ${why}`}`,
  stoppedAfter: (steps: number | undefined) =>
    steps === undefined
      ? "Stopped after as many steps as a turn may have."
      : `Stopped after ${steps} ${steps === 1 ? "step" : "steps"}.`,
  cut: "Earlier parts are not kept.",
  toEnd: "To the end",
  answers: "The agent answers.",
  finished: (paragraphs: number) => `The agent has finished: ${paragraphs} paragraphs.`,
  works: "The agent works.",
  rests: "The agent has finished.",

  // The prompt.
  message: "Message",
  messageHint: "Enter sends, Shift-Enter begins a line.",
  send: "Send",
  steer: "Say it now",
  cancel: "Cancel the turn",
  plans: "Plan mode",
  commands: "Commands",
  commandsFound: (count: number) => (count === 1 ? "1 command" : `${count} commands`),
  notSent: (why: string) => `Not sent: ${why}`,
  putBack: "Put back",
  drop: "Discard",
  saidWaits: { sending: "being sent", undelivered: "not delivered yet", taken: "waits for the agent" },
  /** Of a press on a button that came under the pointer while a card closed. */
  secondPress: "That press followed one on a request, and did nothing. Press again.",
  notDone: (why: string) => `Not done: ${why}`,

  // The sessions of a server.
  sessions: "Sessions",
  newSession: "New session",
  untitled: "Nothing said yet",
  place: (folder: string, host: string) => [folder, host].filter((part) => part !== "").join(" on "),
  here: "open here",
  state: valueWords.en.sessionState,
  waitsFor: valueWords.en.waitsFor,
  close: "Close",
  closeOf: (title: string) => `Close ${title}`,
  closeSure: "Close it for everybody? What runs in it is cancelled.",
  keep: "Keep",

  // Lists of what is open, and cards that are put aside.
  waiting: "Waiting for you",
  nothingWaits: "Nothing waits for you.",
  question: cardWords.en.question,
  asksTo: cardWords.en.asksTo,
  isOver: "no longer open",
  sending: "being sent",
  undelivered: "not delivered yet",
  progress: (answered: number, count: number) => `${answered} of ${count} answered`,
  secondsLeft: cardWords.en.secondsLeft,
  putAside: "Put aside to read",
  failure: cardWords.en.failure,
};

/** The words of the conversation, the prompt and the lists in one language. */
export type TalkWords = typeof en;

const zh: TalkWords = {
  conversation: "对话",
  you: "你",
  task: "任务",
  thoughts: "思考过程",
  part: valueWords.zh.part,
  status: valueWords.zh.status,
  running: "运行中",
  failed: "失败",
  args: "参数",
  output: "输出",
  noOutput: "没有输出",
  openFile: (path) => `打开 ${path}`,
  changes: "改动",
  added: cardWords.zh.added,
  removed: cardWords.zh.removed,
  lineEnds: cardWords.zh.lineEnds,
  subagent: (type) => (type === "" ? "子智能体" : `子智能体 ${type}`),
  plan: (path) => (path === "" ? "计划" : `计划（${path}）`),
  steered: "运行中插话",
  asked: (isApproval) => (isApproval ? "审批" : "问题"),
  approved: "已批准",
  approvedForSession: "已在本会话内批准",
  rejected: "已拒绝",
  editedFirst: "内容已修改",
  by: (name, degraded) => {
    const lost = lostWords.zh(degraded);
    return `来自 ${name}${lost && `，对方未看到：${lost}`}`;
  },
  ended: inEndedWords({
    answered: "已回答",
    declined: "已拒绝回答",
    discussed: "先讨论",
    expired: "已超时",
    closed: "会话结束时已撤回",
    cancelled: "本轮已取消",
    givenUp: "已放弃",
  }),
  left: "本轮被中断。",
  stepInterrupted: "这一步被中断。",
  tryingAgain: (seconds, why, attempt, attempts) =>
    `${seconds} 秒后重试，${why}：第 ${attempt} 次，共 ${attempts} 次。`,
  summingUp: "正在压缩对话历史。",
  summedUp: "对话历史已压缩。",
  hookBlocked: (hook, target, why) =>
    `${hook} 钩子阻止了${target === "" ? "操作" : ` ${target}`}${why === "" ? "" : `：${why}`}。`,
  notification: (severity, text) => `${valueWords.zh.severity(severity)}：${text}`,
  planMode: (on) => `计划模式已${on ? "开启" : "关闭"}。`,
  policyDecided: (isApproved, rule, what) =>
    `未询问即${isApproved ? "批准" : "拒绝"}（${ruleWords.zh(rule)}）：${what}`,
  doNotAsk: (enabled, by) => `${enabled ? "本会话不再提问" : "恢复提问"}${by === "" ? "" : `，来自 ${by}`}。`,
  cancelled: "已取消。",
  turnFailed: (why) => `本轮失败${why === "" ? "" : `：${why}`}`,
  stoppedAfter: (steps) => (steps === undefined ? "已达步数上限，停止执行。" : `执行 ${steps} 步后停止。`),
  cut: "更早的内容未保留。",
  toEnd: "到最新内容",
  answers: "智能体正在回答。",
  finished: (paragraphs) => `智能体已回答完毕，共 ${paragraphs} 段。`,
  works: "智能体正在工作。",
  rests: "智能体已完成。",

  message: "消息",
  messageHint: "Enter 发送，Shift-Enter 换行。",
  send: "发送",
  steer: "立即告知",
  cancel: "取消本轮",
  plans: "计划模式",
  commands: "命令",
  commandsFound: (count) => `${count} 个命令`,
  notSent: (why) => `未发送：${why}`,
  putBack: "放回输入框",
  drop: "丢弃",
  saidWaits: { sending: "正在发送", undelivered: "尚未送达", taken: "等待智能体读取" },
  secondPress: "这次点击紧跟在请求卡片上的点击之后，未生效。请再点一次。",
  notDone: (why) => `未完成：${why}`,

  sessions: "会话",
  newSession: "新建会话",
  untitled: "尚无内容",
  place: (folder, host) => [folder, host].filter((part) => part !== "").join(" @ "),
  here: "当前会话",
  state: valueWords.zh.sessionState,
  waitsFor: valueWords.zh.waitsFor,
  close: "关闭",
  closeOf: (title) => `关闭 ${title}`,
  closeSure: "要为所有人关闭该会话吗？正在运行的内容将被取消。",
  keep: "保留",

  waiting: "等待你处理",
  nothingWaits: "没有等待你处理的内容。",
  question: cardWords.zh.question,
  asksTo: cardWords.zh.asksTo,
  isOver: "已失效",
  sending: "正在发送",
  undelivered: "尚未送达",
  progress: (answered, count) => `已回答 ${answered}/${count}`,
  secondsLeft: cardWords.zh.secondsLeft,
  putAside: "先放一边",
  failure: cardWords.zh.failure,
};

/** The words of the conversation, the prompt and the lists, by language. */
export const talkWords: Readonly<Record<"en" | "zh", TalkWords>> = { en, zh };
