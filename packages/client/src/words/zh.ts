// All words of our interfaces in Chinese, by the part that shows them.
import {
  answerLimits,
  type ContentPart,
  type ListedSession,
  type LostFeature,
  mebibytes,
  type OutcomeReason,
} from "@askwire/protocol";
import type { Field } from "@askwire/protocol/fields";
import { fieldValues } from "@askwire/protocol/internal";
import { changedEnds, endingOf, knownName, largestUnit, lostNames, originWith } from "./any-language.js";
import { failure, recommended } from "./apart-zh.js";
import type * as en from "./en.js";
import { terminalInboxChinese } from "./terminal-inbox-zh.js";
import { toldInChinese as told } from "./told-zh.js";
import { whoAnswered } from "./who.js";

const somebodyIn = (client: string) => `${client} 中的用户`;

const parts: Record<Exclude<ContentPart["type"], "text" | "think">, string> = {
  image_url: "图片",
  audio_url: "音频",
  video_url: "视频",
};

const severities = { info: "提示", success: "成功", warning: "警告", error: "错误" };

const statuses = {
  pending: "待办",
  in_progress: "进行中",
  done: "已完成",
  created: "已创建",
  starting: "正在启动",
  running: "运行中",
  completed: "已完成",
  failed: "失败",
  killed: "已终止",
  lost: "已失联",
};

const states: Record<ListedSession["state"], string> = {
  idle: "空闲",
  running: "运行中",
  waiting: "等待中",
  kept: "已保留",
};

const rules = { approve_all: "此处全部批准", decided_before: "沿用先前的决定" };

const lostFeatures: Record<LostFeature, string> = {
  preview: "预览",
  placeholder: "自行填写的提示",
  default: "默认选项",
  recommended: "推荐选项",
  own_text: "只能选择选项",
  multi_label: "含逗号的选项的区分",
  field: "回答的格式",
  choices: "可选的数量",
  picture: "需要图片",
  deadline: "时限",
  approval_options: "批准的方式",
  edit: "可修改的内容",
};

const fieldNames: Record<Field["type"], string> = {
  text: "文本",
  number: "数字",
  integer: "整数",
  boolean: "是或否",
  date: "日期（如 2026-03-01）",
  email: "电子邮箱地址",
  uri: "完整网址（如 https://example.com）",
};

/** The reasons why a request is closed, save those that the interface tells in words of their own. */
const reasons: Record<Exclude<OutcomeReason, "deadline" | "interrupted" | "superseded">, string> = {
  dismissed: "已忽略",
  discuss: "先讨论",
  session_closed: "会话已关闭",
  shutdown: "服务器已关闭",
  agent: "智能体已撤回",
  unsupported: "客户端不支持",
  unattended: "无人值守",
  do_not_ask: "不再提问",
  client_lost: "客户端已断开",
  subagent: "子智能体不能提问",
  limit: "请求过多",
  protocol_error: "协议错误",
  not_kept: "未能保存",
};

/** The client's words for a request that is gone. */
const goneBecause = {
  "it was settled": "已处理",
  "it was settled elsewhere": "已在别处处理",
  "it was settled while the connection was lost": "断线期间已处理",
  "the connection closed": "连接已关闭",
  "the turn ended": "本轮已结束",
  "the server was restarted": "服务器已重启",
  "too much was missed": "遗漏的内容过多",
  "the program withdrew it": "程序已撤回",
};
const gone = (message: string) => knownName(goneBecause, message) ?? message;

const part: en.ValueWords["part"] = (type) => `[${knownName(parts, type) ?? type}]`;
const severityOf: en.ValueWords["severity"] = (severity) => knownName(severities, severity) ?? severity;
const statusOf: en.ValueWords["status"] = (status) =>
  knownName(statuses, status) ?? status.replaceAll("_", " ");
const sessionState: en.ValueWords["sessionState"] = (state) => knownName(states, state) ?? state;
const waitsFor: en.ValueWords["waitsFor"] = (open, minutes) =>
  `等待 ${open} 个回答，已等${minutes === 0 ? "不到 1 分钟" : ` ${minutes} 分钟`}`;

export const value: en.ValueWords = { part, severity: severityOf, status: statusOf, sessionState, waitsFor };

export const byRule: typeof en.byRule = (rule) => knownName(rules, rule) ?? `规则 ${rule}`;

export const lost: typeof en.lost = (degraded = []) => lostNames(lostFeatures, degraded).join("、");

export const lineEnds: typeof en.lineEnds = (before, after) =>
  changedEnds(before, after, "、", (old, now) => `行尾有变：修改前 ${old}，修改后 ${now}。`);

const units = { s: "秒", min: "分钟", h: "小时" };

