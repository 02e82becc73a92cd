import {
  call,
  calls,
  during,
  end,
  initialize,
  plainQuestion,
  scenario,
  see,
  sessionId,
  settle,
  shell,
  turn,
} from "../scenario.js";

const tool = (name: string, parameters: unknown = { type: "object", properties: {} }) => ({
  name,
  description: "A tool.",
  parameters,
});
const version = { protocol_version: "1.10" };

export const handshake = [
  scenario("initialize/variants", {
    steps: [
      ...call("none", "initialize"),
      ...call("null", "initialize", null),
      ...call("list", "initialize", []),
      ...call("no version", "initialize", {}),
      ...call("number", "initialize", { protocol_version: 1.1 }),
      ...call("only version", "initialize", version),
      ...call("late", "initialize", { protocol_version: "99.0" }),
      ...call("odd", "initialize", { protocol_version: "" }),
      ...call("nulls", "initialize", {
        ...version,
        ...{ client: null, external_tools: null, hooks: null, capabilities: null },
      }),
      ...call("unknown", "initialize", {
        ...version,
        client: { name: "x", more: 1 },
        capabilities: { supports_question: true, more: { a: 1 } },
        more: [],
      }),
      ...call("client name", "initialize", { ...version, client: { version: "1" } }),
      ...call("client text", "initialize", { ...version, client: "x" }),
      ...call("client version", "initialize", { ...version, client: { name: "x", version: null } }),
      ...call("client number", "initialize", { ...version, client: { name: "x", version: 1 } }),
      ...call("lax", "initialize", {
        ...version,
        capabilities: { supports_question: "yes", supports_plan_mode: 1 },
      }),
      ...call("strict", "initialize", { ...version, capabilities: { supports_question: "maybe" } }),
      ...call("null member", "initialize", { ...version, capabilities: { supports_question: null } }),
      ...call("capabilities list", "initialize", { ...version, capabilities: [] }),
    ],
  }),
  scenario("initialize/external tools", {
    steps: [
      ...call("empty", "initialize", { ...version, external_tools: [] }),
      ...call("one", "initialize", { ...version, external_tools: [tool("greet")] }),
      ...call("builtin", "initialize", { ...version, external_tools: [tool("Shell")] }),
      ...call("again", "initialize", { ...version, external_tools: [tool("greet"), tool("greet")] }),
      ...call("names", "initialize", { ...version, external_tools: [tool(""), tool("a b"), tool("日本")] }),
      ...call("schemas", "initialize", {
        ...version,
        external_tools: [
          tool("s1", { type: "nonsense" }),
          tool("s2", {}),
          tool("s3", { type: "array" }),
          tool("s4", { type: "object", required: "x" }),
          tool("s5", { properties: 1 }),
          tool("s6", { type: "object", minimum: "x" }),
          tool("s7", { type: "object", unknownKeyword: 1 }),
          tool("s8", { type: "object", properties: { a: { $ref: "#/$defs/a" } } }),
          tool("s9", { type: "object", properties: { a: { pattern: "(" } } }),
          tool("s10", { $schema: "http://json-schema.org/draft-07/schema#", type: "object" }),
        ],
      }),
      ...call("no description", "initialize", {
        ...version,
        external_tools: [{ name: "x", parameters: {} }],
      }),
      ...call("no parameters", "initialize", {
        ...version,
        external_tools: [{ name: "x", description: "" }],
      }),
      ...call("parameters list", "initialize", { ...version, external_tools: [tool("x", [])] }),
      ...call("object", "initialize", { ...version, external_tools: {} }),
      ...call("name number", "initialize", { ...version, external_tools: [{ ...tool("x"), name: 1 }] }),
    ],
  }),
  scenario("initialize/hooks", {
    steps: [
      ...call("empty", "initialize", { ...version, hooks: [] }),
      ...call("one", "initialize", { ...version, hooks: [{ id: "h1", event: "PreToolUse" }] }),
      ...call("unknown", "initialize", { ...version, hooks: [{ id: "h2", event: "Unknown" }] }),
      ...call("more", "initialize", {
        ...version,
        hooks: [
          { id: "h3", event: "Stop", matcher: "x", timeout: 5 },
          { id: "h4", event: "Stop" },
          { id: "h5", event: "PreToolUse", matcher: "" },
        ],
      }),
      ...call("no id", "initialize", { ...version, hooks: [{ event: "Stop" }] }),
      ...call("no event", "initialize", { ...version, hooks: [{ id: "h" }] }),
      ...call("timeout text", "initialize", {
        ...version,
        hooks: [{ id: "h6", event: "Notification", timeout: "5" }],
      }),
      ...call("timeout half", "initialize", {
        ...version,
        hooks: [{ id: "h7", event: "Notification", timeout: 1.5 }],
      }),
      ...call("matcher null", "initialize", {
        ...version,
        hooks: [{ id: "h8", event: "Stop", matcher: null }],
      }),
      ...call("same id", "initialize", {
        ...version,
        hooks: [
          { id: "same", event: "PostToolUse" },
          { id: "same", event: "PostToolUse" },
        ],
      }),
      ...call("bad matcher", "initialize", {
        ...version,
        hooks: [{ id: "h9", event: "PostToolUseFailure", matcher: "(" }],
      }),
    ],
  }),
  scenario("initialize/during a turn", {
    scripts: [calls("WriteFile", { path: "a.txt", content: "a" })],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request ApprovalRequest"),
        ...initialize({}, "again"),
        ...call("replay", "replay"),
        ...call("p2", "prompt", { user_input: "x" }),
        ...call("plan", "set_plan_mode", { enabled: true }),
        ...call("stop", "cancel"),
      ),
    ],
  }),
  scenario("initialize/capabilities kept or reset", {
    scripts: [plainQuestion(), "text: done", calls("EnterPlanMode", {}), "text: done"],
    steps: [
      ...initialize(),
      ...call("reset", "initialize", { ...version, capabilities: {} }),
      ...turn("p1"),
      ...initialize({}, "i2"),
      ...call("kept", "initialize", version),
      ...during("p2", see("request QuestionRequest"), ...call("stop", "cancel")),
    ],
  }),
];

