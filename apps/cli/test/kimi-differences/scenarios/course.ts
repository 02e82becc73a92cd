import {
  answer,
  approve,
  call,
  calls,
  during,
  end,
  initialize,
  type Launch,
  lines,
  plainAnswer,
  plainQuestion,
  prompt,
  request,
  type Scenario,
  type Step,
  scenario,
  see,
  send,
  sessionId,
  settle,
  shell,
  turn,
} from "../scenario.js";

const usage = (tokens: number) => `usage: input_other=${tokens} output=5`;

export const course = [
  scenario("steer/during a question", {
    scripts: [plainQuestion(), "text: then", "text: more"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        ...call("s1", "steer", { user_input: "one" }),
        ...call("s2", "steer", { user_input: [{ type: "text", text: "two" }] }),
        ...call("s3", "steer", { user_input: "" }),
        ...call("s4", "steer", { user_input: 5 }),
        plainAnswer,
      ),
      ...call("s5", "steer", { user_input: "late" }),
    ],
  }),
  scenario("steer/in the last step", {
    scripts: [shell("sleep 1"), "text: then", "text: after"],
    args: ["--yolo"],
    steps: [
      ...initialize(),
      ...during("p1", see("event StatusUpdate"), ...call("s1", "steer", { user_input: "more" })),
    ],
  }),
  scenario("steer/with a picture to a text model", {
    capabilities: [],
    scripts: [plainQuestion(), "text: then"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        ...call("s1", "steer", {
          user_input: [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }],
        }),
        plainAnswer,
      ),
    ],
  }),
  scenario("steer/dropped by a cancel", {
    scripts: [plainQuestion(), "text: then", "text: more"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        ...call("s1", "steer", { user_input: "lost" }),
        ...call("stop", "cancel"),
      ),
      ...turn("p2"),
    ],
  }),
  scenario("cancel/at an approval", {
    scripts: [shell("echo 1"), "text: next"],
    steps: [
      ...initialize(),
      ...during("p1", see("request ApprovalRequest"), request("stop", "cancel"), request("stop 2", "cancel")),
      approve("approve"),
      settle,
      ...turn("p2"),
    ],
  }),
  scenario("cancel/while a command runs", {
    args: ["--yolo"],
    scripts: [shell("sleep 20"), "text: next"],
    steps: [
      ...initialize(),
      ...during("p1", see("event StatusUpdate"), ...call("stop", "cancel", { any: 1 })),
      ...turn("p2"),
    ],
  }),
  scenario("cancel/one done, one open", {
    args: ["--yolo"],
    scripts: [lines(calls("SetTodoList", { todos: [] }, "tc-0"), plainQuestion()), "text: next"],
    steps: [
      ...initialize(),
      ...during("p1", see("request QuestionRequest"), see("event ToolResult"), ...call("stop", "cancel")),
      ...turn("p2"),
      ...call("replay", "replay"),
    ],
  }),
  scenario("cancel/by $/cancelRequest", {
    scripts: [plainQuestion(), "text: next"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request QuestionRequest"),
        send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "p1" } }),
        plainAnswer,
      ),
    ],
  }),
  scenario("steer/of a client of 1.2", {
    scripts: [shell("sleep 1"), "text: then", "text: after"],
    args: ["--yolo"],
    steps: [
      ...call("init", "initialize", { protocol_version: "1.2", capabilities: {} }),
      ...during("p1", see("event StatusUpdate"), ...call("s1", "steer", { user_input: "more" })),
    ],
  }),
  scenario("cancel/idle", {
    scripts: ["text: x"],
    steps: [
      ...call("c0", "cancel"),
      ...initialize(),
      ...call("c1", "cancel"),
      ...turn("p1"),
      ...call("c2", "cancel", []),
      ...call("c3", "steer", { user_input: "x" }),
    ],
  }),
  scenario("errors/of the provider", {
    scripts: [
      "error: 400 bad request",
      "error: 401 who are you",
      "error: 403 no",
      "error: 404",
      "error: 429 slow down",
      "error: 500 broken",
      "error: connection lost",
      "error: timeout slow",
      "error: connection",
      lines("text: said", "error: 500 late"),
      "error: nonsense",
      "error:",
    ],
    steps: [...initialize(), ...Array.from({ length: 12 }, (_, index) => turn(`p${index + 1}`)).flat()],
  }),
  scenario("errors/retried", {
    config: { loop_control: { max_retries_per_step: 3 } },
    scripts: [
      "error: 429 slow",
      "error: connection gone",
      "text: at last",
      "error: 500 a",
      "error: timeout b",
      "error: 503 c",
      "error: 400 never again",
      "text: end",
    ],
    steps: [...initialize(), ...turn("p1"), ...turn("p2"), ...turn("p3"), ...turn("p4")],
  }),
  scenario("errors/statuses that are retried", {
    config: { loop_control: { max_retries_per_step: 2 } },
    scripts: [429, 500, 502, 503, 504].flatMap((status) => [`error: ${status} no`, "text: fine"]),
    steps: [...initialize(), ...Array.from({ length: 5 }, (_, index) => turn(`p${index + 1}`)).flat()],
  }),
  scenario("errors/statuses that are not", {
    config: { loop_control: { max_retries_per_step: 2 } },
    scripts: [400, 401, 403, 404, 410, 413, 422, 425].map((status) => `error: ${status} no`),
    steps: [...initialize(), ...Array.from({ length: 8 }, (_, index) => turn(`p${index + 1}`)).flat()],
  }),
  ...[408, 409, 529, 501].map((status) =>
    scenario(`errors/status ${status}`, {
      config: { loop_control: { max_retries_per_step: 2 } },
      scripts: [`error: ${status} no`, "text: fine"],
      steps: [...initialize(), ...turn("p1")],
    }),
  ),
  scenario("errors/retries by default", {
    config: { loop_control: {} },
    scripts: ["error: 500 a", "error: 500 b", "error: 500 c", "error: 500 d", "error: 500 e", "text: end"],
    steps: [...initialize(), ...turn("p1")],
  }),
  scenario("errors/after a tool", {
    scripts: [calls("SetTodoList", { todos: [] }), "error: 400 bad", "text: next"],
    steps: [...initialize(), ...turn("p1"), ...turn("p2")],
  }),
  scenario("errors/content that the model does not take", {
    capabilities: [],
    scripts: ["text: x"],
    steps: [
      ...initialize(),
      ...turn("p1", [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }]),
      ...turn("p2", [{ type: "video_url", video_url: { url: "ms://x" } }]),
      ...turn("p3", [{ type: "audio_url", audio_url: { url: "ms://x" } }]),
      ...turn("p4", [
        { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } },
        { type: "video_url", video_url: { url: "ms://x" } },
      ]),
      ...turn("p5", [{ type: "think", think: "x" }]),
    ],
  }),
  scenario("errors/thinking model", {
    capabilities: ["thinking", "image_in"],
    scripts: [lines("think: hm", "text: x"), "think: only", "text: y"],
    steps: [
      ...initialize(),
      ...turn("p1"),
      ...turn("p2"),
      ...turn("p3", [{ type: "video_url", video_url: { url: "x" } }]),
    ],
  }),
  scenario("steps/too many", {
    config: { loop_control: { max_steps_per_turn: 1, max_retries_per_step: 1 } },
    scripts: [calls("SetTodoList", { todos: [] }), "text: x", "text: y"],
    steps: [...initialize(), ...turn("p1"), ...turn("p2")],
  }),
  scenario("compaction/by itself", {
    scripts: [
      lines("text: a", usage(50)),
      lines("text: big", usage(90_000)),
      lines("text: the summary", usage(10)),
      lines("text: after", usage(60)),
      "text: last",
    ],
    steps: [
      ...initialize(),
      ...turn("p1", "one"),
      ...turn("p2", "two"),
      ...turn("p3", "three"),
      ...turn("p4", "four"),
    ],
  }),
  scenario("compaction/fails", {
    scripts: [
      lines("text: a", usage(50)),
      lines("text: big", usage(90_000)),
      "error: 400 no",
      lines("text: after", usage(60)),
    ],
    steps: [...initialize(), ...turn("p1", "one"), ...turn("p2", "two"), ...turn("p3", "three")],
  }),
  scenario("compaction/hooks", {
    scripts: [lines("text: a", usage(50)), "text: b", "text: the summary", "text: end"],
    steps: [
      ...initialize({
        hooks: [
          { id: "h1", event: "PreCompact" },
          { id: "h2", event: "PostCompact" },
        ],
      }),
      ...turn("p1"),
      ...turn("p2"),
      prompt("p3", "/compact"),
      answer("HookRequest", { request_id: "$id", action: "allow", reason: "" }),
      answer("HookRequest", { request_id: "$id", action: "allow", reason: "" }),
      see("response p3"),
      ...turn("p4"),
    ],
  }),
  scenario("slash commands/all", {
    scripts: [lines("text: a", usage(50)), lines("text: b", usage(60)), "text: the summary", "text: x"],
    steps: [
      ...initialize(),
      ...turn("s0", "/compact"),
      ...turn("p1", "hello"),
      ...turn("p2", "again"),
      ...turn("s1", "/compact"),
      ...turn("s2", "/clear"),
      ...turn("s3", "/reset"),
      ...turn("s4", "/yolo"),
      ...turn("s5", "/yolo"),
      ...turn("s6", "/afk"),
      ...turn("s7", "/afk"),
      ...turn("s8", "/plan on"),
      ...turn("s9", "/plan on"),
      ...turn("s10", "/plan off"),
      ...turn("s11", "/plan off"),
      ...turn("s12", "/plan"),
      ...turn("s13", "/plan"),
      ...turn("s14", " /yolo "),
      ...turn("s15", [{ type: "text", text: "/yolo" }]),
    ],
  }),
  scenario("slash commands/yolo approves", {
    scripts: [shell("echo 1"), "text: x", shell("echo 2", "tc-2"), "text: y"],
    steps: [
      ...initialize(),
      ...turn("s1", "/yolo"),
      ...turn("p1"),
      ...turn("s2", "/yolo"),
      ...during("p2", approve("approve")),
    ],
  }),
  ...[
    "/nonsense",
    "/Clear",
    "/clear now",
    "/ clear",
    "//clear",
    "/",
    "/usr/bin/env",
    "clear",
    "/yolo on",
    "/plan nonsense",
  ].map((word) =>
    scenario(`slash commands/${word.replaceAll("/", "_")}`, {
      scripts: ["text: answered"],
      steps: [...initialize(), ...turn("p1", word)],
    }),
  ),
];

