// The words of the inbox, in Chinese.
import { largestUnit } from "./any-language.js";
import { failure } from "./apart-zh.js";
import type { InboxWords } from "./inbox-en.js";

const units = { s: "秒", min: "分钟", h: "小时" };
const time = (seconds: number): string => {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${units[unit]}`;
};

export const inboxChinese: InboxWords = {
  title: "等待你处理",
  way: (count) => (count === 0 ? "收件箱" : `收件箱（${count}）`),
  empty: "没有等待你处理的内容。",
  emptyNext: "智能体提出的请求会自动出现在这里。你可以新建会话，或进入已有会话。",
  loading: "正在查找等待处理的内容…",
  noLonger: (why) => `列表不再更新：${why}。请重新加载页面。`,
  question: "提问",
  approval: "审批",
  due: "即将到期",
  oldest: "等待中",
  since: (seconds) => (seconds < 60 ? "刚刚" : `已等待 ${time(seconds)}`),
  left: (seconds) => (seconds <= 0 ? "时间已到" : `剩余 ${time(seconds)}`),
  asks: (name) => `${name} 提出`,
  isAnswering: (names) => `${names.join("、")} 正在回答`,
  kept: "已保留：打开时恢复其会话",
  untitled: "尚无内容",
  place: (folder, host) => [folder, host].filter((part) => part !== "").join(" @ "),
  newSession: "新建会话",
  next: (text) => `下一个：${text}`,
  notDone: (why) => `未完成：${why}`,
  list: "待处理列表",
  failure,
  row: "此请求",
  begin: {
    title: (folder) => (folder === undefined ? "要做什么？" : `要在 ${folder} 中做什么？`),
    asks: "需要批准的操作，智能体会先征求你的同意；有疑问时也会提问。两者都会显示在这里，等待你处理。",
    comes: "正在获取对话…",
    suggestions: [
      "说明这个项目的结构，以及从哪里开始阅读。",
      "运行测试，并修复失败的部分。",
      "查看最近的改动，指出可能的问题。",
    ],
  },
};
