import type { NoNotice } from "../attention/notices.js";
import type { Ending } from "../connection/page-connection.js";
import type { Language } from "../kept/settings.js";
import type { EntranceProblem } from "../page/visits.js";

const en = {
  title: "Askwire",
  /** The title of the tab while something waits. */
  waiting: (count: number, title: string) => `(${count}) ${title}`,
  /** The way to the sessions, with the number of others that wait for a person. */
  sessions: (waiting: number) => (waiting === 0 ? "Sessions" : `Sessions (${waiting} waiting)`),
  settings: "Settings",
  close: "Close",
  /** Leaves the list of sessions, where "Close" would be about a session. */
  back: "Back",
  connecting: "Connecting…",
  connected: "Connected",
  lost: "The connection is lost. What you entered stays here.",
  nextTry: (seconds: number) => `Next try in ${seconds} s`,
  trying: "Trying again…",
  tryNow: "Try now",
  otherVersion:
    "The server runs another version than this page. Load the page anew; what you entered is kept.",
  otherVersionThere:
    "Connected. That server runs another version than this page: some things may be missing.",
  reload: "Load anew",
  notLoaded: "A part of the page could not be loaded: the server may have another version by now.",
  readable: "This connection is not encrypted: others in this network can read it.",
  endings: {
    token: "The server refused the token. It makes a new one with each start, unless it keeps one.",
    session: "The server does not have this session any more.",
    replaced: "Another connection of this page took over.",
    ended: "The session was closed.",
    failed: "The connection is over.",
  } satisfies Record<Ending, string>,
  enterAnew: "Enter another address or code",
  newSession: "Begin a new session",
  entrance: "Connect this page to an agent",
  howTo: "On the machine where the agent works, run one of these:",
  howToOpen: "opens this page in the browser there",
  howToScan: "shows a code that a phone scans",
  entry: "Address or pairing code",
  connect: "Connect",
  pairing: "Exchanging the pairing code…",
  addServer: "Add a server",
  howToAdd:
    "Paste the address that the other server printed, or one with a pairing code. This page may reach:",
  howToLetIn: "lets this page in, on the machine of that server",
  /** Followed by the option that lets this page in. */
  letIn: "Check that the server runs, and lets this page in with",
  /** The way back from where another server is entered. */
  backTo: (host: string) => `Back to ${host}`,
  forgetServer: "Forget this server",
  problems: {
    refused: "The pairing code is wrong, was used before, or is too old. Ask for a new one.",
    too_many: "Too many tries. Wait a minute, then try again.",
    failed: "The server could not be asked. Check that it runs, then try again.",
    other_server:
      "That address belongs to another server: open it in the browser, or let this page reach it by --page-server.",
    which_server: "Several servers may be meant: paste the whole address.",
    nothing: "That is no address with a token, and no pairing code.",
  } satisfies Record<EntranceProblem, string>,
  open: (count: number) => (count === 1 ? "1 request waits" : `${count} requests wait`),
  nothingOpen: "Nothing waits for you.",
  arrived: (text: string, count: number) =>
    count === 1 ? `New: ${text}` : `New: ${text}. ${count} requests wait.`,
  draftComes: "Your work on this question is being fetched…",
  picturesGone: "The browser keeps pictures of yours no more: add them again.",
  picturesUnkept:
    "The browser does not keep your pictures: they last until this page is closed or loaded anew.",
  language: "Language",
  asBrowser: "as the browser",
  languages: { en: "English", zh: "中文" } satisfies Record<Language, string>,
  theme: "Look",
  themes: { system: "as the system", light: "light", dark: "dark" },
  sound: "Sound when something is asked",
  notify: "Notification when something is asked and this page is not in front",
  noNotice: {
    insecure: "Notifications need https, or an address of this machine itself.",
    unsupported: "This browser has no notifications for this page.",
    denied: "The browser was told to show none for this page. Its settings can change that.",
  } satisfies Record<NoNotice, string>,
  paired: "This device is paired until the tab is closed.",
  rememberDevice: "Remember this device",
  remembered: "This device is paired and remembered.",
  remember: "Remember this device after the tab is closed",
  rememberAt: (host: string) => `Remember this device at ${host} after the tab is closed`,
  forget: "Forget the token and leave",
  forgetAll: "Forget all tokens and leave",
};

