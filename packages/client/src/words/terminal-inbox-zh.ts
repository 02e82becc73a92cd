// The words of the inbox in a terminal, in Chinese.
import { largestUnit } from "./any-language.js";
import type { TerminalInboxWords } from "./terminal-inbox-en.js";

const units = { s: "秒", min: "分钟", h: "小时" };
const time = (seconds: number): string => {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${units[unit]}`;
};

const number = (count: number): string => count.toLocaleString("en");

export const terminalInboxChinese: TerminalInboxWords = {
  title: "等待你处理",
  some: (listed, all) => `${number(listed)} / ${number(all)}`,
  empty: "没有等待你处理的内容。",
  looking: "正在查找等待处理的内容…",
  question: "提问",
  approval: "审批",
  untitled: "智能体",
  age: (seconds) => (seconds < 60 ? "刚刚" : time(seconds)),
  shortAge: (seconds) => (seconds < 60 ? "刚刚" : time(seconds).replaceAll(" ", "")),
  left: (seconds) => (seconds <= 0 ? "时间已到" : `剩余 ${time(seconds)}`),
  somebodyIn: (client) => `${client} 中的用户`,
  isAnswering: (names) => `${names.join("、")} 正在回答`,
  isTaken: (name) => `${name} 已认领`,
  isTakenIn: (client) => `${client} 中的用户已认领`,
  isOwn: "你已认领",
  isFor: (names) => `面向 ${names.join("、")}`,
  isForOthers: (names) => `仅限 ${names.join("、")}`,
  escalated: "已升级",
  mustApprove: (needed, names) =>
    names.length === 0
      ? `需要 ${needed} 人批准`
      : `${names.join("、")} 已批准，还需 ${needed - names.length} 人`,
  notTaken: (why) => `（未认领：${why}）`,
  notGivenBack: (why) => `（未放回：${why}）`,
  places: (count) => `${count} 个服务器`,
  away: (name, why) => `${name} 已离线：${why}`,
  unlisted: (name, why) => `${name} 未列出：${why}`,
  ended: (name, waiting) => `（${name} 已结束，还有 ${waiting} 个请求未答复；已保留的会话会重新列出）`,
  gateway: "你的网关",
  kept: "已保留的会话",
  above: (count) => `↑ 还有 ${count} 项`,
  below: (count) => `↓ 还有 ${count} 项`,
  opening: "正在打开…",
  sending: "正在发送你的回答…",
  keys: {
    move: "↑↓ 移动",
    open: "Enter 打开",
    take: "t 认领",
    giveBack: "g 放回",
    leave: "q 退出",
    back: "Esc 返回",
  },
  inPanel: {
    back: "Esc 返回",
    decline: "Ctrl-D 拒绝",
    nothingChosen: "请至少选择一项，或按 Ctrl-D 拒绝。",
    nothingChosenOrTyped: "请至少选择一项或输入回答，或按 Ctrl-D 拒绝。",
    blankText: "请先输入回答，或按 Ctrl-D 拒绝。",
    declineAgain: (questions) => `再按一次 Ctrl-D ${questions === 1 ? "拒绝" : "全部拒绝"}。`,
  },
  notOpened: (why) => `（未打开：${why}）`,
  notThere: (asked) => `（该请求已不再等待）${asked}`,
  counted: (all, listed) =>
    all === 0
      ? "没有等待你处理的内容。"
      : `有 ${number(all)} 项等待你处理${listed < all ? `，列出前 ${number(listed)} 项` : ""}：`,
  line: (number, kind, who, times, text) => `${number}. ${who} 的${kind}，${times}：${text}`,
  since: (seconds) => (seconds < 60 ? "刚刚" : `已等待 ${time(seconds)}`),
  taken: (number, what) => `${number}：${what}。`,
  free: (number) => `${number} 已放回。`,
  gone: (number) => `${number} 不再等待。`,
  howToOpen:
    "输入编号打开，输入 t 加编号认领，输入 g 加编号放回，按 Enter 重听列表，输入 q 退出。按 Ctrl-C 返回，不作任何决定。",
  noSuchNumber: (said) => `没有 ${said}：请输入某一行的编号。`,
};