function timeOf(seconds: number): string {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${units[unit]}`;
}

function rangeOf({ type, bounds: { min, max } = {} }: Field): string {
  if (min === undefined && max === undefined) return "";
  switch (fieldValues[type].boundedBy) {
    case "number":
      if (max === undefined) return `，不小于 ${min}`;
      return min === undefined ? `，不大于 ${max}` : `，${min} 到 ${max}`;
    case "text":
      if (max === undefined) return `，不早于 ${min}`;
      return min === undefined ? `，不晚于 ${max}` : `，${min} 到 ${max}`;
    case "length":
      if (max === undefined) return `，至少 ${min} 个字符`;
      return min === undefined ? `，最多 ${max} 个字符` : `，${min} 到 ${max} 个字符`;
    case "none":
      return "";
  }
}

export const field: en.FieldWords = {
  value: (field) => `${fieldNames[field.type]}${rangeOf(field)}`,
  choices({ min, max }) {
    if (min === undefined) return max === undefined ? undefined : `最多选 ${max} 项`;
    if (max === undefined) return `至少选 ${min} 项`;
    return min === max ? `选 ${max} 项` : `选 ${min} 到 ${max} 项`;
  },
  mayBeEmpty: "可留空",
  required: "必填",
  leftEmpty: "留空",
  sentAs: (value) => `将作为 ${value} 发送`,
};

const question: en.CardWords["question"] = "问题";
const asksTo: en.CardWords["asksTo"] = (sender, action) => `${sender} 请求批准：${told(action)}`;
const added: en.CardWords["added"] = "新增";
const removed: en.CardWords["removed"] = "删除";
const secondsLeft: en.CardWords["secondsLeft"] = (seconds) =>
  seconds >= 120 ? `剩余 ${Math.floor(seconds / 60)} 分钟` : `剩余 ${seconds} 秒`;

const origin: en.CardWords["origin"] = (origin) =>
  originWith(origin, { tool: (name) => `工具 ${name}`, subagent: (type) => `子智能体 ${type}` });

const optionLabel: en.CardWords["optionLabel"] = (kind, scope) => {
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
};

const scope: en.CardWords["scope"] = ({ kind, value = "" }, action) =>
  ({
    call: "仅此一次",
    command: "之后的相同命令也不再询问",
    program: `之后的普通“${value}”命令也不再询问`,
    file: `之后对 ${value} 的修改也不再询问`,
  })[kind] ?? `之后的“${told(action)}”也不再询问`;

const pictureComes = "正在读取图片。";
const textTaken = "已粘贴文本，未添加随附的图片。";
const pictureProblems: en.CardWords["pictureProblems"] = {
  unread: (name) => `此浏览器无法读取图片 ${name}。`,
  tooLarge: (name) => `${name} 超过 ${mebibytes(answerLimits.picture)}：请发送较小的图片。`,
  tooMany: (name) => `加上 ${name} 后图片总计超过 ${mebibytes(answerLimits.pictures)}：请先移除一张。`,
};

const pictures: en.CardWords["pictures"] = (count) => `${count} 张图片`;

export const card: en.CardWords = {
  told,
  question,
  origin,
  programAsks: (program) => `${program} 提问`,
  tab: (number) => `问题 ${number}`,
  review: "检查",
  reviewHeading: "你的回答",
  change: "修改",
  open: "未回答",
  answered: "已回答",
  edited: "已修改",
  leftOut: "已跳过",
  recommended,
  byDefault: "超时后采用",
  several: "可多选",
  preview: (label) => `${label} 的预览`,
  ownWords: "自行填写",
  answer: "你的回答",
  ownWordsAside: "已选择选项，这段文字不会发送。",
  workLost: "之前填写的内容未能全部恢复：发送前请检查。",
  note: "备注",
  addNote: "添加备注",
  foldedNote: (beginning) => `备注：${beginning}`,
  search: "搜索选项",
  found: (count, all) => `显示 ${count} / ${all} 项`,
  addPicture: "添加图片",
  wantsPicture: "智能体希望你附上一张图片。",
  takePhoto: "拍照",
  picture: (number) => `图片 ${number}`,
  pictures,
  remove: "移除",
  removePicture: (number) => `移除图片 ${number}`,
  pictureComes,
  textTaken,
  pictureProblems,
  expects: (values) => `需要：${values}`,
  field,
  send: "发送回答",
  sendAll: (count) => `发送 ${count} 个回答`,
  next: "下一个",
  leaveOut: "跳过",
  decline: "拒绝回答",
  declineAll: "拒绝回答并放弃已填写的内容？",
  keep: "继续填写",
  discuss: "先讨论",
  discussLabel: "想先讨论什么",
  back: "返回",
  nothingChosen: "请先选择一项，或者拒绝回答。",
  nothingChosenOrTyped: "请先选择一项或填写回答，或者拒绝回答。",
  blankText: "请先填写回答，或者拒绝回答。",
  textTooLong: "内容已达长度上限，超出部分未录入。",
  tooLong: (over) => `超出 ${over} 个字符：请先缩短。`,
  allSkipped: "请至少回答一个问题，或者拒绝回答。",
  unanswered: (tabs) => `尚未回答：${tabs.join("、")}。`,
  refused: (messages) => `回答未被接受：${messages.join("；")}`,
  secondsLeft,
  onExpiry: { cancel: "超时后自动放弃", default: "超时后采用默认选项" },
  noTimeLimit: "你已开始作答，计时已停止。",
  timeStands: "计时已停止。",
  callsWait: (count) => `有 ${count} 个调用在等待此回答。`,
  somebodyIn,
  othersAnswer: (names) =>
    names.length === 1 ? `${names[0]} 也在作答。` : `另有 ${names.length} 人也在作答。`,
  mustApprove: (needed, names) =>
    names.length === 0
      ? `需要 ${needed} 人批准。`
      : `${names.join("、")} 已批准，还需 ${needed - names.length} 人批准。`,
  approvalCounts: "您的批准已计入。",
  asksTo,
  approve: "批准一次",
  approveForSession: "本会话内一律批准",
  optionLabel,
  scope,
  howFar: "批准范围",
  reject: "拒绝",
  pressedEarly: "这次点击太早，内容还来不及阅读。请再点一次。",
  restIsShown: "有一部分内容之前不在视野内，现已全部显示。请再点一次。",
  rejectStep: "拒绝…",
  howFarReject: "拒绝范围",
  rejectWhy: "为什么拒绝？智能体会读到原因，然后继续。",
  mayBeEmpty: "（可以不填）",
  rejectWithWords: "附上原因并拒绝",
  edit: "先修改",
  editLabel: (path) => (path === "" ? "将被批准的内容" : `将写入 ${path} 的内容`),
  differing: (lines) => `有 ${lines} 行与智能体的不同`,
  undoEdit: "撤销我的修改",
  redoEdit: "恢复我的修改",
  seeDifference: "查看差异",
  approveMine: "批准我的版本",
  added,
  removed,
  lineEnds,
  status: statusOf,
  wholeFile: "修改摘要",
  dismiss: "关闭",
  failure,
  answerWithSaid: (said) => `用你说过的话回答：“${said}”`,
  sending: "正在发送…",
  undelivered: "尚未送达：服务器没有回应。你的回答已保留，将自动重新发送。",
  tooLate: (end) => `你的回答晚了一步。${end}`,
  notDelivered: (why) => `你的回答未送达：${why}`,
  yourWords: "你填写的内容",
  copy: "复制",
  settled(message, outcome) {
    const who = whoAnswered(outcome, somebodyIn);
    if (outcome === undefined) return `请求已失效：${gone(message)}`;
    const unseen = lost(outcome.degraded);
    const notShown = unseen && `对方未看到：${unseen}。`;
    if (outcome.status === "answered")
      return `${who === undefined ? "已有回答" : `${who} 已回答`}。${notShown}`;
    if (outcome.status === "declined")
      return `${who === undefined ? "已被拒绝回答" : `${who} 已拒绝回答`}。${notShown}`;
    return outcome.status === "expired" ? "已超时。" : `请求已失效：${gone(outcome.note || message)}`;
  },
};

const inSeconds = (seconds: number): string =>
  seconds < 60 ? `${seconds} 秒` : `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`;

export const talk: en.TalkWords = {
  told,
  conversation: "对话",
  you: "你",
  task: "任务",
  thoughts: "思考过程",
  part,
  status: statusOf,
  running: "运行中",
  failed: "失败",
  args: "全部参数",
  output: "输出",
  lastLines: (shown, all) => `共 ${all} 行，显示最后 ${shown} 行`,
  allLines: (count) => `显示全部 ${count} 行`,
  noOutput: "没有输出",
  copy: "复制",
  lines: (count) => `${count} 行`,
  innerCalls: (count) => `${count} 次调用`,
  todo: "待办",
  todoDone: (done, all) => `已完成 ${done} / ${all}`,
  does: {
    read: "读取",
    ran: "运行",
    changed: "修改",
    wrote: "写入",
    searched: "搜索",
    fetched: "获取",
  },
  did: {
    read: "读取",
    ran: "运行",
    changed: "修改",
    wrote: "写入",
    searched: "搜索",
    fetched: "获取",
  },
  seconds: inSeconds,
  pictures,
  openFile: (path) => `打开 ${path}`,
  added,
  removed,
  lineEnds,
  subagent: (type) => (type === "" ? "子智能体" : `子智能体 ${type}`),
  plan: (path) => (path === "" ? "计划" : `计划（${path}）`),
  steered: "运行中插话",
  origin,
  asked: (isApproval) => (isApproval ? "审批" : "问题"),
  approved: "已批准",
  optionLabel,
  approvedForSession: "已在本会话内批准",
  rejected: "已拒绝",
  editedFirst: "内容已修改",
  somebodyIn,
  by: (name, degraded) => {
    const unseen = lost(degraded);
    return `来自 ${name}${unseen && `，对方未看到：${unseen}`}`;
  },
  ended: (outcome) =>
    ({
      answered: "已回答",
      declined: "已拒绝回答",
      discussed: "先讨论",
      expired: "已超时",
      closed: "会话结束时已撤回",
      cancelled: "本轮已取消",
      givenUp: "已放弃",
    })[endingOf(outcome)],
  left: "本轮被中断。",
  stepInterrupted: "这一步被中断。",
  tryingAgain: (seconds, why, attempt, attempts) =>
    `${seconds} 秒后重试，${why}：第 ${attempt} 次，共 ${attempts} 次。`,
  summingUp: "正在压缩对话历史。",
  summedUp: "对话历史已压缩。",
  hookBlocked: (hook, target, why) =>
    `${hook} 钩子阻止了${target === "" ? "操作" : ` ${target}`}${why === "" ? "" : `：${why}`}。`,
  notification: (severity, text) => `${severityOf(severity)}：${text}`,
  planMode: (on) => `计划模式已${on ? "开启" : "关闭"}。`,
  policyDecided: (isApproved, rule, what) =>
    `未询问即${isApproved ? "批准" : "拒绝"}（${byRule(rule)}）：${told(what)}`,
  doNotAsk: (enabled, by) => `${enabled ? "本会话不再提问" : "恢复提问"}${by === "" ? "" : `，来自 ${by}`}。`,
  cancelled: "已取消。",
  takesNoMedia: "此智能体不接受随文字附上的内容（如图片）。请只发送文字。",
  turnFailed: (why) => `本轮失败${why === "" ? "" : `：${why}`}`,
  stoppedAfter: (steps) => (steps === undefined ? "已达步数上限，停止执行。" : `执行 ${steps} 步后停止。`),
  turnFinished: (time) => (time === "" ? "已完成" : `${time} 完成`),
  turnTook: (took, waited) =>
    `用时 ${inSeconds(took)}${waited === 0 ? "" : `，其中等你 ${inSeconds(waited)}`}`,
  filesChanged: (count) => `${count} 个文件`,
  copyWords: "复制回答",
  tryAgain: "重试",
  cut: "更早的内容未保留。",
  toEnd: "到最新内容",
  answers: "智能体正在回答。",
  finished: (paragraphs) => `智能体已回答完毕，共 ${paragraphs} 段。`,
  works: "智能体正在工作。",
  rests: "智能体已完成。",

  message: "消息",
  writeHere: "写给智能体",
  meanwhile: "可随时补充",
  messageHint: "Enter 发送，Shift-Enter 换行。",
  send: "发送",
  steer: "立即告知",
  cancel: "取消本轮",
  plans: "先做计划",
  doNotAskMe: "不要向我提问",
  addFiles: "添加图片或文件",
  attached: "随消息发送",
  remove: "移除",
  removeFile: (name) => `移除 ${name}`,
  fileComes: pictureComes,
  textTaken,
  fileProblems: {
    ...pictureProblems,
    noText: (name) => `${name} 既不是图片也不是文本：请用其他方式发送。`,
    longText: (name) => `${name} 超过 1 MiB：请只发送需要的部分。`,
  },
  commands: "命令",
  commandsFound: (count) => `${count} 个命令`,
  notSent: (why) => `未发送：${why}`,
  notSentYet: (beginning) => `尚未发送：“${beginning}”`,
  takeBack: "收回",
  tooLateToTakeBack: "已在发送途中，尚不清楚智能体是否收到。",
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
  state: sessionState,
  waitsFor,
  close: "关闭",
  closeOf: (title) => `关闭 ${title}`,
  closesForAll: "关闭后，所有人的该会话都会结束。",
  closeSure: "要为所有人关闭该会话吗？正在运行的内容将被取消。",
  keep: "保留",
  moreOf: (title) => `更多：${title}`,
  sessionId: (id) => `会话 ${id}`,
  sessionGroups: {
    waiting: "等待你处理",
    kept: "已保留，可继续",
    working: "工作中",
    today: "今天",
    earlier: "更早",
    stored: "以前保留的会话",
  },
  ago: (minutes) =>
    minutes < 1
      ? "刚刚"
      : minutes < 60
        ? `${minutes} 分钟`
        : minutes < 1_440
          ? `${Math.floor(minutes / 60)} 小时`
          : `${Math.floor(minutes / 1_440)} 天`,
  searchSessions: "搜索会话",
  sessionsFound: (count) => (count === 0 ? "没有匹配的会话。" : `找到 ${count} 个会话。`),
  moreKept: "显示更早保留的会话",
  moreSessions: (count, left) => `再显示 ${count} 个，共剩 ${left} 个`,

  waiting: "等待你处理",
  nothingWaits: "没有等待你处理的内容。",
  question,
  asksTo,
  isOver: "已失效",
  sending: "正在发送",
  undelivered: "尚未送达",
  progress: (answered, count) => `已回答 ${answered}/${count}`,
  secondsLeft,
  putAside: "先放一边",
  bringBack: "回答",
  failure,
};

export const markdown: en.MarkdownWords = {
  code: (language) => (language === "" ? "代码" : `代码，${language}`),
  table: "表格",
  image: "图片",
  copy: "复制",
};

const panel: en.PanelWords = {
  told,
  waiting: (count) => `还有 ${count} 个待处理`,
  callsWait: (count) => `有 ${count} 个调用在等待此回答`,
  somebodyIn,
  othersAnswer: (names) => (names.length === 1 ? `${names[0]} 也在作答` : `另有 ${names.length} 人也在作答`),
  mustApprove: (needed, names) =>
    names.length === 0
      ? `需要 ${needed} 人批准`
      : `${names.join("、")} 已批准，还需 ${needed - names.length} 人批准`,
  timeLeft: (seconds) => `剩余 ${timeOf(seconds)}`,
  comma: "，",
  colon: "：",
  note: (text) => `（${text}）`,
  remark: (text) => `（${text}）`,
  onExpiry: { cancel: "超时后自动放弃", default: "超时后采用默认选项" },
  tab: (number) => `问题${number}`,
  reviewTab: "提交",
  selectSeveral: "（可多选）",
  field,
  recommended,
  default: "默认",
  other: "其他",
  typeHere: "请输入内容",
  submit: "提交",
  discuss: "先讨论一下",
  noteName: "备注",
  noteHint: "随回答一起发送",
  searchName: "搜索",
  searchHint: "选项中的文字",
  found: (at, all) => (all === 0 ? "未找到" : `第 ${at} 个，共 ${all} 个`),
  preview: "预览",
  noPreview: "暂无预览内容。",
  above: (count) => `上方还有 ${count} 项`,
  below: (count) => `下方还有 ${count} 项`,
  moreLines: (count) => `还有 ${count} 行`,
  showsAll: "按 Ctrl-E 查看全部",
  readKey: "Ctrl-E",
  review: "检查你的回答",
  notAnswered: "未回答",
  leftOut: "已跳过",
  begun: "尚未确认",
  readyToSubmit: "确定提交这些回答吗？",
  warnOpen: "还有问题没有回答。",
  submitAnswers: "提交回答",
  cancel: "取消",
  nothingChosen: "请至少选择一项，或按 Esc 拒绝回答。",
  nothingChosenOrTyped: "请选择一个选项或输入回复，或按 Esc 拒绝回答。",
  blankText: "请先输入内容，或按 Esc 拒绝回答。",
  expected: (values) => `需要：${values}。`,
  textTooLong: "内容已达长度上限，超出部分未录入。",
  allSkipped: "请至少回答一个问题，或者拒绝作答。",
  noWordsHere: "此处不能输入文字：请用 ↑ ↓ 选择，再按 Enter。",
  enterAgain: "请再按一次 Enter 确认。",
  enterConfirms: "按 Enter 确认。",
  cleared: "已清空。按 Ctrl-Y 可恢复。",
  unread: "尚未批准：有一部分此前没有显示。请先阅读，按 Esc 返回后再按 Enter 批准。",
  declineAgain: (questions) => `再按一次 Esc 将拒绝回答${questions === 1 ? "" : "全部问题"}。`,
  unanswered: (tabs) => `尚未回答：${tabs.join("、")}。`,
  refused: (messages) => `回答未被接受：${messages.join("；")}`,
  keys: {
    move: "↑↓ 移动",
    choose: "Enter 选定",
    confirm: "Enter 确认",
    select: "空格 勾选",
    selectByEnter: "Enter 勾选",
    ownText: "直接输入其他内容",
    leaveOut: "Ctrl-X 跳过",
    tabs: "Tab 下一个问题",
    toAnswers: "← 返回问题",
    toOwnText: "Tab 自行输入",
    clear: "Esc 清空",
    decline: "Esc 拒绝",
    read: "Ctrl-E 查看全部",
    scroll: "↑↓ 空格 滚动",
    ends: "Home End 首尾",
    find: "Ctrl-F 搜索",
    seek: "↑↓ 下一个",
    endSearch: "Enter 保留 · Esc 返回",
    note: "Ctrl-T 备注",
    endNote: "Enter 完成",
    newLine: "Ctrl-J 换行",
    discuss: "Enter 先讨论",
    nextRequest: "Ctrl-O 下一个请求",
    putAside: "Ctrl-G 搁置",
    back: "Esc 返回",
  },
  position: (first, last, all) => `第 ${first}–${last} 行，共 ${all} 行`,
};

const asked: en.AskedWords = {
  mustApprove: (needed) => `需要 ${needed} 人批准。`,
  told,
  recommended,
  byDefault: "默认",
  moreLines: (count) => `… 还有 ${count} 行`,
  howToAnswer: (placeholder, ways) =>
    `请回答${placeholder === "" ? "" : `：${placeholder}`}（${ways.join("，")}）`,
  howToChoose: ({ many, ownText, choices }, ways) =>
    `输入${many ? "序号，多个用逗号分隔" : "序号"}${choices === undefined ? "" : `，${choices}`}${ownText ? "，或直接写出回答" : "，只能从中选择"}（${ways.join("，")}）`,
  field,
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

  asksTo: (sender, action, description) =>
    `${sender} 请求批准 ${told(action)}${sender === description ? "" : `：${told(description)}`}`,
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
  understood: (choice, isOwn) => (isOwn ? `→ 自行填写：${choice}` : `→ ${choice}`),
  answeredBefore: (question) => `（之前已回答：${question}）`,
  somebodyIn,
  clientAnswered: (who) => `${who} 已回答`,
  clientDeclined: (who) => `${who} 已拒绝`,
  ruleAnswered: "会话规则已自动回答",
  wasAnswered: "已有回答",
  timeIsOver: "已超时",
  turnCancelled: "本轮已取消",
  newerQuestion: "已被新的问题取代",
  givenUp: (reason) => `已撤销：${knownName(reasons, reason) ?? reason}`,
  gone,

  hasQuestions: (count, agent) =>
    `${agent === "" ? "智能体" : `子智能体 ${agent} `}有${count === 1 ? "" : ` ${count} 个`}问题想问你`,
  origin,
  programAsks: (count, program) => `${program} 有${count === 1 ? "" : ` ${count} 个`}问题想问你`,
  wantsApproval: (sender, action, agent) =>
    `${agent === "" ? "" : `子智能体 ${agent} 的 `}${sender} 请求批准 ${told(action)}`,
  discussed: "先讨论",
  putAside: (count, seconds) =>
    `已搁置：${count} 个请求在等您${seconds === undefined ? "" : `，${count === 1 ? "" : "最早的"}还剩 ${timeOf(seconds)}`}。按 Ctrl-G 或 Enter 恢复。`,
  waitsForPrompt: (title) => `（${title}。请先处理输入框中的文字：Enter 发送，Ctrl-C 清除）`,
  waitsForLine: (title) => `（${title}。请先处理这一行中的文字：Enter 发送，Ctrl-U 清除）`,
  cannotDraw: (why) => `（无法显示面板：${why}；改为逐行提问）`,
  approve: "批准",
  approveForSession: "本会话内一律批准",
  optionLabel,
  scope,
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

const chat: en.ChatWords = {
  told,
  somebodyIn,
  canType: (help, exit) => `（${help} 查看可用命令，${exit} 退出）`,
  answersOnly: (exit) => `（此地址仅供回答问题：有问题时会显示在这里，${exit} 退出）`,
  showsThis: "显示本帮助",
  declines: "拒绝回答",
  leaves: "退出",
  stopsAsking: "在本会话中不再向你提问，审批照常（on、off 或切换）",
  onOrOff: (command) => `${command}：请输入 on、off 或留空。`,
  policyDecided: (isApproved, rule, what) =>
    `（未询问即${isApproved ? "批准" : "拒绝"}，${byRule(rule)}：${told(what)}）`,
  doNotAsk: (enabled, by) =>
    enabled
      ? `（本会话不再提问${by === "" ? "" : `，来自 ${by}`}：由智能体自行决定）`
      : `（恢复提问${by === "" ? "" : `，来自 ${by}`}）`,
  notSwitched: (why) => `（未能切换：${why}）`,
  showsOutput: "显示上一次调用的全部输出，Ctrl-O 亦可；加编号可看其他调用的输出",
  noOutput: "没有这样的输出。",
  copies: "按原文复制上一个回答",
  copied: (characters) => `（已按原文复制 ${characters} 个字符；--raw 会这样显示回答）`,
  nothingSaid: "智能体还什么都没有说。",
  showsHistory: "显示问过什么、答过什么",
  nothingAskedYet: "还没有问过什么。",
  also: (names) => `（也可用 ${names.join("、")}）`,
  noSuchCommand: (command, help) =>
    `没有 ${command} 命令，输入 ${help} 查看可用命令。若要原样发送，请在前面加一个空格。`,
  nothingAsked: "当前没有待回答的问题。",
  leaveAgain: "（再按一次 Ctrl-C 退出）",
  workLost: "（之前为此问题填写的内容未能全部恢复：发送前请检查）",
  noMoreRoom: "（输入内容已达长度上限，超出部分未录入）",
  pasted: (lines) => `[已粘贴 ${lines} 行]`,

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
  comesBack: (command) => `（要继续：${command}）`,
  earlierTurns: (turns) => `（之前还有 ${turns} 轮）`,
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
  sessionState,
  waitsFor,
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

  works: "工作中",
  isCancelled: "正在取消",
  escCancels: "Esc 取消",
  isLost: "连接已断开",
  seconds: inSeconds,
  lines: (count) => `${count} 行`,
  tokens: (thousands) => `${thousands} 个词元`,
  contextLeft: (percent) => `上下文还剩 ${percent}%`,
  planned: "计划模式",
  yolo: "全部批准",
  afk: "不问任何人",
  waiting: (requests) => `${requests} 个请求在等待`,
  lastLines: (shown, all) => `共 ${all} 行，最后 ${shown} 行`,
  moreCalls: (calls) => `另有 ${calls} 个调用在运行`,

  promptedElsewhere: (who, prompt) => `（来自${who === undefined ? "其他客户端" : ` ${who}`}）${prompt}`,
  part,
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
  notification: (severity, text) => `（${severityOf(severity)}）${text}`,
  lineEnds,
  tooLong: (before, after) => `改动过长，不予显示：修改前 ${before}，修改后 ${after}`,
  task: (description, status) => `${description}：${statusOf(status)}`,
  moreOutput: (lines, command, isCut) =>
    lines === 0
      ? `（${command} 显示完整的行）`
      : `… 还有 ${lines} 行（${command} 显示${isCut ? "未截去的部分" : "全部"}）`,
  outputNotKept: (characters) => `… 其余 ${characters} 个字符未保留`,
};

const agents: en.AgentWords = {
  fromProject: (name) => `代理 ${name} 来自本项目的文件。它将以你的身份运行，能做你能做的一切：`,
  changed: "（自批准以来内容已更改）",
  file: "文件",
  folder: "目录",
  command: "命令",
  protocol: "协议",
  inherits: "继承",
  variables: "变量",
  foundOut: "启动时识别",
  noKeys: "无密钥",
  none: "无",
  filesMayChange: "它运行的项目文件之后可能更改，不会再次询问。",
  approve: "批准此命令？",
  serverOfProject: (name) => `MCP 服务器 ${name} 来自本项目的文件。它将以你的身份运行，能做你能做的一切：`,
  serverAtAddress: (name) => `MCP 服务器 ${name} 来自本项目的文件。代理会把调用其工具的内容发送给它：`,
  address: "地址",
  headers: "标头",
  timeout: "超时",
  startup: "启动时间",
  approveServer: "批准此服务器？",
};

export const typed: en.TypedWords = { yes: ["是"], no: ["否"] };

export const terminal: en.TerminalWords = { panel, asked, chat, agents, inbox: terminalInboxChinese };

export const connection: en.ConnectionWords = {
  connecting: "正在连接…",
  connected: "已连接",
  silent: "已连接，但服务器没有回应。已发送的内容尚未送达。",
  lost: "连接已断开。你填写的内容会保留在这里。",
  nextTry: (seconds) => `${seconds} 秒后重试`,
  trying: "正在重试…",
  tryNow: "立即重试",
  otherVersion: "服务器的版本与本页面不同。请重新加载页面。",
  reload: "重新加载",
  endings: {
    token: "服务器拒绝了令牌。除非服务器保存令牌，否则每次启动都会更换。",
    session: "服务器上已没有这个会话。",
    kept: "服务器已重新启动，并保留了这个会话。",
    replaced: "本页面的另一个连接已接替。",
    ended: "会话已关闭。",
    failed: "连接已结束。",
  },
  openKept: "继续这个会话",
  failure,
};

export const page: en.PageWords = {
  title: "Askwire",
  waiting: (count, title) => `(${count}) ${title}`,
  sessions: (waiting) => (waiting === 0 ? "会话" : `会话（${waiting} 个等待处理）`),
  settings: "设置",
  close: "关闭",
  back: "返回",
  connecting: connection.connecting,
  otherVersion: "服务器的版本与本页面不同。请重新加载页面；你填写的内容会保留。",
  otherVersionThere: "已连接。该服务器的版本与本页面不同：部分功能可能不可用。",
  reload: connection.reload,
  notLoaded: "页面的一部分无法加载，正在重试。",
  parts: {
    page: "页面",
    place: "此处",
    signals: "新请求提示",
    title: "标题",
    sessions: "会话入口",
    settings: "设置",
    connection: failure.parts.connection,
    paired: "设备状态",
    conversation: "对话",
    requests: "请求列表",
    request: "此请求",
    prompt: "输入框",
    howTo: "获取令牌的说明",
    entry: "令牌输入框",
  },
  readable: "此连接未加密：同一网络中的其他人可以读取内容。",
  revoked: {
    title: "此设备已被撤销。",
    enter: "输入新的配对码",
  },
  enterAnew: "输入另一个地址或配对码",
  newSession: "开始新会话",
  pairing: "正在交换配对码…",
  addServer: "添加服务器",
  letIn: "请确认服务器正在运行，并已允许本页面连接：",
  forgetServer: "忘记此服务器",
  open: (count) => `${count} 个请求等待处理`,
  nothingOpen: "没有等待你处理的请求。",
  arrived: (text, count) =>
    count === 1 ? `新请求：${text}` : `新请求：${text}。共 ${count} 个请求等待处理。`,
  draftComes: "正在取回你填写的内容…",
  picturesGone: "浏览器已不再保存你添加的图片：请重新添加。",
  draftUnkept: "浏览器无法保存此处填写的全部内容：关闭或重新加载本页面后将丢失。",
  language: "语言",
  asBrowser: "跟随浏览器",
  theme: "外观",
  themes: { system: "跟随系统", light: "浅色", dark: "深色" },
  paired: "此设备已配对，关闭标签页后失效。",
  rememberDevice: "记住此设备",
  remembered: "此设备已配对并被记住。",
};

export const view: en.ViewWords = {
  none: "此窗口中没有运行的智能体。",
  start: "启动智能体",
  starting: "智能体正在启动…",
  printed: (text) => `目前的输出：${text}`,
  lost: (why) => `连接已断开，正在重试。${why}`,
  ended: (why) => `智能体已结束。${why}`,
  noFolder: (missing) =>
    missing === undefined
      ? "请先打开一个文件夹：智能体将在其中工作。"
      : `文件夹 ${missing} 已不存在。请打开改名后的文件夹。`,
  openFolder: "打开文件夹",
  restart: "重新启动",
  showLog: "显示日志",
  openSettings: "打开设置",
  putAway: "收起此提示",
  held: "另一个窗口正在使用此文件夹的会话。",
  heldAlone: "其智能体不允许他人加入：要在这里查看，请在那个窗口中打开 askwire.inbox 并重新启动智能体。",
  watch: "在此查看并回答",
  newSession: "新建会话",
  agents: {
    interview: (file) => (file === "" ? "问卷" : `问卷 ${file}`),
    model: (name) => (name === "" ? "模型" : name),
    program: (name) => (name === "" ? "程序" : name),
    named: (name) => name,
    gateway: (host) => `网关 ${host}`,
    watched: () => "另一个窗口的智能体",
  },
  chooseAgent: "选择智能体",
  agentIs: (agent) => `${agent}：选择其他智能体`,
  planMode: "计划模式",
  approvesAll: "全部批准",
  asksNothing: "不提问",
  begin: "开始问卷",
  lostWords: "这是您为一个已结束的请求输入的内容：",
  copy: "复制",
  copied: "已复制",
  files: "文件",
  filesFound: (count) => `${count} 个文件`,
  sessions: "会话",
  untitled: "新会话",
  waits: (open) => `${open} 项待处理`,
  difference: "在编辑器中显示差异",
  notInEditor: (paths) => `仅在下方显示：${paths.join("、")}`,
  outside: (path) => `不在工作区内：${path}`,
  unsaved: (paths) => `有未保存的修改：${paths.join("、")}`,
  saveFirst: "先保存",
  attach: "附加文件…",
  attached: "随下一条消息发送",
  remove: (name) => `移除 ${name}`,
  open: (count) => `${count} 项待处理`,
  cards: "等待您处理",
  parts: {
    view: "视图",
    state: "智能体状态",
    requests: "请求列表",
    request: "此请求",
    attached: "附件列表",
    sessions: "会话列表",
  },
  tooLarge: "内容过大，无法发送：请减少内容，或使用较小的图片。",
};

const manifest: typeof en.extension.manifest = {
  description: "与代码相伴的智能体：它的提问和审批就在您工作的地方，一个都不会丢失。",
  trust: "Askwire 会启动一个在文件夹中工作的程序，因此需要信任该文件夹。",
  virtual: "Askwire 会启动一个在文件系统文件夹中工作的程序。",
  "command.start": "启动智能体",
  "command.chooseAgent": "选择智能体",
  "command.answer": "用快速选择回答",
  "command.prompt": "给智能体发消息",
  "command.newSession": "新建会话",
  "command.switchSession": "切换会话",
  "command.closeSession": "关闭会话",
  "command.stop": "停止本轮",
  "command.restart": "重新启动智能体",
  "command.openTab": "在编辑器标签页中打开视图",
  "command.showLog": "显示日志",
  "command.openSettings": "打开设置",
  "command.setKey": "输入模型提供方的密钥",
  "command.setToken": "输入网关的令牌",
  "command.attachFile": "将文件附加到消息",
  "command.attachSelection": "将选中内容附加到消息",
  "command.showDifference": "显示待审批的差异",
  "command.approve": "批准",
  "command.reject": "拒绝",
  "command.rejectWith": "拒绝并说明…",
  "command.previousFile": "审批的上一个文件",
  "command.nextFile": "审批的下一个文件",
  "command.chooseFile": "选择审批的文件…",
  "command.saveFirst": "先保存：文件有未保存的修改",
  "setting.agent":
    "要启动的智能体：`interview`（不需要模型的问卷）、`model`（在文件夹中工作的模型，见 `#askwire.model#`）、`command`（任何使用 wire 或 ACP 协议的程序，见 `#askwire.command#`），或智能体的名称，如 `claude`、`gemini`、`kimi`。",
  "setting.command":
    '程序及其参数，用于 `#askwire.agent#` 为 `command` 时。不经过 shell 启动，例如 `["gemini", "--acp"]`。',
  "setting.protocol": "程序或具名智能体使用的协议。auto 表示由它的首个回复判断。",
  "setting.model":
    "模型，用于 `#askwire.agent#` 为 `model` 时：`openai-compatible:名称`、`kimi:名称`，或 `~/.askwire/config.toml` 中的名称。密钥由命令“输入模型提供方的密钥”保存。",
  "setting.modelBaseUrl":
    "模型提供方的地址，如 `http://127.0.0.1:11434/v1`。留空则使用环境变量或提供方的默认地址。",
  "setting.interview": "问卷文件，用于 `#askwire.agent#` 为 `interview` 时。留空则使用自带问卷。",
  "setting.asking":
    "启动智能体时如何对待提问。`unset`：会话保持原样；`doNotAsk`：模型没有提问工具，由其自行决定。审批照常。",
  "setting.inherit":
    "其他厂商的智能体可以获得的环境变量名称，例如 `GEMINI_API_KEY`；模型提供方的密钥默认不会传给智能体。",
  "setting.inbox":
    "智能体的提问和审批也列入 `askwire inbox`，可在那里回答。智能体还会在本机的一个空闲端口上监听，令牌只有您可以读取。",
  "setting.address":
    "网关地址，如 `ws://127.0.0.1:8080/wire`：连接到网关而不启动智能体。令牌由命令“输入网关的令牌”保存。",
  "setting.openDifference": "自动在差异编辑器中打开待审批的差异。关闭该编辑器不会作出任何决定。",
  "setting.notify": "有提问或审批而无人查看时显示通知。",
  "walkthrough.title": "开始使用 Askwire",
  "walkthrough.description": "选择一个智能体，启动它，并回答第一个问题。",
  "walkthrough.agent.title": "选择智能体",
  "walkthrough.agent.description":
    "自带的问卷不需要模型，也不需要密钥。\n[选择智能体](command:askwire.chooseAgent)\n[打开设置](command:askwire.openSettings)",
  "walkthrough.start.title": "启动智能体",
  "walkthrough.start.description":
    "对话和卡片都在视图中。在其中输入 `go`，问卷就会提出第一个问题。\n[启动智能体](command:askwire.start)",
  "walkthrough.answer.title": "回答",
  "walkthrough.answer.description":
    "在视图中回答，或仅用键盘通过快速选择回答。\n[用快速选择回答](command:askwire.answer)",
};

