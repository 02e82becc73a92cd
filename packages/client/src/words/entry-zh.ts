// The words of the page without a token in Chinese, apart from the page's others: a page loads them with its entry.
import type { EntryWords } from "./entry-en.js";

export const chineseEntry: EntryWords = {
  entrance: "将本页面连接到智能体",
  howTo: "在智能体所在的机器上运行以下命令之一：",
  howToOpen: "在那台机器的浏览器中打开本页面",
  howToScan: "显示可用手机扫描的二维码",
  entry: "地址或配对码",
  connect: "连接",
  howToAdd: "请粘贴另一台服务器显示的地址，或带配对码的地址。本页面可以连接：",
  howToLetIn: "在那台服务器所在的机器上允许本页面连接",
  backTo: (host) => `返回 ${host}`,
  problems: {
    refused: "配对码有误、已被使用或已过期。请获取新的配对码。",
    too_many: "尝试次数过多。请等一分钟再试。",
    failed: "无法联系服务器。请确认它正在运行，然后重试。",
    other_server: "该地址属于另一台服务器：请在浏览器中打开它，或用 --page-server 允许本页面连接。",
    which_server: "可能指多台服务器之一：请粘贴完整地址。",
    nothing: "这不是带令牌的地址，也不是配对码。",
  },
};
