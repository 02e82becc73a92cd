import { fieldWords } from "@askwire/client/text";
import type { TerminalLanguage } from "./language.js";

const en = {
  /** Next to the title: the requests behind this one, and the effect of the deadline. */
  waiting: (count: number) => `${count} more waiting`,
  callsWait: (count: number) => `${count} calls wait for this answer`,
  othersAnswer: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} is answering too` : `${names.length} others are answering too`,
  timeLeft: (seconds: number) => `${timeEn(seconds)} left`,
  /** The mark between two answers, after a field's name, and in notes about an option or an answer. */
  comma: ", ",
  colon: ": ",
  note: (text: string) => ` (${text})`,
  remark: (text: string) => ` — ${text}`,
  onExpiry: { cancel: "then it is given up", default: "then the default counts" },
  /** The tab of a question without a header, by its number from 1; the last tab. */
  tab: (number: number) => `Q${number}`,
  reviewTab: "Submit",
  selectSeveral: " (select several)",
  /** The values that a field takes, and the number of options to choose. */
  field: fieldWords.en,
  recommended: "recommended",
  default: "default",
  /** The own-text row, if the question does not name it, and its empty field. */
  other: "Other",
  typeHere: "Type your answer",
  /** The row that confirms several choices. */
  submit: "Submit",
  preview: "Preview",
  noPreview: "No preview available.",
  above: (count: number) => `${count} more`,
  below: (count: number) => `${count} more`,
  moreLines: (count: number) => (count === 1 ? "1 more line" : `${count} more lines`),
  showsAll: "Ctrl-E shows all",
  readKey: "Ctrl-E",
  /** The page to review all answers. */
  review: "Review your answers",
  notAnswered: "not answered",
  leftOut: "left out",
  begun: "not confirmed yet",
  readyToSubmit: "Ready to submit your answers?",
  warnOpen: "You have not answered all questions.",
  submitAnswers: "Submit answers",
  cancel: "Cancel",
  /** The hints for a key that did nothing. */
  nothingChosen: "Select at least one, or Esc to decline.",
  nothingChosenOrTyped: "Select at least one or type an answer, or Esc to decline.",
  blankText: "Type an answer first, or Esc to decline.",
  expected: (values: string) => `Expected: ${values}.`,
  textTooLong: "There is no more room: the rest was not taken.",
  allSkipped: "Answer at least one question, or decline.",
  noWordsHere: "No words can be typed here: choose with ↑ ↓, then Enter.",
  enterAgain: "Press Enter once more to confirm.",
  cleared: "Cleared. Ctrl-Y brings it back.",
  unread: "Not approved yet: part of this was out of sight. Read it, then Esc, and Enter approves.",
  declineAgain: (questions: number) => `Press Esc again to decline${questions === 1 ? "" : " all"}.`,
  unanswered: (tabs: readonly string[]) => `Not answered yet: ${tabs.join(", ")}.`,
  refused: (messages: readonly string[]) => `Not accepted: ${messages.join("; ")}`,
  /** The effects of keys, for the last line. */
  keys: {
    move: "↑↓ move",
    choose: "Enter choose",
    confirm: "Enter confirm",
    select: "Space select",
    selectByEnter: "Enter select",
    ownText: "type your own",
    leaveOut: "Ctrl-X leave out",
    tabs: "Tab next question",
    toAnswers: "← back to the questions",
    toOwnText: "Tab own text",
    clear: "Esc clear",
    decline: "Esc decline",
    read: "Ctrl-E show all",
    scroll: "↑↓ Space scroll",
    ends: "Home End",
    back: "Esc back",
  },
  position: (first: number, last: number, all: number) => `${first}–${last} of ${all}`,
};

export type PanelWords = typeof en;

const zh: PanelWords = {
  waiting: (count) => `还有 ${count} 个待处理`,
  callsWait: (count) => `有 ${count} 个调用在等待此回答`,
  othersAnswer: (names) => (names.length === 1 ? `${names[0]} 也在作答` : `另有 ${names.length} 人也在作答`),
  timeLeft: (seconds) => `剩余 ${timeZh(seconds)}`,
  comma: "，",
  colon: "：",
  note: (text) => `（${text}）`,
  remark: (text) => `（${text}）`,
  onExpiry: { cancel: "超时后自动放弃", default: "超时后采用默认选项" },
  tab: (number) => `问题${number}`,
  reviewTab: "提交",
  selectSeveral: "（可多选）",
  field: fieldWords.zh,
  recommended: "推荐",
  default: "默认",
  other: "其他",
  typeHere: "请输入内容",
  submit: "提交",
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
    back: "Esc 返回",
  },
  position: (first, last, all) => `第 ${first}–${last} 行，共 ${all} 行`,
};

export const panelWords: Readonly<Record<TerminalLanguage, PanelWords>> = { en, zh };

/** A time in the largest unit of which there are at least two, so that the last two minutes are counted in seconds. */
function largestUnit(seconds: number): [number, "s" | "min" | "h"] {
  if (seconds >= 7_200) return [Math.floor(seconds / 3_600), "h"];
  if (seconds >= 120) return [Math.floor(seconds / 60), "min"];
  return [Math.max(0, Math.ceil(seconds)), "s"];
}

const timeEn = (seconds: number) => largestUnit(seconds).join(" ");

const unitsZh = { s: "秒", min: "分钟", h: "小时" };

function timeZh(seconds: number): string {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${unitsZh[unit]}`;
}