export const flags = [
  scenario("flags/none of the model", {
    config: { default_model: "" },
    steps: [...initialize(), ...turn("p1"), ...turn("p2", "/clear"), ...turn("p3", "/plan on")],
  }),
  scenario("flags/unknown model", { args: ["--model", "other"], steps: [settle] }),
  scenario("flags/unknown default model", { config: { default_model: "other" }, steps: [settle] }),
  scenario("flags/unknown provider", {
    config: { models: { scripted: { provider: "other", model: "m", max_context_size: 1000 } } },
    steps: [settle],
  }),
  scenario("flags/model, thinking", {
    scripts: ["text: x"],
    args: ["--model", "scripted", "--thinking", "--auto-approve"],
    steps: [...initialize(), ...turn("p1")],
  }),
  scenario("flags/unknown flag", { args: ["--nonsense"], steps: [settle] }),
  scenario("flags/max steps", {
    scripts: [calls("SetTodoList", {}), calls("SetTodoList", {}, "tc-2"), "text: x"],
    args: ["--max-steps-per-turn", "2"],
    steps: [...initialize(), ...turn("p1"), ...turn("p2")],
  }),
  scenario("flags/session", {
    args: ["--session", sessionId],
    scripts: ["text: x"],
    steps: [...initialize(), ...turn("p1"), end("eof")],
  }),
  scenario("flags/continue without a session", {
    args: ["--continue"],
    scripts: ["text: x"],
    steps: [...initialize(), ...turn("p1")],
  }),
  ...[
    ["extended", "extend: default\n  exclude_tools:\n    - kimi_cli.tools.shell:Shell"],
    [
      "of its own",
      "name: own\n  system_prompt_path: ./own.md\n  tools:\n    - kimi_cli.tools.todo:SetTodoList",
    ],
  ].map(([what, agent]) =>
    scenario(`flags/agent file ${what}`, {
      args: ["--agent-file", "$work/agent.yaml", "--yolo"],
      files: { "agent.yaml": `version: 1\nagent:\n  ${agent}\n`, "own.md": "You are an agent." },
      scripts: [
        shell("echo 1", "tc-1"),
        calls("ReadFile", { path: "own.md" }, "tc-2"),
        calls("SetTodoList", { todos: [{ title: "a", status: "done" }] }, "tc-3"),
        "text: x",
      ],
      steps: [...initialize(), ...turn("p1")],
    }),
  ),
  scenario("flags/agent file that is missing", {
    args: ["--agent-file", "$work/missing.yaml"],
    steps: initialize(),
  }),
  scenario("flags/unused folders", {
    args: ["--skills-dir", "$work", "--no-thinking"],
    scripts: ["text: x"],
    steps: [...initialize(), ...turn("p1")],
  }),
  scenario("flags/config without loop_control", {
    config: { loop_control: {} },
    scripts: ["text: x"],
    steps: [...initialize(), ...turn("p1")],
  }),
];
