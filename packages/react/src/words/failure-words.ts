const en = {
  /** Says that a part cannot be shown, by its name. */
  failed: (part: string) => `${part} cannot be shown. What you entered is kept.`,
  /** The reason, as the program gave it. */
  why: (message: string) => `The reason: ${message}`,
  again: "Show it again",
  wentWrong: "Something went wrong. What you entered is kept.",
  close: "Close",
  parts: {
    question: "This question",
    approval: "This approval",
    aside: "This card",
    conversation: "The conversation",
    entry: "This part of the conversation",
    prompt: "The place to write",
    sessions: "The list of sessions",
    session: "This session",
    waiting: "The list of what waits for you",
    request: "This request",
  },
};

/** The words for what fails, in one language. */
export type FailureWords = typeof en;

const zh: FailureWords = {
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
  },
};

/** The words for what fails, by language. */
export const failureWords: Readonly<Record<"en" | "zh", FailureWords>> = { en, zh };
