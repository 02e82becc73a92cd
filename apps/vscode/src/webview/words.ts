// The texts of the view, except those of the cards and the conversation.

const en = {
  none: "No agent is running in this window.",
  start: "Start the agent",
  starting: "The agent starts…",
  printed: (text: string) => `It has said so far: ${text}`,
  lost: (why: string) => `The connection is lost and tried again. ${why}`,
  ended: (why: string) => `The agent has ended. ${why}`,
  restart: "Restart",
  showLog: "Show log",
  openSettings: "Open settings",
  sessions: "Sessions",
  untitled: "New session",
  waits: (open: number) => `${open} open`,
  difference: "Show the difference in the editor",
  outside: (path: string) => `Outside of the workspace: ${path}`,
  attach: "Attach files…",
  attached: "Attached to the next prompt",
  remove: (name: string) => `Remove ${name}`,
  open: (count: number) => (count === 1 ? "1 open" : `${count} open`),
  cards: "What waits for you",
  /** The parts of the view, at the beginning of a sentence. */
  parts: {
    view: "The view",
    state: "The state of the agent",
    requests: "The list of requests",
    request: "This request",
    attached: "The list of attached files",
    sessions: "The list of sessions",
  },
  tooLarge: "This is too large to be sent: send less, or a smaller picture.",
};

/** The words of the view, in one language. */
export type ViewWords = typeof en;

const zh: ViewWords = {
  none: "此窗口中没有运行的智能体。",
  start: "启动智能体",
  starting: "智能体正在启动…",
  printed: (text) => `目前的输出：${text}`,
  lost: (why) => `连接已断开，正在重试。${why}`,
  ended: (why) => `智能体已结束。${why}`,
  restart: "重新启动",
  showLog: "显示日志",
  openSettings: "打开设置",
  sessions: "会话",
  untitled: "新会话",
  waits: (open) => `${open} 项待处理`,
  difference: "在编辑器中显示差异",
  outside: (path) => `不在工作区内：${path}`,
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

export const viewWords: Readonly<Record<"en" | "zh", ViewWords>> = { en, zh };
