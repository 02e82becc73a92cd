import {
  answer,
  answerError,
  approve,
  call,
  calls,
  during,
  initialize,
  lines,
  prompt,
  type Step,
  scenario,
  see,
  settle,
  shell,
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
      ...during(
        "p1",
        ...responses.map((response): Step => ({ do: "answer", type: "ToolCallRequest", response })),
      ),
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
    steps: [...initialize({ external_tools: [greet] }), ...during("p1", answer("ToolCallRequest", value()))],
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
      ...during(
        "p1",
        answer("ToolCallRequest", value()),
        answer("ToolCallRequest", value()),
        answer("ToolCallRequest", value()),
      ),
    ],
  }),
  scenario("external tools/two calls, cancelled", {
    scripts: [
      lines(calls("greet", { name: "a" }, "tc-1"), calls("greet", { name: "b" }, "tc-2")),
      "text: next",
    ],
    steps: [
      ...initialize({ external_tools: [greet] }),
      ...during(
        "p1",
        see("request ToolCallRequest"),
        see("request ToolCallRequest"),
        ...call("stop", "cancel"),
      ),
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
    steps: [...initialize({ external_tools: [greet] }), ...during("p1", answer("ToolCallRequest", value()))],
  }),
  scenario("external tools/same id in a later turn", {
    scripts: [calls("greet", { name: "a" }), "text: x", calls("greet", { name: "b" }), "text: y"],
    steps: [
      ...initialize({ external_tools: [greet] }),
      ...during("p1", answer("ToolCallRequest", value())),
      ...during("p2", answer("ToolCallRequest", value())),
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
    scripts: [shell("echo 1"), shell("exit 1", "tc-2"), "text: done"],
    steps: [
      ...initialize({ hooks: allEvents.map((event) => hook(event)) }),
      ...during("p1", allow, allow, allow, allow, allow, allow),
    ],
  }),
  scenario("hooks/tool blocked", {
    args: ["--yolo"],
    scripts: [shell("echo 1"), shell("echo 2", "tc-2"), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse", { matcher: "Shell" }), hook("PostToolUseFailure")] }),
      ...during("p1", block(), block("")),
    ],
  }),
  scenario("hooks/prompt blocked", {
    scripts: ["text: never"],
    steps: [
      ...initialize({ hooks: [hook("UserPromptSubmit")] }),
      ...during("p1", block()),
      prompt("p2", [{ type: "text", text: "parts" }]),
      block(""),
      see("response p2"),
    ],
  }),
  scenario("hooks/stop blocked", {
    scripts: ["text: one", "text: two", "text: three"],
    steps: [
      ...initialize({ hooks: [hook("Stop")] }),
      ...during("p1", block("go on")),
      ...during("p2", block("")),
    ],
  }),
  scenario("hooks/answered oddly", {
    args: ["--yolo"],
    scripts: [1, 2, 3, 4, 5, 6].map((n) => shell(`echo ${n}`, `tc-${n}`)).concat("text: done"),
    steps: [
      ...initialize({ hooks: [hook("PreToolUse")] }),
      ...during(
        "p1",
        answerError("HookRequest", { code: 1, message: "no" }),
        answer("HookRequest", null),
        answer("HookRequest", { action: "block", reason: "no id" }),
        answer("HookRequest", { request_id: "$id", action: "maybe" }),
        answer("HookRequest", { request_id: "other", action: "block", reason: "other id" }),
        answer("HookRequest", { request_id: "$id" }),
      ),
    ],
  }),
  scenario("hooks/not answered in time", {
    args: ["--yolo"],
    scripts: [shell("echo 1"), "text: done"],
    steps: [...initialize({ hooks: [hook("PreToolUse", { timeout: 1 })] }), ...during("p1"), block(), settle],
  }),
  scenario("hooks/two of one event", {
    args: ["--yolo"],
    scripts: [shell("echo 1"), "text: done"],
    steps: [
      ...initialize({
        hooks: [
          { id: "h-1", event: "PreToolUse" },
          { id: "h-2", event: "PreToolUse", matcher: "She" },
          { id: "h-3", event: "PreToolUse", matcher: "Write.*" },
        ],
      }),
      ...during("p1", allow, block("second")),
    ],
  }),
  scenario("hooks/failed step", {
    scripts: ["error: 400 bad"],
    steps: [...initialize({ hooks: [hook("StopFailure"), hook("Stop")] }), ...during("p1"), settle],
  }),
  scenario("hooks/cancelled while asked", {
    scripts: [shell("echo 1"), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse")] }),
      ...during("p1", see("request HookRequest"), ...call("stop", "cancel")),
      allow,
      settle,
    ],
  }),
  scenario("hooks/approval after a hook", {
    scripts: [shell("echo 1"), "text: done"],
    steps: [
      ...initialize({ hooks: [hook("PreToolUse"), hook("PostToolUse")] }),
      ...during("p1", allow, approve("approve"), allow),
    ],
  }),
  scenario("hooks/end of the session", {
    scripts: ["text: x"],
    steps: [...initialize({ hooks: [hook("SessionEnd")] }), ...turn("p1")],
  }),
];