/** The words of the page in one language. */
export type PageWords = typeof en;

const zh: PageWords = {
  title: "Askwire",
  waiting: (count, title) => `(${count}) ${title}`,
  sessions: (waiting) => (waiting === 0 ? "会话" : `会话（${waiting} 个等待处理）`),
  settings: "设置",
  close: "关闭",
  back: "返回",
  connecting: "正在连接…",
  connected: "已连接",
  lost: "连接已断开。你填写的内容会保留在这里。",
  nextTry: (seconds) => `${seconds} 秒后重试`,
  trying: "正在重试…",
  tryNow: "立即重试",
  otherVersion: "服务器的版本与本页面不同。请重新加载页面；你填写的内容会保留。",
  otherVersionThere: "已连接。该服务器的版本与本页面不同：部分功能可能不可用。",
  reload: "重新加载",
  notLoaded: "页面的一部分无法加载：服务器可能已更换版本。",
  readable: "此连接未加密：同一网络中的其他人可以读取内容。",
  endings: {
    token: "服务器拒绝了令牌。除非服务器保存令牌，否则每次启动都会更换。",
    session: "服务器上已没有这个会话。",
    replaced: "本页面的另一个连接已接替。",
    ended: "会话已关闭。",
    failed: "连接已结束。",
  },
  enterAnew: "输入另一个地址或配对码",
  newSession: "开始新会话",
  entrance: "将本页面连接到智能体",
  howTo: "在智能体所在的机器上运行以下命令之一：",
  howToOpen: "在那台机器的浏览器中打开本页面",
  howToScan: "显示可用手机扫描的二维码",
  entry: "地址或配对码",
  connect: "连接",
  pairing: "正在交换配对码…",
  addServer: "添加服务器",
  howToAdd: "请粘贴另一台服务器显示的地址，或带配对码的地址。本页面可以连接：",
  howToLetIn: "在那台服务器所在的机器上允许本页面连接",
  letIn: "请确认服务器正在运行，并已允许本页面连接：",
  backTo: (host) => `返回 ${host}`,
  forgetServer: "忘记此服务器",
  problems: {
    refused: "配对码有误、已被使用或已过期。请获取新的配对码。",
    too_many: "尝试次数过多。请等一分钟再试。",
    failed: "无法联系服务器。请确认它正在运行，然后重试。",
    other_server: "该地址属于另一台服务器：请在浏览器中打开它，或用 --page-server 允许本页面连接。",
    which_server: "可能指多台服务器之一：请粘贴完整地址。",
    nothing: "这不是带令牌的地址，也不是配对码。",
  },
  open: (count) => `${count} 个请求等待处理`,
  nothingOpen: "没有等待你处理的请求。",
  arrived: (text, count) =>
    count === 1 ? `新请求：${text}` : `新请求：${text}。共 ${count} 个请求等待处理。`,
  draftComes: "正在取回你填写的内容…",
  picturesGone: "浏览器已不再保存你添加的图片：请重新添加。",
  picturesUnkept: "浏览器无法保存你的图片：关闭或重新加载本页面后图片将丢失。",
  language: "语言",
  asBrowser: "跟随浏览器",
  languages: { en: "English", zh: "中文" },
  theme: "外观",
  themes: { system: "跟随系统", light: "浅色", dark: "深色" },
  sound: "有新请求时播放声音",
  notify: "有新请求且本页面不在前台时发送通知",
  noNotice: {
    insecure: "通知需要 https，或本机自身的地址。",
    unsupported: "此浏览器不支持本页面的通知。",
    denied: "浏览器已被设为不显示本页面的通知，可在浏览器设置中更改。",
  },
  paired: "此设备已配对，关闭标签页后失效。",
  rememberDevice: "记住此设备",
  remembered: "此设备已配对并被记住。",
  remember: "关闭标签页后仍记住此设备",
  rememberAt: (host) => `关闭标签页后仍在 ${host} 记住此设备`,
  forget: "忘记令牌并离开",
  forgetAll: "忘记所有令牌并离开",
};

/** The words of the page, by language. */
export const pageWords: Readonly<Record<Language, PageWords>> = { en, zh };
