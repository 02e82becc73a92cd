import { fieldWords, lineEndWords, lostWords, valueWords } from "@askwire/client/text";
import { answerLimits, type HeardOutcome, mebibytes } from "@askwire/protocol";
import { failureWords } from "./failure-words.js";

const en = {
  question: "Question",
  /** The program that asks in place of the session's agent. */
  programAsks: (program: string) => `${program} asks`,
  /** The name of a tab without a header, by its number from 1. */
  tab: (number: number) => `Question ${number}`,
  review: "Review",
  reviewHeading: "Your answers",
  open: "not answered",
  answered: "answered",
  edited: "changed",
  leftOut: "left out",
  recommended: "recommended",
  byDefault: "counts when the time is over",
  several: "several may be chosen",
  preview: (label: string) => `Preview of ${label}`,
  ownWords: "In your own words",
  /** The label of a typed field. */
  answer: "Your answer",
  ownWordsAside: "These words are not sent while an option is chosen.",
  workLost: "Not all that you had entered here could be read again: look before you send.",
  note: "Note",
  addNote: "Add a note",
  /** A note that is folded, and goes with the answer all the same. */
  foldedNote: (beginning: string) => `Note: ${beginning}`,
  search: "Search the options",
  found: (count: number, all: number) => `${count} of ${all} shown`,
  addPicture: "Add a picture",
  takePhoto: "Take a photo",
  /** The name of a picture, by its number from 1. */
  picture: (number: number) => `Picture ${number}`,
  pictures: (count: number) => (count === 1 ? "1 picture" : `${count} pictures`),
  remove: "Remove",
  removePicture: (number: number) => `Remove picture ${number}`,
  pictureComes: "The picture is still being read.",
  /** Of a paste with a text and a picture of it. */
  textTaken: "The text was taken, and not the picture that came with it.",
  pictureProblems: {
    unread: (name: string) => `${name} is no picture that this browser can read.`,
    tooLarge: (name: string) =>
      `${name} is larger than ${mebibytes(answerLimits.picture)}: send a smaller picture.`,
    tooMany: (name: string) =>
      `With ${name} the pictures are larger than ${mebibytes(answerLimits.pictures)}: take another away first.`,
  },
  expects: (values: string) => `Expected: ${values}`,
  field: fieldWords.en,
  send: "Send",
  next: "Next",
  leaveOut: "Leave out",
  decline: "Decline",
  declineAll: "Decline, and lose what you entered?",
  keep: "Keep",
  discuss: "Discuss first",
  discussLabel: "What to talk about first",
  back: "Back",
  nothingChosen: "Choose an option first, or decline.",
  nothingChosenOrTyped: "Choose an option or write an answer first, or decline.",
  blankText: "Write an answer first, or decline.",
  textTooLong: "There is no more room: the rest was not taken.",
  /** Of a text that stays unchanged, and is not sent. */
  tooLong: (over: number) =>
    over === 1 ? "1 character too long: shorten it first." : `${over} characters too long: shorten it first.`,
  allSkipped: "Answer at least one question, or decline.",
  unanswered: (tabs: readonly string[]) => `Not answered yet: ${tabs.join(", ")}.`,
  refused: (messages: readonly string[]) => `Not accepted: ${messages.join("; ")}`,
  secondsLeft: (seconds: number) =>
    seconds >= 120 ? `${Math.floor(seconds / 60)} min left` : `${seconds} s left`,
  onExpiry: { cancel: "then it is given up", default: "then the default counts" },
  noTimeLimit: "The time stands still: you have begun.",
  /** The deadline was removed, though not by this person: somebody else began, or whoever asks removed it. */
  timeStands: "The time stands still.",
  callsWait: (count: number) => `${count} calls wait for this answer.`,
  othersAnswer: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} is answering too.` : `${names.length} others are answering too.`,
  asksTo: (sender: string, action: string) => `${sender} asks to ${action}`,
  approve: "Approve",
  approveForSession: "Approve for this session",
  everyAction: (action: string) => `every further “${action}” too`,
  reject: "Reject",
  /** Of a press right after the card came, or the second half of a press elsewhere. */
  pressedEarly: "That press came before you could read this. Press again.",
  /** Of a press that showed what was out of sight, in place of allowing it. */
  restIsShown: "Part of this was out of sight. All of it is shown now: press again.",
  rejectWhy: "Why not (sent with a rejection)",
  edit: "Change it first",
  editLabel: "The text that is approved",
  added: "added",
  removed: "removed",
  lineEnds: lineEndWords.en,
  status: valueWords.en.status,
  wholeFile: "Summary of a change",
  dismiss: "Close",
  failure: failureWords.en,
  answerWithSaid: (said: string) => `Answer with what you said: “${said}”`,
  sending: "Sending…",
  undelivered: "Not delivered yet: the server does not reply. Your answer is kept, and sent again by itself.",
  /** @param end who settled the request, or how it ended. */
  tooLate: (end: string) => `Your answer came too late. ${end}`,
  notDelivered: (why: string) => `Your answer was not delivered: ${why}.`,
  yourWords: "What you had answered",
  copy: "Copy",
  /** The end of a request elsewhere, by its outcome where there is one, with what was not shown there. */
  settled(message: string, outcome: HeardOutcome | undefined): string {
    const who = outcome?.client?.name;
    if (outcome === undefined) return `No longer open: ${message}.`;
    const lost = lostWords.en(outcome.degraded);
    const notShown = lost && ` Not shown there: ${lost}.`;
    if (outcome.status === "answered")
      return `${who === undefined ? "It was answered" : `${who} answered it`}.${notShown}`;
    if (outcome.status === "declined")
      return `${who === undefined ? "It was declined" : `${who} declined it`}.${notShown}`;
    return outcome.status === "expired" ? "Its time is over." : `No longer open: ${message}.`;
  },
};

/** The words of the cards in one language. */
export type CardWords = typeof en;

const zh: CardWords = {
  question: "问题",
  programAsks: (program) => `${program} 提问`,
  tab: (number) => `问题 ${number}`,
  review: "检查",
  reviewHeading: "你的回答",
  open: "未回答",
  answered: "已回答",
  edited: "已修改",
  leftOut: "已跳过",
  recommended: "推荐",
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
  takePhoto: "拍照",
  picture: (number) => `图片 ${number}`,
  pictures: (count) => `${count} 张图片`,
  remove: "移除",
  removePicture: (number) => `移除图片 ${number}`,
  pictureComes: "正在读取图片。",
  textTaken: "已粘贴文本，未添加随附的图片。",
  pictureProblems: {
    unread: (name) => `此浏览器无法读取图片 ${name}。`,
    tooLarge: (name) => `${name} 超过 ${mebibytes(answerLimits.picture)}：请发送较小的图片。`,
    tooMany: (name) => `加上 ${name} 后图片总计超过 ${mebibytes(answerLimits.pictures)}：请先移除一张。`,
  },
  expects: (values) => `需要：${values}`,
  field: fieldWords.zh,
  send: "发送",
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
  secondsLeft: (seconds) => (seconds >= 120 ? `剩余 ${Math.floor(seconds / 60)} 分钟` : `剩余 ${seconds} 秒`),
  onExpiry: { cancel: "超时后自动放弃", default: "超时后采用默认选项" },
  noTimeLimit: "你已开始作答，计时已停止。",
  timeStands: "计时已停止。",
  callsWait: (count) => `有 ${count} 个调用在等待此回答。`,
  othersAnswer: (names) =>
    names.length === 1 ? `${names[0]} 也在作答。` : `另有 ${names.length} 人也在作答。`,
  asksTo: (sender, action) => `${sender} 请求批准 ${action}`,
  approve: "批准",
  approveForSession: "本会话内一律批准",
  everyAction: (action) => `之后的“${action}”也不再询问`,
  reject: "拒绝",
  pressedEarly: "这次点击太早，内容还来不及阅读。请再点一次。",
  restIsShown: "有一部分内容之前不在视野内，现已全部显示。请再点一次。",
  rejectWhy: "拒绝的原因（随拒绝一起发送）",
  edit: "先修改内容",
  editLabel: "将被批准的内容",
  added: "新增",
  removed: "删除",
  lineEnds: lineEndWords.zh,
  status: valueWords.zh.status,
  wholeFile: "修改摘要",
  dismiss: "关闭",
  failure: failureWords.zh,
  answerWithSaid: (said) => `用你说过的话回答：“${said}”`,
  sending: "正在发送…",
  undelivered: "尚未送达：服务器没有回应。你的回答已保留，将自动重新发送。",
  tooLate: (end) => `你的回答晚了一步。${end}`,
  notDelivered: (why) => `你的回答未送达：${why}`,
  yourWords: "你填写的内容",
  copy: "复制",
  settled(message, outcome) {
    const who = outcome?.client?.name;
    if (outcome === undefined) return `请求已失效：${message}`;
    const lost = lostWords.zh(outcome.degraded);
    const notShown = lost && `对方未看到：${lost}。`;
    if (outcome.status === "answered")
      return `${who === undefined ? "已有回答" : `${who} 已回答`}。${notShown}`;
    if (outcome.status === "declined")
      return `${who === undefined ? "已被拒绝回答" : `${who} 已拒绝回答`}。${notShown}`;
    return outcome.status === "expired" ? "已超时。" : `请求已失效：${message}`;
  },
};

/** The words of the cards, by language. */
export const cardWords: Readonly<Record<"en" | "zh", CardWords>> = { en, zh };