const session = ["--session", sessionId];

/** The second process goes on with what the first one left. */
const twice = (
  name: string,
  first: Step[],
  second: Step[],
  scripts: readonly [string[], string[]],
): Scenario => {
  const args = [...session, "--yolo"];
  return {
    name,
    launches: [
      { args, scripts: scripts[0], steps: first },
      { args, scripts: scripts[1], steps: second },
    ],
  };
};

/** A command that runs unless an approval stands before it. */
const runningCommand: Launch = {
  args: session,
  scripts: [shell("sleep 20"), "text: y"],
  steps: [...initialize(), ...during("p2", see("event StatusUpdate"), settle, ...call("stop", "cancel"))],
};

export const kept = [
  scenario("replay/of nothing", {
    steps: [
      ...call("r0", "replay"),
      ...initialize(),
      ...call("r1", "replay"),
      ...call("r2", "replay", { x: 1 }),
    ],
  }),
  scenario("replay/in the same process", {
    args: ["--yolo"],
    scripts: [
      lines("think: a", "think: b", "text: one", "text: two", shell("echo 1"), "tool_call_part: null"),
      plainQuestion(),
      "text: done",
    ],
    steps: [
      ...initialize(),
      ...during("p1", plainAnswer),
      ...call("plan", "set_plan_mode", { enabled: true }),
      ...call("r1", "replay"),
    ],
  }),
  twice(
    "replay/in the next process",
    [
      ...initialize({ external_tools: [{ name: "greet", description: "", parameters: {} }] }),
      ...during(
        "p1",
        plainAnswer,
        answer("ToolCallRequest", {
          tool_call_id: "$id",
          return_value: { is_error: false, output: "x", message: "", display: [] },
        }),
      ),
    ],
    [...initialize(), ...call("r1", "replay"), ...turn("p2"), ...call("r2", "replay")],
    [[plainQuestion(), calls("greet", {}, "tc-2"), "text: done"], ["text: next"]],
  ),
  twice(
    "kept/plan mode",
    [...initialize(), ...call("on", "set_plan_mode", { enabled: true }), ...turn("p1")],
    [...initialize(), ...turn("p2")],
    [["text: a"], ["text: b"]],
  ),
  {
    name: "kept/approvals of the session",
    launches: [
      {
        args: session,
        scripts: [shell("echo 1"), "text: x"],
        steps: [...initialize(), ...during("p1", approve("approve_for_session"))],
      },
      runningCommand,
    ],
  },
  {
    name: "kept/yolo of a command",
    launches: [{ args: session, steps: [...initialize(), ...turn("p1", "/yolo")] }, runningCommand],
  },
  {
    name: "kept/continued",
    launches: [
      { scripts: ["text: a"], steps: [...initialize(), ...turn("p1")] },
      {
        args: ["--continue"],
        scripts: ["text: b"],
        steps: [...initialize(), ...call("r", "replay"), ...turn("p2")],
      },
    ],
  },
  {
    name: "kept/read from a file that is worn",
    journal: [
      { timestamp: 1, message: { type: "TurnBegin", payload: { user_input: "without a header" } } },
      { type: "metadata", protocol_version: "1.1" },
      "",
      "{torn",
      { message: { type: "TurnEnd", payload: {} } },
      { timestamp: 2, message: { type: "Unknown", payload: {} } },
      { timestamp: 2, message: { type: "StepBegin", payload: {} } },
      { timestamp: 2, message: { type: "StepBegin", payload: { n: 1, more: true } } },
      { timestamp: 3, message: { type: "ContentPart", payload: { type: "nonsense" } } },
      { timestamp: 3, message: { type: "ContentPart", payload: { type: "text", text: "kept" } } },
      {
        timestamp: 4,
        message: { type: "ApprovalRequestResolved", payload: { request_id: "a", response: "approve" } },
      },
      {
        timestamp: 5,
        message: {
          type: "SubagentEvent",
          payload: { task_tool_call_id: "t", event: { type: "StepBegin", payload: { n: 1 } } },
        },
      },
      {
        timestamp: 6,
        message: {
          type: "ApprovalRequest",
          payload: { id: "a", tool_call_id: "t", sender: "S", action: "run", description: "d" },
        },
      },
      {
        timestamp: 7,
        message: {
          type: "QuestionRequest",
          payload: { id: "q", tool_call_id: "t", questions: [{ question: "Q?", options: [{ label: "A" }] }] },
        },
      },
      { timestamp: 8, message: { type: "TurnEnd", payload: {} } },
    ],
    launches: [{ args: session, steps: [...initialize(), ...call("r1", "replay")] }],
  },
  scenario("kept/nothing happened", { steps: initialize() }),
] satisfies Scenario[];