const walkthrough: typeof en.extension.walkthrough = {
  agent: [
    "| `askwire.agent` | 含义 |",
    "| --- | --- |",
    "| `interview` | 问卷，不需要模型 |",
    "| `model` | 在此文件夹中工作的模型 |",
    "| `command` | 任何使用 wire 或 ACP 的程序 |",
    "| 名称 | 命令已知的智能体，如 `claude` |",
  ],
  start: ["智能体在窗口的第一个文件夹中工作。会话会被保存：重新加载后继续该会话及其未回答的问题。"],
  answer: ["按 Esc 会保留问题。审批的差异在差异编辑器中打开，可在其标题栏批准或拒绝；关闭它不作任何决定。"],
};

const texts: en.ExtensionWords["texts"] = {
  "Askwire: {0} open": "Askwire：{0} 项待处理",
  "Askwire: the agent has ended": "Askwire：智能体已结束",
  Show: "显示",
  "{0}: proposed by the agent": "{0}：智能体的建议",
  "Askwire: that press came before you could read this. Press again.":
    "Askwire：这次点击太早，内容还来不及阅读。请再点一次。",
  "that press came too soon: press again": "这次操作太早，请再试一次",
  "Askwire: this was answered elsewhere, or is no longer open.": "Askwire：已在别处回答，或不再待处理。",
  "Which one do you want to answer?": "要回答哪一项？",
  recommended,
  "In your own words…": "用自己的话…",
  "choose at least one": "请至少选择一项",
  "this is not the number of choices that is asked for": "选择的数量不符合要求",
  "write an answer, or press Escape to leave it open": "请写下回答，或按 Esc 保留此问题",
  "expected at most {0} attachments: remove one": "最多 {0} 个附件：请移除一个",
  "{0}: expected at most 1 MiB": "{0}：最大 1 MiB",
  "{0}: expected a text or a picture": "{0}：应为文本或图片",
  picture: "图片",
  Open: "打开",
  "{0} is outside of the workspace.": "{0} 不在工作区内。",
  "Askwire: another window has the session of this folder (process {0}).":
    "Askwire：另一个窗口正在使用此文件夹的会话（进程 {0}）。",
  "Watch and Answer Here": "在此查看并回答",
  "New Session": "新建会话",
  "Choose the Agent": "选择智能体",
  "The agent that is started next": "下次启动的智能体",
  "Agents by name cannot be listed: {0}": "无法列出具名智能体：{0}",
  Interview: "问卷",
  "A questionnaire that needs no model and no key": "不需要模型，也不需要密钥",
  "A model…": "模型…",
  "It works in the folder": "在此文件夹中工作",
  "A program of your own…": "自己的程序…",
  "It speaks the wire or the Agent Client Protocol": "使用 wire 或 Agent Client Protocol",
  "chosen now": "当前选择",
  "{0} is not installed": "{0} 未安装",
  "fetched at its first start": "首次启动时下载",
  "needs Node.js {0}": "需要 Node.js {0}",
  "of this project, to be approved first: askwire agents approve {0}":
    "来自此项目，需先批准：askwire agents approve {0}",
  "The model": "模型",
  "openai-compatible:NAME, kimi:NAME, or a name of ~/.askwire/config.toml":
    "openai-compatible:名称、kimi:名称，或 ~/.askwire/config.toml 中的名称",
  "The program": "程序",
  "A program and its arguments, such as: gemini --acp. It is started without a shell.":
    "程序及其参数，例如：gemini --acp。不经过 shell 启动。",
  "Askwire: the next start takes {0}.": "Askwire：下次启动使用 {0}。",
  "Askwire: the next start takes {0}, and no longer the gateway {1}.":
    "Askwire：下次启动使用 {0}，不再使用网关 {1}。",
  "Enter the Key": "输入密钥",
  Start: "启动",
  "Attach files to the prompt": "将文件附加到消息",
  "this approval is not open any more": "此审批不再待处理",
  "Sessions of this folder": "此文件夹的会话",
  "Type words of the title. The last ones are of conversations that are not open here.":
    "输入标题中的文字。靠后的是未在此打开的会话。",
  "New session": "新会话",
  "{0} open": "{0} 项待处理",
  "It is kept by the editor, outside of the settings. Empty forgets it.":
    "由编辑器保存，不写入设置。留空则忘记。",
  "Write to the agent": "给智能体发消息",
  "write something, or press Escape": "请输入内容，或按 Esc",
  "Close the session": "关闭会话",
  "{0} are open in this session. Close it anyway?": "此会话中有 {0} 项待处理。仍要关闭吗？",
  "The key of the model's provider ({0})": "模型提供方的密钥（{0}）",
  "The token of the gateway": "网关的令牌",
  "expected a selection in an editor": "请先在编辑器中选中内容",
  Restart: "重新启动",
  "Show log": "显示日志",
  "Open settings": "打开设置",
  "Askwire: the agent has ended. {0}": "Askwire：智能体已结束。{0}",
  "Askwire: open a folder first. The agent works in it.": "Askwire：请先打开一个文件夹，智能体将在其中工作。",
  "Askwire: the folder {0} is no longer there. Open it by its new name.":
    "Askwire：文件夹 {0} 已不存在。请打开改名后的文件夹。",
  "Open Folder": "打开文件夹",
  "{0}: outside of the workspace, proposed by the agent": "{0}：不在工作区内，智能体的建议",
  "Load the view again": "重新加载视图",
  "Go on by quick pick": "用快速选择继续",
  "Askwire: the view does not load.": "Askwire：视图未能加载。",
  "expected a model, as PROVIDER:MODEL": "应为模型，格式为 PROVIDER:MODEL",
  "expected a program and its arguments": "应为一个程序及其参数",
  "expected interview, model, command, or an agent's name": "应为 interview、model、command，或智能体的名称",
  "expected an open folder: open the one that the agent is to work in":
    "没有打开的文件夹：请打开智能体要工作的文件夹",
  "{0} is no longer there: open the folder by its new name": "{0} 已不存在：请打开改名后的文件夹",
  "expected an address such as ws://127.0.0.1:PORT/wire": "应为类似 ws://127.0.0.1:PORT/wire 的地址",
  "{0}. No token is kept: run 'Askwire: Enter the Token of the Gateway'":
    "{0}。没有保存令牌：请运行“Askwire：输入网关的令牌”",
  "expected at most {0} sessions: close one": "最多 {0} 个会话：请关闭一个",
  "no agent is connected": "没有连接智能体",
  "this is not open any more, or does not take such an answer": "此请求已不再打开，或不接受这样的答复",
  "this session is not open any more": "此会话已不再打开",
  "{0}, file {1} of {2}": "{0}，第 {1} 个文件，共 {2} 个",
  "the tag of this language": "zh",
  "Tell the agent what to do instead. Escape leaves the approval open.":
    "告诉智能体应该怎么做。按 Esc 保留审批。",
  "Files of this approval": "此审批的文件",
  "shown now": "正在显示",
  "{0} was not saved: the approval stays open": "{0} 未能保存：审批仍待处理",
  "Save and Approve": "保存并批准",
  "Your edits are saved first. An agent that writes whole files may still replace them.":
    "先保存您的修改。写入整个文件的智能体仍可能将其覆盖。",
  "Approve Anyway": "仍然批准",
  "Your edits stay unsaved, beside the file that the agent writes.":
    "您的修改保持未保存状态，与智能体写入的文件并存。",
  "Unsaved edits: {0}": "有未保存的修改：{0}",
  "The approval changes what you have not saved. Escape leaves it open.":
    "此审批会改动您尚未保存的内容。按 Esc 保留待处理。",
  "this stays open: it changes a file with unsaved edits": "仍待处理：它会改动有未保存修改的文件",
};

export const extension: en.ExtensionWords = { locale: "zh-cn", manifest, walkthrough, texts };
