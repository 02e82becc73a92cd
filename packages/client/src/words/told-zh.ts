// The lines and placeholders that our own tools write, in Chinese. A tool writes in English and does not know who reads
// it; an interface shows the words of its language where it knows the text, and else the text.

const texts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "Or type your thoughts...": "或输入你的想法...",
    // The action of an approval.
    "run command": "运行命令",
    "edit file": "修改文件",
    // The commands of a session.
    "Forget the conversation so far": "忘记此前的对话",
    "Replace the conversation so far by a summary": "用摘要替换此前的对话",
    "Plan mode: look and plan, change nothing (on, off, or toggle)":
      "计划模式：只查看和计划，不做修改（on、off 或切换）",
    "Approve every action without asking (on, off, or toggle)": "不再询问，批准所有操作（on、off 或切换）",
    "Nobody is there to answer (on, off, or toggle)": "无人值守，不回答提问（on、off 或切换）",
    "Already in plan mode": "已在计划模式中",
    "Asked in the background": "已在后台提问",
    "Auto-dismissed (afk)": "无人值守，已自动跳过",
    "Client is gone": "客户端已离开",
    "Client unsupported": "客户端不支持提问",
    Denied: "已拒绝",
    "Disk cannot be written": "无法写入磁盘",
    "Edit refused": "修改未被接受",
    "Hook blocked": "已被钩子阻止",
    "Invalid arguments": "参数无效",
    "Invalid choices": "选项无效",
    "Invalid context": "调用环境无效",
    "Invalid question": "问题无效",
    "Invalid tool result": "工具结果无效",
    "MCP call failed": "MCP 调用失败",
    "No answer": "没有回答",
    "No question": "缺少问题",
    "Nobody present": "没有用户在场",
    "Not approved": "未获批准",
    "Not available": "不可用",
    "Not for sub-agents": "子智能体不可用",
    "Not given": "未提供",
    "Not in plan mode": "不在计划模式中",
    "Not started": "未能启动",
    "Not to be asked": "用户不希望被提问",
    "Plan approved": "计划已批准",
    "Plan mode on": "计划模式已开启",
    "Plan mode stays off": "计划模式未开启",
    "Plan not approved": "计划未获批准",
    "Plan rejected": "计划已拒绝",
    "Plan to be revised": "计划需要修改",
    "Question expired": "问题已过期",
    "Question failed": "提问失败",
    "Question not saved": "问题未能保存",
    "Question superseded": "问题已被新问题取代",
    "Question withdrawn": "问题已撤回",
    "Questions are off": "提问已关闭",
    "Refused in plan mode": "计划模式中不允许",
    "Rejected by policy": "已被规则拒绝",
    "Rejected by user": "已被用户拒绝",
    "Result too long": "结果过长",
    "Second question": "一次只能提一个问题",
    "Server does not run": "服务器未运行",
    "Too many calls": "调用过多",
    "Too many questions": "问题过多",
    "Tool failed": "工具失败",
    "Tool not there": "工具不存在",
    "Unknown tool": "未知工具",
    "User answered": "用户已回答",
    "User declined": "用户已拒绝",
    "User dismissed": "用户关闭了问题",
    "User wants to discuss": "用户想先讨论",
    "Wire unavailable": "未连接用户",
    "Wrong parameters": "参数有误",
  }),
);

/** Texts with a part of their own, which stays as it is. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [
    /^User answered \((\d+) suggestions?, where (\d+) to (\d+) are advised\)$/,
    "用户已回答（$1 个建议，一般为 $2 到 $3 个）",
  ],
  [
    /^Askwire tried to use \w+ without value for required parameter '(\w+)'\. Retrying\.\.\.$/,
    "缺少必需的参数 '$1'，正在重试",
  ],
  [/^Failed to parse operations: Failed to parse XML: (.*)$/s, "无法解析操作：$1"],
  [/^Failed to read the arguments of (\w+): (.*)$/s, "无法读取 $1 的参数：$2"],
  [/^Wrote (.+)$/s, "已写入 $1"],
  [/^Exit code (\d+)$/, "退出码 $1"],
  [/^Ended by (\w+)$/, "被 $1 终止"],
  [/^Stopped after (\d+) s$/, "$1 秒后被停止"],
  [/^Rejected: (.+)$/s, "已拒绝：$1"],
  [/^(\w+): run command$/, "$1：运行命令"],
  [/^(\w+): edit file$/, "$1：修改文件"],
  [/^Create the file (.+)$/s, "新建文件 $1"],
  [/^Change the file (.+)$/s, "修改文件 $1"],
  [/^Run the command (.+)$/s, "运行命令 $1"],
];

/** The text of a tool in Chinese, where it is one of ours. */
export function toldInChinese(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const pattern = patterns.find(([form]) => form.test(text));
  return pattern === undefined ? text : text.replace(...pattern);
}