export const ends = [
  ...(["eof", "SIGINT", "SIGTERM"] as const).flatMap((how) => [
    scenario(`ends/idle, by ${how}`, {
      scripts: ["text: x"],
      steps: [...initialize(), ...turn("p1"), end(how)],
    }),
    scenario(`ends/at a question, by ${how}`, {
      scripts: [plainQuestion()],
      steps: [...initialize(), prompt("p1", "go"), see("request QuestionRequest"), settle, end(how)],
    }),
    scenario(`ends/at an approval, by ${how}`, {
      scripts: [shell("echo 1")],
      steps: [...initialize(), prompt("p1", "go"), see("request ApprovalRequest"), settle, end(how)],
    }),
  ]),
  scenario("ends/at a call of the client's tool, by eof", {
    scripts: [calls("greet", {})],
    steps: [
      ...initialize({ external_tools: [{ name: "greet", description: "", parameters: {} }] }),
      prompt("p1", "go"),
      see("request ToolCallRequest"),
      settle,
      end("eof"),
    ],
  }),
  scenario("ends/while a command runs, by eof", {
    args: ["--yolo"],
    scripts: [shell("sleep 20")],
    steps: [...initialize(), prompt("p1", "go"), see("event StatusUpdate"), settle, end("eof")],
  }),
  scenario("ends/before anything, by eof", { steps: [end("eof")] }),
];
