import { expect, test } from "vitest";
import { HEARS_LINES } from "../../../../packages/protocol/test/line-program.js";
import { askwire, withoutSlowStart } from "../askwire.js";

/** The output of `askwire chat` for a turn with these events. */
async function shown(...events: [type: string, payload: object][]): Promise<string> {
  const program = `${HEARS_LINES}
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    hearLines((line) => {
      const { id, method, params } = JSON.parse(line);
      const server = { name: "x", version: "1" };
      if (method === "initialize")
        return send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
      for (const [type, payload] of JSON.parse(process.argv[1])) send({ method: "event", params: { type, payload } });
      send({ id, result: { status: "finished" } });
    });`;
  const args = ["chat", "--prompt", "go", "--", process.execPath, "-e", program, JSON.stringify(events)];
  const { stdout, stderr } = await askwire(args);
  expect(withoutSlowStart(stderr)).toBe("");
  return stdout.replace(/> \n$/, "");
}

const says = (text: string): [string, object] => ["ContentPart", { type: "text", text }];
const calls = (name: string, text: string | null): [string, object] => [
  "ToolCall",
  { type: "function", id: "tc", function: { name, arguments: text } },
];
const callPart = (text: string): [string, object] => ["ToolCallPart", { arguments_part: text }];
const thinks = (think: string): [string, object] => ["ContentPart", { type: "think", think }];
const begins = (user_input: unknown): [string, object] => ["TurnBegin", { user_input }];
const changed = (path: string, old_text: string, new_text: string) => ({
  type: "diff",
  path,
  old_text,
  new_text,
});
const notice = {
  id: "n",
  category: "c",
  type: "t",
  source_kind: "s",
  source_id: "s",
  created_at: 1,
  payload: {},
};
const result = (...display: object[]) => ({
  tool_call_id: "tc",
  return_value: { is_error: false, output: "", message: "", display },
});
/** A command and what it printed, in ways that Kimi CLI and we tell it. */
const printed = (output: unknown, ...display: object[]): [string, object][] => [
  ["ToolCall", { type: "function", id: "tc", function: { name: "Shell", arguments: '{"command":"make"}' } }],
  ["ToolResult", { tool_call_id: "tc", return_value: { is_error: false, output, message: "", display } }],
];
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

