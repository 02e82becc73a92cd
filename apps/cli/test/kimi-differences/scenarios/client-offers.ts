import {
  answer,
  answerError,
  approve,
  call,
  calls,
  initialize,
  lines,
  prompt,
  type Step,
  scenario,
  see,
  settle,
  turn,
} from "../scenario.js";

const greet = {
  name: "greet",
  description: "Greets.",
  parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
const value = (more: object = {}) => ({
  tool_call_id: "$id",
  return_value: { is_error: false, output: "Hello", message: "greeted", display: [], ...more },
});
const answered = (what: string, ...responses: object[]) =>
  scenario(`external tools/${what}`, {
    scripts: responses
      .map((_, index) => calls("greet", { name: `A${index}` }, `tc-${index + 1}`))
      .concat("text: done"),
    steps: [
      ...initialize({ external_tools: [greet] }),
      prompt("p1", "go"),
      ...responses.map((response): Step => ({ do: "answer", type: "ToolCallRequest", response })),
      see("response p1"),
    ],
  });
const ok = (more: object = {}) => ({ result: value(more) });

export const externalTools = [
  answered(
    "answered well",
    ok(),
    ok({
      output: [
        { type: "text", text: "parts" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
      ],
    }),
    ok({ is_error: true, output: "", message: "failed" }),
    ok({ extras: { a: { b: [1, null] } } }),
    ok({
      display: [
        { type: "brief", text: "x" },
        { type: "diff", path: "/a", old_text: "1", new_text: "2" },
        { type: "todo", items: [{ title: "t", status: "done" }] },
        { type: "shell", language: "sh", command: "ls" },
        { type: "background_task", task_id: "1", kind: "k", status: "s", description: "d" },
        { type: "custom", a: 1, b: { c: 2 } },
      ],
    }),
    { result: { ...value(), tool_call_id: "other" } },
    ok({ output: "", message: "" }),
    ok({ more: 1 }),
  ),
  answered(
    "answered wrongly",
    { result: null },
    { result: {} },
    { result: { return_value: value().return_value } },
    { result: { tool_call_id: "$id" } },
    ok({ display: undefined }),
    ok({ output: 5 }),
    ok({ is_error: "maybe" }),
    ok({ message: null }),
    ok({ display: [{ text: "x" }] }),
    ok({ output: [{ type: "text" }] }),
    ok({ display: [{ type: "todo", items: [{ title: "t", status: "other" }] }] }),
    { error: { code: -32601, message: "no such" } },
    { error: { code: 1, message: "" } },
  ),
  scenario("external tools/arguments", {
    scripts: [
      calls("greet", {}, "tc-1"),
      calls("greet", { name: 5 }, "tc-2"),
      calls("greet", "{broken", "tc-3"),
      calls("greet", "[]", "tc-4"),
      'tool_call: {"id": "tc-5", "name": "greet"}',
      calls("greet", '{"name":  "spaces kept"}', "tc-6"),
      "text: done",
    ],
    steps: [
      ...initialize({ external_tools: [greet] }),
      prompt("p1", "go"),
      answer("ToolCallRequest", value()),
      see("response p1"),
    ],
  }),
  scenario("external tools/without arguments", {
    scripts: [
      'tool_call: {"id": "tc-1", "name": "free"}',
      calls("free", "", "tc-2"),
      "text: between",
      "text: done",
    ],
    steps: [
      ...initialize({ external_tools: [{ name: "free", description: "", parameters: {} }] }),
      prompt("p1", "go"),
      answer("ToolCallRequest", value()),
      answer("ToolCallRequest", value()),
      answer("ToolCallRequest", value()),
      see("response p1"),
    ],
  }),
  scenario("external tools/two calls, cancelled", {
    scripts: [
      lines(calls("greet", { name: "a" }, "tc-1"), calls("greet", { name: "b" }, "tc-2")),
      "text: next",
    ],
    steps: [
      ...initialize({ external_tools: [greet] }),
      prompt("p1", "go"),
      see("request ToolCallRequest"),
      see("request ToolCallRequest"),
      ...call("stop", "cancel"),
      see("response p1"),
      answer("ToolCallRequest", value()),
      settle,
      ...turn("p2"),
      ...call("replay", "replay"),
    ],
  }),
  scenario("external tools/equal calls", {
    scripts: [
      lines(calls("greet", { name: "a" }, "tc-1"), calls("greet", { name: "a" }, "tc-2")),
      "text: next",
    ],
    steps: [
      ...initialize({ external_tools: [greet] }),
      prompt("p1", "go"),
      answer("ToolCallRequest", value()),
      see("response p1"),
    ],
  }),
  scenario("external tools/same id in a later turn", {
    scripts: [calls("greet", { name: "a" }), "text: x", calls("greet", { name: "b" }), "text: y"],
    steps: [
      ...initialize({ external_tools: [greet] }),
      prompt("p1", "go"),
      answer("ToolCallRequest", value()),
      see("response p1"),
      prompt("p2", "go"),
      answer("ToolCallRequest", value()),
      see("response p2"),
    ],
  }),
];

const hook = (event: string, more: object = {}) => ({ id: `h-${event}`, event, ...more });
const allow = answer("HookRequest", { request_id: "$id", action: "allow", reason: "" });
const block = (reason = "not now") => answer("HookRequest", { request_id: "$id", action: "block", reason });
const allEvents = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SessionStart",
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "Notification",
];

export const hooks = [
  scenario("hooks/all of a turn allowed", {
    args: ["--yolo"],
    scripts: [
      calls("Shell", { command: "echo 1" }),
      calls("Shell", { command: "exit 1" }, "tc-2"),
      "text: done",
    ],
    steps: [
      ...initialize({ hooks: allEvents.map((event) => hook(event)) }),
      prompt("p1", "go"),
      allow,
      allow,
      allow,
      allow,
      allow,
      allow,
      see("response p1"),
    ],
  }),
  scenario("hooks/tool blocked", {
    args: ["--yolo"],
    scripts: [
      calls("Shell", { command: "echo 1" }),
      calls("Shell", { command: "echo 2" }, "tc-2"),
      "text: done",
    ],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse", { matcher: "Shell" }), hook("PostToolUseFailure")] }),
      prompt("p1", "go"),
      block(),
      block(""),
      see("response p1"),
    ],
  }),
  scenario("hooks/prompt blocked", {
    scripts: ["text: never"],
    steps: [
      ...initialize({ hooks: [hook("UserPromptSubmit")] }),
      prompt("p1", "go"),
      block(),
      see("response p1"),
      prompt("p2", [{ type: "text", text: "parts" }]),
      block(""),
      see("response p2"),
    ],
  }),
  scenario("hooks/stop blocked", {
    scripts: ["text: one", "text: two", "text: three"],
    steps: [
      ...initialize({ hooks: [hook("Stop")] }),
      prompt("p1", "go"),
      block("go on"),
      see("response p1"),
      prompt("p2", "go"),
      block(""),
      see("response p2"),
    ],
  }),
  scenario("hooks/answered oddly", {
    args: ["--yolo"],
    scripts: [1, 2, 3, 4, 5, 6]
      .map((n) => calls("Shell", { command: `echo ${n}` }, `tc-${n}`))
      .concat("text: done"),
    steps: [
      ...initialize({ hooks: [hook("PreToolUse")] }),
      prompt("p1", "go"),
      answerError("HookRequest", { code: 1, message: "no" }),
      answer("HookRequest", null),
      answer("HookRequest", { action: "block", reason: "no id" }),
      answer("HookRequest", { request_id: "$id", action: "maybe" }),
      answer("HookRequest", { request_id: "other", action: "block", reason: "other id" }),
      answer("HookRequest", { request_id: "$id" }),
      see("response p1"),
    ],
  }),
  scenario("hooks/not answered in time", {
    args: ["--yolo"],
    scripts: [calls("Shell", { command: "echo 1" }), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse", { timeout: 1 })] }),
      prompt("p1", "go"),
      see("response p1"),
      block(),
      settle,
    ],
  }),
  scenario("hooks/two of one event", {
    args: ["--yolo"],
    scripts: [calls("Shell", { command: "echo 1" }), "text: done"],
    steps: [
      ...initialize({
        hooks: [
          { id: "h-1", event: "PreToolUse" },
          { id: "h-2", event: "PreToolUse", matcher: "She" },
          { id: "h-3", event: "PreToolUse", matcher: "Write.*" },
        ],
      }),
      prompt("p1", "go"),
      allow,
      block("second"),
      see("response p1"),
    ],
  }),
  scenario("hooks/failed step", {
    scripts: ["error: 400 bad"],
    steps: [
      ...initialize({ hooks: [hook("StopFailure"), hook("Stop")] }),
      prompt("p1", "go"),
      see("response p1"),
      settle,
    ],
  }),
  scenario("hooks/cancelled while asked", {
    scripts: [calls("Shell", { command: "echo 1" }), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse")] }),
      prompt("p1", "go"),
      see("request HookRequest"),
      ...call("stop", "cancel"),
      see("response p1"),
      allow,
      settle,
    ],
  }),
  scenario("hooks/approval after a hook", {
    scripts: [calls("Shell", { command: "echo 1" }), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse"), hook("PostToolUse")] }),
      prompt("p1", "go"),
      allow,
      approve("approve"),
      allow,
      see("response p1"),
    ],
  }),
  scenario("hooks/end of the session", {
    scripts: ["text: x"],
    steps: [...initialize({ hooks: [hook("SessionEnd")] }), ...turn("p1")],
  }),
];
