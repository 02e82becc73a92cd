// The words about push notifications in Chinese.
import type { PushWords } from "./push-words.js";

export const chinesePush: PushWords = {
  asked: (kind, header) => {
    const name = kind === "question" ? "提问" : "审批";
    return header === "" ? name : `${name}：${header}`;
  },
  settled: "已无需处理",
  tested: "通知可以送达此设备。",
  heading: "页面关闭时",
  on: "向此设备推送通知",
  busy: "请稍候…",
  shows: {
    none: "通知只说明有新请求。",
    header: "通知显示问题的标题，或待审批的操作。",
    full: "通知显示问题及其选项。",
  },
  learns: "通知经浏览器厂商的推送服务送达。该服务知道发送的时间和大小，但不知道内容。",
  hindered: {
    insecure: "推送通知需要 https，或本机自身的地址。",
    unsupported: "此浏览器不支持为本页面推送通知。",
    denied:
      "浏览器已设为不显示本页面的通知。请通过地址旁的图标或系统设置打开此网站的设置，允许通知，然后返回本页面。",
    unpaired:
      "只有已配对的设备才能收到推送通知。请先配对：扫描 askwire serve --qr 显示的二维码，或用 --open 打开本页面。",
    elsewhere: "推送通知只来自提供本页面的服务器。请打开另一台服务器自己的页面。",
    unserved: "服务器没有回应。请检查它是否在运行，然后重试。",
  },
  homeScreen: "在 iPhone 或 iPad 上，只有主屏幕上的应用才能收到推送通知：",
  homeScreenSteps: [
    "在 Safari 中轻点“共享”，然后选择“添加到主屏幕”。",
    "从主屏幕打开 Askwire。",
    "它与 Safari 的页面相互独立：请在其中重新配对，再回到这些设置。",
  ],
  again: "重试",
  remembers: "为此，此设备会被记住。",
  failed: {
    taken: "另一台设备正在使用这一订阅。请重试。",
    host: "服务器不向此浏览器的推送服务发送消息。请用 --push-host 允许其主机：",
    browser: "浏览器无法连接其推送服务。请检查网络，然后重试。",
    server: "服务器未能完成操作。请重试。",
  },
  quiet: "免打扰时段",
  from: "从",
  until: "到",
  later: "时段结束时仍在等待的请求会在那时通知。",
  mute: "不接收此会话的通知",
  test: "发送测试通知",
  sent: "测试通知已发送，几秒内送达。",
  tooSoon: "刚刚发送过测试通知，请等几秒。",
  undelivered: (why) => `测试通知未能发送：${why}`,
};
