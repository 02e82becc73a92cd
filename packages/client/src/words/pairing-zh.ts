// The words of the sheet that adds a phone in Chinese.
import type { PairingWords } from "./pairing-en.js";

export const chinesePairing: PairingWords = {
  title: "添加手机",
  asking: "正在向服务器请求配对码…",
  qr: "含配对码的地址，二维码形式",
  scan: "用相机扫描，或在手机上输入",
  counts: (left) => `仅可使用一次，${left} 内有效`,
  whose: "手机归谁使用？其回答将署此名。",
  may: "它可以做什么",
  mays: { all: "回答、发消息和停止", answer: "只能回答" },
  readable:
    "未加密：同一网络中的其他人可以读取手机上显示的内容。要使用 https，请用 --tls-cert 和 --tls-key 启动服务器，或将其置于 TLS 之后并用 --public-url 指定该地址。",
  paired: (device) => `已由 ${device} 使用。`,
  over: "此配对码已失效。",
  another: "生成新的配对码",
  unreachable: "只有本机能访问此服务器，手机无法访问。请用以下选项之一重新启动：",
  failed: (why) => `没有配对码：${why}`,
};
