import { type ConnectionChange, RequestSettled } from "@askwire/client";
import { languages, terminalWords } from "@askwire/client/words";
import { type Outcome, outcomeReasons } from "@askwire/protocol";
import { expect, test } from "vitest";
import { connectionLine } from "../../src/terminal/connection-line.js";
import { whyGone } from "../../src/terminal/settled-elsewhere.js";
import { TerminalTranscript } from "../../src/terminal/transcript.js";
import { readTypedLine } from "../../src/terminal/typed-line.js";

const plain = (_style: string, text: string) => text;
const zh = terminalWords.zh;

type Event = Parameters<TerminalTranscript["event"]>[0];

/** The text of these events in a Chinese transcript. */
function written(...events: [type: string, payload: object][]): string {
  let text = "";
  const output = {
    write(more: string) {
      text += more;
    },
  };
  const transcript = new TerminalTranscript(output, plain, zh);
  for (const [type, payload] of events) transcript.event({ type, payload } as Event);
  transcript.freshLine();
  return text;
}

const subAgent = (type: string, payload: object): [string, object] => [
  "SubagentEvent",
  { parent_tool_call_id: "tc", agent_id: "a", subagent_type: "explore", event: { type, payload } },
];
const call = (name: string, args: object) => ({
  type: "function",
  id: "tc",
  function: { name, arguments: JSON.stringify(args) },
});
const said = { name: "Ann", connection: "c" };
const questions = [{ question: "Which database?", header: "数据库", options: [{ label: "SQLite" }] }];
const retry = { n: 1, next_attempt: 2, max_attempts: 3, error_type: "APIStatusError", wait_s: 2 };
const hook = { event: "PreToolUse", target: "Shell", action: "block", duration_ms: 1 };
const diff = { type: "diff", path: "数据.txt", old_text: "1\n", new_text: "1\n二\n", is_summary: false };
const result = (...display: object[]) => ({
  tool_call_id: "tc",
  return_value: { is_error: false, output: "", message: "", display },
});

test.each<[string, [string, object][], string]>([
  [
    "a prompt of another client, and what is no text of it",
    [["TurnBegin", { user_input: [{ type: "image_url", image_url: { url: "x" } }] }]],
    "（来自其他客户端）[图片]\n",
  ],
  [
    "a prompt, and who wants no questions, by the door's word and by a client's own (P-WHO-3)",
    [
      ["TurnBegin", { user_input: "hi", by: { ...said, principal: { id: "1", name: "Zoë", via: "token" } } }],
      ["DoNotAsk", { enabled: false, by: said }],
    ],
    "（来自 Zoë）hi\n（恢复提问，来自 Ann 中的用户）\n",
  ],
  ["a plan", [["PlanDisplay", { content: "# First\n", file_path: "plan.md" }]], "计划（plan.md）\n# First\n"],
  [
    "plan mode",
    [
      ["StatusUpdate", { plan_mode: true }],
      ["StatusUpdate", { plan_mode: false }],
    ],
    "（计划模式已开启）\n（计划模式已关闭）\n",
  ],
  [
    "a step that is tried again",
    [["StepRetry", { ...retry, status_code: 503 }]],
    "（2 秒后重试，503：第 2 次，共 3 次）\n",
  ],
  ["a step that is interrupted", [["StepInterrupted", {}]], "（这一步被中断）\n"],
  [
    "a conversation that is summed up",
    [
      ["CompactionBegin", {}],
      ["CompactionEnd", {}],
    ],
    "（正在压缩对话历史）\n（对话历史已压缩）\n",
  ],
  [
    "a hook that blocks",
    [
      ["HookResolved", { ...hook, reason: "no rm" }],
      ["HookResolved", { ...hook, target: "", reason: "" }],
    ],
    "（PreToolUse 钩子阻止了 Shell：no rm）\n（PreToolUse 钩子阻止了操作）\n",
  ],
  [
    "a notification",
    [["Notification", { severity: "warning", title: "构建", body: "失败" }]],
    "（警告）构建：失败\n",
  ],
  [
    "a call that asks, also a sub-agent's",
    [
      ["ToolCall", call("AskUserQuestion", { questions })],
      subAgent("ToolCall", call("ask_user", { question: "Which port?" })),
      subAgent("ToolCall", call("ReadFile", { path: "a.txt" })),
    ],
    "• 智能体有问题想问你：数据库\n  • ask_user Which port?\n  • ReadFile a.txt\n",
  ],
  [
    "the result of a call",
    [
      [
        "ToolResult",
        result(
          { type: "brief", text: "3 个任务" },
          { type: "todo", items: [{ title: "读取", status: "done" }] },
          { type: "shell", language: "bash", command: "make\nmake test" },
          { type: "background_task", task_id: "b", kind: "shell", status: "running", description: "服务" },
          diff,
        ),
      ],
    ],
    "  ↳ 3 个任务\n  [x] 读取\n  $ make\n  make test\n  服务：运行中\n  ↳ 数据.txt +1 -0\n",
  ],
])("a Chinese transcript shows %s", (_what, events, text) => {
  expect(written(...events)).toBe(text);
});

test("the result of a question is shown in full, however long it is", () => {
  const answer = `● Which database?\u2028 → ${"数据库 ".repeat(400)}`;
  const shown = written(["ToolResult", result({ type: "brief", text: answer })]);
  expect(shown).toBe(`  ↳ ${answer.replace("\u2028", "\\u{2028}")}\n`);
});

