// The words in Chinese that a page has in each language from the start.
import type { FailureWords } from "./apart-en.js";

export const failure: FailureWords = {
  failed: (part) => `${part}无法显示。你填写的内容已保留。`,
  why: (message) => `原因：${message}`,
  again: "重新显示",
  wentWrong: "出现了错误。你填写的内容已保留。",
  close: "关闭",
  parts: {
    question: "此问题",
    approval: "此审批",
    aside: "此卡片",
    conversation: "对话",
    entry: "对话的这一部分",
    prompt: "输入框",
    sessions: "会话列表",
    session: "此会话",
    waiting: "待处理列表",
    request: "此请求",
    connection: "连接状态",
  },
};

export const recommended = "推荐";