test.each<[string, [string, object][], string[]]>([
  ["a line", printed("done\n"), ["done"]],
  ["nothing", printed("\n"), []],
  ["nine lines", printed(numbered(1, 9).join("\n")), numbered(1, 9)],
  [
    "more lines: the first and the last, and how many are between",
    printed(numbered(1, 100).join("\r\n")),
    [...numbered(1, 3), "… 92 more lines (/output 1 shows all)", ...numbered(96, 100)],
  ],
  [
    "a long line, cut",
    printed(`${"x".repeat(199)}😀${"y".repeat(100)}`),
    [`${"x".repeat(199)}…`, "(/output 1 shows the whole lines)"],
  ],
  [
    "colours, a line written over, and what a terminal would act on",
    printed("\u001b[31mred\u001b[0m\n10 %\r50 %\r100 %\nbell\u0007 \u202edone"),
    ["red", "100 %", "bell\\u{7} \\u{202e}done"],
  ],
  [
    "parts",
    printed([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
    ["a", "b"],
  ],
  [
    "a failure: how it ended comes after it",
    printed("no\n", { type: "brief", text: "Exit code 1" }),
    ["no", "↳ Exit code 1"],
  ],
])("the output of a command stays below it: %s", async (_, events, lines) => {
  expect(await shown(...events)).toBe(["• Shell make", ...lines.map((line) => `  ${line}`), ""].join("\n"));
});

test("the output of another tool is not shown", async () => {
  const value = { is_error: false, output: "secret", message: "", display: [] };
  const output = await shown(calls("ReadFile", "{}"), [
    "ToolResult",
    { tool_call_id: "tc", return_value: value },
  ]);
  expect(output).toBe("• ReadFile\n");
});

test("the words of each message begin a line, also where a call has nothing to show between them", async () => {
  const steps = [calls("ReadFile", "{}"), says("I look."), ["ToolResult", result()], ["StepBegin", { n: 2 }]];
  expect(await shown(...(steps as [string, object][]), says("Done."))).toBe("• ReadFile\nI look.\nDone.\n");
});

const retry = { n: 1, next_attempt: 2, max_attempts: 3, error_type: "APIStatusError" };

test.each<[string, [string, object][], string]>([
  ["words said in the middle of the turn", [["SteerInput", { user_input: "in\nGerman" }]], "↪ in German\n"],
  [
    "the same in parts",
    [
      [
        "SteerInput",
        {
          user_input: [
            { type: "text", text: "in" },
            { type: "image_url", image_url: { url: "x" } },
          ],
        },
      ],
    ],
    "↪ in [image_url]\n",
  ],
  [
    "a step that is tried again, by its status",
    [["StepRetry", { ...retry, wait_s: 2, status_code: 503 }]],
    "(trying again in 2 s, 503: attempt 2 of 3)\n",
  ],
  [
    "and by its error",
    [["StepRetry", { ...retry, wait_s: 0.3000001, status_code: null }]],
    "(trying again in 0.3 s, APIStatusError: attempt 2 of 3)\n",
  ],
  [
    "a plan",
    [["PlanDisplay", { content: "# First\n\u001b[2Jthen\n", file_path: "plan.md" }]],
    "Plan (plan.md)\n# First\n\\u{1b}[2Jthen\n",
  ],
  [
    "a conversation that is summed up",
    [
      ["CompactionBegin", {}],
      ["CompactionEnd", {}],
    ],
    "(summing up the conversation so far)\n(summed up)\n",
  ],
  [
    "a hook that blocks",
    [
      ["HookTriggered", { event: "PreToolUse", target: "Shell", hook_count: 1 }],
      [
        "HookResolved",
        { event: "PreToolUse", target: "Shell", action: "block", reason: "no\nrm", duration_ms: 1 },
      ],
    ],
    "(a PreToolUse hook blocked Shell: no rm)\n",
  ],
  [
    "not one that allows",
    [
      ["HookResolved", { event: "Stop", target: "", action: "allow", reason: "", duration_ms: 1 }],
      says("On.\n"),
    ],
    "On.\n",
  ],
  [
    "a notification",
    [["Notification", { ...notice, severity: "warning", title: "Build", body: "It\nbroke" }]],
    "(warning) Build: It broke\n",
  ],
  [
    "plan mode when it changes, and not when it stays",
    [false, null, true, true, false].map((plan_mode) => ["StatusUpdate", { plan_mode }]),
    "(plan mode is on)\n(plan mode is off)\n",
  ],
  [
    "the tasks and the command of a result",
    [
      [
        "ToolResult",
        result(
          { type: "brief", text: "3 tasks" },
          {
            type: "todo",
            items: [
              { title: "read", status: "done" },
              { title: "write", status: "in_progress" },
              { title: "test", status: "pending" },
            ],
          },
          { type: "shell", language: "bash", command: "make\nmake test" },
          { type: "background_task", task_id: "b", kind: "shell", status: "running", description: "server" },
          { type: "map", data: {} },
        ),
      ],
    ],
    "  ↳ 3 tasks\n  [x] read\n  [>] write\n  [ ] test\n  $ make\n  make test\n  server: running\n",
  ],
  [
    "one arrow before what came of a call, also where it has its own",
    [
      ["ToolResult", result({ type: "brief", text: "User answered" })],
      ["ToolResult", result({ type: "brief", text: "↩ SQLite" })],
    ],
    "  ↳ User answered\n  ↩ SQLite\n",
  ],
  [
    "a thought and what is said on lines of their own",
    [thinks("Hm"), thinks("m."), says("Hel"), says("lo."), thinks("Done.")],
    "Hmm.\nHello.\nDone.\n",
  ],
  [
    "the subject of a tool call, also when its arguments come in pieces",
    [
      calls("Shell", null),
      callPart('{"timeout": 5, "note": "x", "comm'),
      callPart('and": "make\\n  test"}'),
      calls("ReadFile", '{"path": "a.txt"}'),
      calls("Search", '{"words": "a\\u001b[2Jb"}'),
    ],
    "• Shell make test\n• ReadFile a.txt\n• Search a\\u{1b}[2Jb\n",
  ],
  [
    "a question that a call asks once it is whole, and nothing of one that is cut",
    [
      calls("ask_user", null),
      callPart('{"question": "Which dat'),
      callPart('abase?"}'),
      says("On.\n"),
      calls("ask_user", '{"question": "Which po'),
      says("On.\n"),
      calls("AskUserQuestion", '{"questions": [{"question": "Which port?"}]}'),
    ],
    "• ask_user Agent has a question for you: Which database?\nOn.\n• ask_user\nOn.\n• Agent has a question for you: Which port?\n",
  ],
  [
    "its name alone where they name nothing, or never end",
    [calls("Todo", '{"items": ["a"]}'), calls("Plan", "{}"), calls("Broken", '{"path": "a'), says("On.\n")],
    "• Todo\n• Plan\n• Broken\nOn.\n",
  ],
  [
    "so much of a long one",
    [calls("Shell", JSON.stringify({ command: `echo ${"a".repeat(99)}` }))],
    `• Shell echo ${"a".repeat(35)}…${"a".repeat(19)}\n`,
  ],
  [
    "the changes of a tool, a line a file",
    [
      [
        "ToolResult",
        result(
          changed("a.txt", "1\n2\n", "1\ntwo\n"),
          changed("a.txt", "8\n", "8\n9\n"),
          changed("b.txt", "", "new\n"),
          { ...changed("c.txt", "(9 lines)", "(8 lines)"), is_summary: true },
        ),
      ],
    ],
    "  ↳ a.txt +2 -1\n  ↳ b.txt +1 -0\n",
  ],
  ["no prompt of its own again", [begins("go"), says("On.\n")], "On.\n"],
])("the transcript shows %s", async (_what, events, text) => {
  expect(await shown(...events)).toBe(text);
});

test("a sub-agent's acts are indented, one line each, without its words and unknown events", async () => {
  const sub = (type: string, payload: object): [string, object] => [
    "SubagentEvent",
    { parent_tool_call_id: "tc", agent_id: "a", subagent_type: "explore", event: { type, payload } },
  ];
  const call = (name: string) => ({ type: "function", id: "tc-2", function: { name, arguments: "{}" } });
  const text = await shown(
    says("I look."),
    ["ToolCall", call("Task")],
    sub("TurnBegin", { user_input: "look" }),
    sub("ContentPart", { type: "text", text: "thinking aloud" }),
    sub("ToolCall", call("Grep")),
    sub("ToolResult", result({ type: "brief", text: "2 matches" })),
    sub("ToolCall", { broken: true }),
    sub("Dream", {}),
    sub(...sub("ToolCall", call("Read"))),
    says("Found.\n"),
  );
  expect(text).toBe("I look.\n• Task\n  • Grep\n    ↳ 2 matches\n    • Read\nFound.\n");
});

test("a call's result stands below the complete line of the next call, whose arguments come meanwhile", async () => {
  const done = { ...result({ type: "brief", text: "Read" }), tool_call_id: "first" };
  const first = { type: "function", id: "first", function: { name: "ReadFile", arguments: '{"path":"a"}' } };
  const output = await shown(
    ["ToolCall", first],
    calls("ReadFile", '{"pa'),
    ["ToolResult", done],
    callPart('th":"b"}'),
    ["ToolResult", result({ type: "brief", text: "Read too" })],
  );
  expect(output).toBe("• ReadFile a\n• ReadFile b\n  ↳ Read\n  ↳ Read too\n");
});

test("a call's result is shown even if the arguments of the next call never end", async () => {
  const done = { ...result({ type: "brief", text: "Read" }), tool_call_id: "first" };
  const output = await shown(calls("ReadFile", '{"pa'), ["ToolResult", done], says("Done."));
  expect(output).toBe("• ReadFile\n  ↳ Read\nDone.\n");
});