test("an emoji whose parts come one after the other stays one emoji", () => {
  const says = (text: string): [string, object] => ["ContentPart", { type: "text", text }];
  const thinks = (think: string): [string, object] => ["ContentPart", { type: "think", think }];
  expect(written(says("👩"), says("\u200d💻 a"), says("\u200db"))).toBe("👩\u200d💻 a\\u{200d}b\n");
  expect(written(says("👩"), thinks("\u200d"))).toBe("👩\n\\u{200d}\n");
});

const changes: ConnectionChange[] = [
  { state: "connected", reset: false },
  { state: "lost", cause: new Error("closed\u200b"), retryInMs: 1 },
  { state: "lost", retryInMs: 2 },
  { state: "connected", reset: false },
  { state: "lost", retryInMs: 1 },
  { state: "connected", reset: true },
  { state: "closed" },
];

test("a lost connection is reported once, and its return as well", () => {
  const [en, chinese] = languages.map((language) => {
    const told = connectionLine(terminalWords[language].chat);
    return changes.map(told).filter((line) => line !== undefined);
  });
  expect(en).toEqual([
    "(the connection is lost, trying again: closed\\u{200b})",
    "(connected again)",
    "(the connection is lost, trying again: no reason was given)",
    "(connected again; the server was restarted, or too much was missed)",
  ]);
  expect(chinese).toEqual([
    "（连接已断开，正在重连：closed\\u{200b}）",
    "（已重新连接）",
    "（连接已断开，正在重连：原因不明）",
    "（已重新连接；服务器重启过，或遗漏的内容过多）",
  ]);
});

const at = "2026-01-01T00:00:00Z";
const client = { name: "browser\u202e", connection: "c" };

test.each<[Outcome | string, string, string]>([
  [
    { status: "answered", by: "human", client, at },
    "somebody in browser\\u{202e} answered it",
    "browser\\u{202e} 中的用户 已回答",
  ],
  [
    { status: "declined", reason: "dismissed", by: "human", client, at },
    "somebody in browser\\u{202e} declined it",
    "browser\\u{202e} 中的用户 已拒绝",
  ],
  [
    { status: "answered", by: "human", client, at, principal: { id: "1", name: "Ann\u202e", via: "token" } },
    "Ann\\u{202e} answered it",
    "Ann\\u{202e} 已回答",
  ],
  [
    { status: "answered", by: "human", client, at, principal: { id: "local", name: "root", via: "local" } },
    "somebody in browser\\u{202e} answered it",
    "browser\\u{202e} 中的用户 已回答",
  ],
  [{ status: "answered", by: "policy", at }, "a rule of the session answered it", "会话规则已自动回答"],
  [{ status: "answered", by: "system", at }, "it was answered", "已有回答"],
  [{ status: "expired", reason: "deadline", by: "timer", at }, "its time is over", "已超时"],
  [{ status: "withdrawn", reason: "interrupted", by: "human", at }, "the turn was cancelled", "本轮已取消"],
  [
    { status: "withdrawn", reason: "superseded", by: "system", at },
    "a newer question took its place",
    "已被新的问题取代",
  ],
  [
    { status: "unavailable", reason: "client_lost", by: "system", at },
    "the connection was lost for too long",
    "已撤销：客户端已断开",
  ],
  ["it was settled elsewhere", "it was settled elsewhere", "已在别处处理"],
  ["the connection closed", "the connection closed", "连接已关闭"],
  ["the server was restarted", "the server was restarted", "服务器已重启"],
  ["too much was missed", "too much was missed", "遗漏的内容过多"],
  ["something else", "something else", "something else"],
])("the reason why a request is gone is said in both languages: %j", (outcome, english, chinese) => {
  const reason =
    typeof outcome === "string" ? new RequestSettled(outcome) : new RequestSettled("it was settled", outcome);
  expect(whyGone(reason, terminalWords.en.asked)).toBe(english);
  expect(whyGone(reason, zh.asked)).toBe(chinese);
});

test("every reason of an outcome has Chinese words", () => {
  for (const [status, reasons] of Object.entries(outcomeReasons)) {
    for (const reason of reasons) {
      const outcome = { status, reason, by: "system", at } as Outcome;
      expect(whyGone(new RequestSettled("it was settled", outcome), zh.asked)).not.toMatch(/[a-z]/i);
    }
  }
});

test("the effect of a line at the prompt is explained in Chinese, and the agent's commands are unchanged", () => {
  const commands = [{ name: "clear", description: "Forget the conversation", aliases: ["reset"] }];
  const shown = (line: string) => readTypedLine(line, commands, zh.chat);
  expect(shown("/help")).toEqual({
    kind: "show",
    lines: [
      "  /clear    Forget the conversation（也可用 /reset）",
      "  /help     显示本帮助",
      "  /output   显示上一次调用的全部输出，Ctrl-O 亦可；加编号可看其他调用的输出",
      "  /copy     按原文复制上一个回答",
      "  /history  显示问过什么、答过什么",
      "  /decline  拒绝回答",
      "  /exit     退出",
    ],
  });
  expect(shown("/output")).toEqual({ kind: "show", lines: ["没有这样的输出。"], isOutput: true });
  expect(zh.chat.moreOutput(3, "/output", false)).toBe("… 还有 3 行（/output 显示全部）");
  expect(zh.chat.moreOutput(3, "/output", true)).toBe("… 还有 3 行（/output 显示未截去的部分）");
  expect(zh.chat.moreOutput(0, "/output", false)).toBe("（/output 显示完整的行）");
  expect(shown("/nope")).toEqual({
    kind: "show",
    lines: ["没有 /nope 命令，输入 /help 查看可用命令。若要原样发送，请在前面加一个空格。"],
  });
  expect(zh.chat.nothingAsked).toBe("当前没有待回答的问题。");
  expect(shown("/reset now")).toEqual({ kind: "command", text: "/reset now" });
});
