import type { TerminalLanguage } from "./language.js";

const en = {
  /** The first line, before the content. */
  fromProject: (name: string) =>
    `The agent ${name} comes from a file of this project. It would run as you, and could do all that you can:`,
  changed: "(it has changed since it was approved)",
  file: "file",
  folder: "folder",
  command: "command",
  protocol: "protocol",
  inherits: "inherits",
  variables: "variables",
  /** The protocol that the agent's first answer reveals. */
  foundOut: "found out when it starts",
  noKeys: "no keys",
  none: "none",
  /** The last line, after the content. */
  filesMayChange: "Files of the project that it runs may change later without another question.",
  approve: "Approve this command?",
  serverOfProject: (name: string) =>
    `${name}, a server of MCP, comes from a file of this project. It would run as you, and could do all that you can:`,
  serverAtAddress: (name: string) =>
    `${name}, a server of MCP, comes from a file of this project. The agent would send it what its tools are called with:`,
  address: "address",
  headers: "headers",
  timeout: "timeout",
  approveServer: "Approve this server?",
};

export type AgentWords = typeof en;

const zh: AgentWords = {
  fromProject: (name) => `代理 ${name} 来自本项目的文件。它将以你的身份运行，能做你能做的一切：`,
  changed: "（自批准以来内容已更改）",
  file: "文件",
  folder: "目录",
  command: "命令",
  protocol: "协议",
  inherits: "继承",
  variables: "变量",
  foundOut: "启动时识别",
  noKeys: "无密钥",
  none: "无",
  filesMayChange: "它运行的项目文件之后可能更改，不会再次询问。",
  approve: "批准此命令？",
  serverOfProject: (name) => `MCP 服务器 ${name} 来自本项目的文件。它将以你的身份运行，能做你能做的一切：`,
  serverAtAddress: (name) => `MCP 服务器 ${name} 来自本项目的文件。代理会把调用其工具的内容发送给它：`,
  address: "地址",
  headers: "标头",
  timeout: "超时",
  approveServer: "批准此服务器？",
};

/** The texts about agents whose command a person approves, by language. */
export const agentWords: Readonly<Record<TerminalLanguage, AgentWords>> = { en, zh };
