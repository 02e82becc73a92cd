import type { ContentPart, SessionState, Word } from "@askwire/protocol";

/** The names in Chinese of values of the wire. Others stay as they came. */
const chinese = {
  part: new Map<string, string>(
    Object.entries({
      image_url: "图片",
      audio_url: "音频",
      video_url: "视频",
    } satisfies Record<Exclude<ContentPart["type"], "text" | "think">, string>),
  ),
  severity: new Map([
    ["info", "提示"],
    ["success", "成功"],
    ["warning", "警告"],
    ["error", "错误"],
  ]),
  status: new Map([
    ["pending", "待办"],
    ["in_progress", "进行中"],
    ["done", "已完成"],
    ["created", "已创建"],
    ["starting", "正在启动"],
    ["running", "运行中"],
    ["completed", "已完成"],
    ["failed", "失败"],
    ["killed", "已终止"],
    ["lost", "已失联"],
  ]),
};

/** The states of a session. A newer server's word stays as it came. */
const stateWords = new Map<string, { readonly en: string; readonly zh: string }>(
  Object.entries({
    idle: { en: "idle", zh: "空闲" },
    running: { en: "works", zh: "运行中" },
    waiting: { en: "waits", zh: "等待中" },
  } satisfies Record<SessionState, unknown>),
);

const en = {
  /** The type of a part of a message without text, such as `image_url`. */
  part: (type: string): string => `[${type}]`,
  /** The severity of a notification. */
  severity: (severity: string): string => severity,
  /** The status of an entry of a list, or of a task in the background. */
  status: (status: string): string => status.replaceAll("_", " "),
  sessionState: (state: Word<SessionState>): string => stateWords.get(state)?.en ?? state,
  /** The requests that are open in a session, and the minutes since the oldest. */
  waitsFor: (open: number, minutes: number): string =>
    `waits for ${open === 1 ? "an answer" : `${open} answers`}, since ${minutes === 0 ? "less than a minute" : `${minutes} min`}`,
};

/** The words for values of the wire that a person sees, in one language. */
export type ValueWords = typeof en;

const zh: ValueWords = {
  part: (type) => `[${chinese.part.get(type) ?? type}]`,
  severity: (severity) => chinese.severity.get(severity) ?? severity,
  status: (status) => chinese.status.get(status) ?? status.replaceAll("_", " "),
  sessionState: (state) => stateWords.get(state)?.zh ?? state,
  waitsFor: (open, minutes) =>
    `等待 ${open} 个回答，已等${minutes === 0 ? "不到 1 分钟" : ` ${minutes} 分钟`}`,
};

/** The words for values of the wire, by language. */
export const valueWords: Readonly<Record<"en" | "zh", ValueWords>> = { en, zh };
