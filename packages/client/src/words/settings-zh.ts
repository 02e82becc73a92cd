// The words of the page's settings in Chinese.
import type { SettingsWords } from "./settings-en.js";

export const chineseSettings: SettingsWords = {
  groups: { told: "提醒", looks: "外观", device: "此设备" },
  asking: "智能体的提问",
  askings: { unset: "由各会话决定", ask: "新会话中可以提问", doNotAsk: "新会话中不要提问" },
  sound: "有新请求时播放声音",
  notify: "有新请求且本页面不在前台时发送通知",
  noNotice: {
    insecure: "通知需要 https，或本机自身的地址。",
    unsupported: "此浏览器不支持本页面的通知。",
    denied: "浏览器已被设为不显示本页面的通知，可在浏览器设置中更改。",
  },
  remember: "关闭标签页后仍记住此设备",
  rememberAt: (host) => `关闭标签页后仍在 ${host} 记住此设备`,
  forget: "忘记令牌并离开",
  forgetAll: "忘记所有令牌并离开",
};
