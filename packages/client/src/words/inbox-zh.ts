// The words of the inbox, in Chinese.
import { largestUnit } from "./any-language.js";
import { failure } from "./apart-zh.js";
import { decidedChinese } from "./decided-zh.js";
import type { InboxWords } from "./inbox-en.js";
import { toldInChinese as told } from "./told-zh.js";

const number = (count: number): string => count.toLocaleString("en");
const units = { s: "秒", min: "分钟", h: "小时" };
const time = (seconds: number): string => {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${units[unit]}`;
};

export const inboxChinese: InboxWords = {
  told,
  title: "等待你处理",
  way: (count) => (count === 0 ? "收件箱" : `收件箱（${number(count)}）`),
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
  somebodyIn: (client) => `${client} 中的用户`,
  isAnswering: (names) => `${names.join("、")} 正在回答`,
  isTaken: (name) => `${name} 已认领`,
  isOwn: "你已认领",
  isFor: (names) => `面向 ${names.join("、")}`,
  isForOthers: (names) => `仅 ${names.join("、")} 可以回答`,
  escalated: "已升级",
  mustApprove: (needed, names) =>
    names.length === 0
      ? `需要 ${needed} 人批准`
      : `${names.join("、")} 已批准，还需 ${needed - names.length} 人`,
  take: "认领",
  giveBack: "放回",
  more: (count, left) => `再显示 ${number(count)} 项，共剩 ${number(left)} 项`,
  kept: "已保留：打开时恢复其会话",
  untitled: "尚无内容",
  place: (folder, host) => [folder, host].filter((part) => part !== "").join(" @ "),
  newSession: "新建会话",
  next: (text) => `下一个：${text}`,
  fromElsewhere: "你在另一台设备上开始填写的内容已在此处。",
  choose: "选择后在此打开。",
  filter: {
    search: "搜索待处理内容",
    kind: "类型",
    kinds: { all: "全部", mine: "我的", toMe: "给我的", question: "提问", approval: "审批", kept: "已保留" },
    found: (shown, all) => `显示 ${number(shown)} / ${number(all)} 项`,
  },
  decided: decidedChinese,
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
  over: {
    revoked: {
      title: "此设备已被撤销。",
      next: "服务器不再允许此设备连接。请在智能体所在的机器上获取新的配对码。",
    },
    token: {
      title: "服务器拒绝了令牌。",
      next: "除非服务器保存令牌，否则每次启动都会更换。请输入最近一次启动时显示的地址，或输入配对码。",
    },
    session: { title: "服务器上已没有这个会话。", next: "它已被关闭，或其文件已不存在。" },
    kept: { title: "服务器已重新启动，并保留了这个会话。", next: "对话会恢复，其中未完成的请求也会恢复。" },
    replaced: { title: "本页面的另一个连接已接替。", next: "重新加载页面即可在此继续。" },
    ended: { title: "会话已关闭。", next: "有人为所有人关闭了它。" },
    failed: { title: "连接已结束。", next: "重新加载页面以再次尝试。" },
    unsent: "继续之前，请复制尚未发送的内容：离开本页后将不再保留。",
    words: "尚未发送给智能体",
  },
};
