import {
  approve,
  calls,
  during,
  initialize,
  lines,
  plainAnswer,
  plainQuestion,
  scenario,
  see,
  settle,
  shell,
  turn,
} from "../scenario.js";

const yolo = ["--yolo"];

/** Each call in a step of its own, then a last word. */
const each = (...all: (readonly [string, unknown])[]) => [
  ...all.map(([name, args], index) => calls(name, args, `tc-${index + 1}`)),
  "text: done",
];

const run = [...initialize(), ...turn("p1")];

const numbered = Array.from({ length: 1200 }, (_, index) => `line ${index + 1}`).join("\n");

export const tools = [
  scenario("tools/ReadFile", {
    args: yolo,
    files: {
      "a.txt": "one\ntwo\nthree\n",
      "empty.txt": "",
      "long.txt": numbered,
      "wide.txt": `${"x".repeat(3000)}\nend`,
      "dir/b.txt": "b",
      "crlf.txt": "a\r\nb\r\n",
    },
    scripts: each(
      ["ReadFile", { path: "a.txt" }],
      ["ReadFile", { path: "a.txt", line_offset: 2, n_lines: 1 }],
      ["ReadFile", { path: "a.txt", line_offset: 9 }],
      ["ReadFile", { path: "a.txt", line_offset: 0 }],
      ["ReadFile", { path: "a.txt", line_offset: -2 }],
      ["ReadFile", { path: "a.txt", n_lines: 0 }],
      ["ReadFile", { path: "empty.txt" }],
      ["ReadFile", { path: "long.txt" }],
      ["ReadFile", { path: "wide.txt" }],
      ["ReadFile", { path: "dir" }],
      ["ReadFile", { path: "dir/b.txt" }],
      ["ReadFile", { path: "crlf.txt" }],
      ["ReadFile", { path: "missing.txt" }],
      ["ReadFile", { path: "" }],
      ["ReadFile", { path: "../outside.txt" }],
      ["ReadFile", {}],
      ["ReadFile", { path: 5 }],
      ["ReadFile", { path: "a.txt", unknown: 1 }],
    ),
    steps: run,
  }),
  scenario("tools/WriteFile", {
    args: yolo,
    files: { "a.txt": "one\n", "same.txt": "same", "dir/b.txt": "b" },
    scripts: each(
      ["WriteFile", { path: "new.txt", content: "new\n" }],
      ["WriteFile", { path: "a.txt", content: "two\n" }],
      ["WriteFile", { path: "a.txt", content: "three\n", mode: "append" }],
      ["WriteFile", { path: "a.txt", content: "x", mode: "other" }],
      ["WriteFile", { path: "same.txt", content: "same" }],
      ["WriteFile", { path: "missing/x.txt", content: "x" }],
      ["WriteFile", { path: "dir", content: "x" }],
      ["WriteFile", { path: "", content: "x" }],
      ["WriteFile", { path: "../outside.txt", content: "x" }],
      ["WriteFile", { path: "empty.txt", content: "" }],
      ["WriteFile", { path: "x.txt" }],
      ["WriteFile", {}],
    ),
    steps: run,
  }),
  scenario("tools/StrReplaceFile", {
    args: yolo,
    files: { "a.txt": "one two two\n", "b.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n" },
    scripts: each(
      ["StrReplaceFile", { path: "a.txt", edit: { old: "one", new: "1" } }],
      ["StrReplaceFile", { path: "a.txt", edit: { old: "two", new: "2" } }],
      ["StrReplaceFile", { path: "a.txt", edit: { old: "two", new: "2", replace_all: true } }],
      [
        "StrReplaceFile",
        {
          path: "b.txt",
          edit: [
            { old: "2\n", new: "zwei\n" },
            { old: "11", new: "elf" },
          ],
        },
      ],
      ["StrReplaceFile", { path: "a.txt", edit: { old: "missing", new: "x" } }],
      ["StrReplaceFile", { path: "a.txt", edit: { old: "", new: "x" } }],
      ["StrReplaceFile", { path: "a.txt", edit: { old: "1", new: "1" } }],
      ["StrReplaceFile", { path: "a.txt", edit: [] }],
      ["StrReplaceFile", { path: "missing.txt", edit: { old: "a", new: "b" } }],
      ["StrReplaceFile", { path: ".", edit: { old: "a", new: "b" } }],
      ["StrReplaceFile", { path: "", edit: { old: "a", new: "b" } }],
      ["StrReplaceFile", { path: "a.txt" }],
    ),
    steps: run,
  }),
  scenario("tools/Shell", {
    args: yolo,
    scripts: each(
      ["Shell", { command: "echo hello" }],
      ["Shell", { command: "echo out; echo err >&2" }],
      ["Shell", { command: "exit 3" }],
      ["Shell", { command: "echo some; exit 2" }],
      ["Shell", { command: "true" }],
      ["Shell", { command: "" }],
      ["Shell", { command: "sleep 30", timeout: 1 }],
      ["Shell", { command: "echo x", timeout: 0 }],
      ["Shell", { command: "echo x", timeout: 100000 }],
      ["Shell", { command: "pwd" }],
      ["Shell", { command: "cat" }],
      ["Shell", { command: "printf 'a\\nb'" }],
      ["Shell", { command: "seq 1 30000" }],
      ["Shell", { command: "printf 'x%.0s' $(seq 1 5000)" }],
      ["Shell", { command: "kill -9 $$" }],
      ["Shell", { command: "no-such-command-here" }],
      ["Shell", {}],
    ),
    steps: run,
  }),
  scenario("tools/SetTodoList", {
    scripts: each(
      ["SetTodoList", {}],
      [
        "SetTodoList",
        {
          todos: [
            { title: "a", status: "pending" },
            { title: "b", status: "in_progress" },
          ],
        },
      ],
      ["SetTodoList", {}],
      ["SetTodoList", { todos: null }],
      ["SetTodoList", { todos: [{ title: "a", status: "done" }] }],
      ["SetTodoList", { todos: [] }],
      ["SetTodoList", {}],
      ["SetTodoList", { todos: [{ title: "", status: "done" }] }],
      ["SetTodoList", { todos: [{ title: "a", status: "other" }] }],
    ),
    steps: run,
  }),
  scenario("tools/odd calls", {
    scripts: [
      lines(
        'tool_call: {"id": "tc-1", "name": "SetTodoList"}',
        'tool_call: {"id": "tc-2", "name": "SetTodoList", "arguments": ""}',
        'tool_call: {"id": "tc-3", "name": "SetTodoList", "arguments": "{broken"}',
        'tool_call: {"id": "tc-4", "name": "SetTodoList", "arguments": "[]"}',
        'tool_call: {"id": "tc-5", "name": "SetTodoList", "arguments": "null"}',
        'tool_call: {"id": "tc-6", "name": "NoSuchTool", "arguments": "{}"}',
        'tool_call: {"id": "tc-7", "function": {"name": "SetTodoList", "arguments": "{}"}, "extras": {"a": 1}}',
        'tool_call: {"id": "", "name": "SetTodoList", "arguments": "{\\"todos\\": []}"}',
      ),
      "text: done",
    ],
    steps: run,
  }),
  scenario("tools/arguments in parts", {
    scripts: [
      lines(
        'tool_call: {"id": "tc-1", "name": "SetTodoList", "arguments": null}',
        'tool_call_part: {"arguments_part": "{\\"todos\\""}',
        'tool_call_part: {"arguments_part": ": []}"}',
        "text: between",
        'tool_call: {"id": "tc-2", "name": "SetTodoList", "arguments": "{\\"to"}',
        'tool_call_part: "dos\\": []}"',
      ),
      "text: done",
    ],
    steps: run,
  }),
  scenario("tools/equal calls in a step", {
    args: yolo,
    scripts: [
      lines(
        shell("echo x >> a.txt", "tc-1"),
        shell("echo x >> a.txt", "tc-2"),
        calls("SetTodoList", { todos: [] }, "tc-3"),
      ),
      shell("echo x >> a.txt", "tc-4"),
      shell("echo x >> a.txt", "tc-5"),
      "text: done",
    ],
    steps: run,
  }),
  scenario("tools/two after each other in a step", {
    args: yolo,
    scripts: [
      lines(
        "text: first",
        shell("sleep 0.5; echo slow", "tc-1"),
        calls("SetTodoList", { todos: [] }, "tc-2"),
        "text: last",
      ),
      "text: done",
    ],
    steps: run,
  }),
  scenario("tools/repeated calls", {
    scripts: [1, 2, 3, 4, 5].map((n) => calls("SetTodoList", {}, `tc-${n}`)).concat("text: done"),
    steps: run,
  }),
  scenario("tools/sub-agent", {
    args: yolo,
    scripts: [
      calls("Agent", { description: "look", prompt: "look around", subagent_type: "explore" }),
      "text: inner words that are long enough to be a report of what was found in the folder",
      "text: outer words",
    ],
    steps: run,
  }),
  scenario("tools/that only kimi has", {
    args: yolo,
    files: { "a.txt": "one\n" },
    scripts: [
      lines(
        calls("Glob", { pattern: "*.txt" }, "tc-1"),
        calls("TaskList", {}, "tc-2"),
        calls("TaskOutput", { task_id: "x" }, "tc-3"),
        calls("TaskStop", { task_id: "x" }, "tc-4"),
        calls("ReadMediaFile", { path: "a.png" }, "tc-5"),
      ),
      "text: done",
    ],
    steps: run,
  }),
];

export const approvals = [
  scenario("approvals/shown", {
    files: { "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n" },
    scripts: [
      ...each(
        ["WriteFile", { path: "new.txt", content: "x\ny\n" }],
        [
          "WriteFile",
          { path: "a.txt", content: "one\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\nTEN\neleven\n" },
        ],
        ["StrReplaceFile", { path: "a.txt", edit: { old: "TWO", new: "2" } }],
        ["WriteFile", { path: "a.txt", content: "end\n", mode: "append" }],
        ["Shell", { command: "echo hello" }],
        ["Shell", { command: "echo $((1 + 1))\necho two", timeout: 5 }],
      ),
    ],
    steps: [...initialize(), ...during("p1", ...Array.from({ length: 6 }, () => approve("approve")))],
  }),
  scenario("approvals/for the session", {
    scripts: [
      ...each(
        ["WriteFile", { path: "a.txt", content: "1" }],
        ["WriteFile", { path: "b.txt", content: "2" }],
        ["Shell", { command: "echo 1" }],
        ["Shell", { command: "echo 2" }],
      ),
      calls("WriteFile", { path: "c.txt", content: "3" }, "tc-9"),
      "text: done",
    ],
    steps: [
      ...initialize(),
      ...during("p1", approve("approve_for_session"), approve("approve_for_session")),
      ...turn("p2"),
    ],
  }),
  scenario("approvals/rejected", {
    scripts: [
      shell("echo 1"),
      shell("echo 2", "tc-2"),
      "text: then",
      calls("WriteFile", { path: "a.txt", content: "1" }, "tc-3"),
    ],
    steps: [
      ...initialize(),
      ...during("p1", approve("reject")),
      ...during("p2", approve("reject", "use ls")),
      ...during("p3", approve("reject", "")),
    ],
  }),
  ...(
    [
      ["an error", { error: { code: -32000, message: "no" } }],
      ["an unknown kind", { result: { request_id: "$id", response: "maybe" } }],
      ["null", { result: null }],
      ["no id", { result: { response: "approve" } }],
      ["another id", { result: { request_id: "other", response: "approve" } }],
    ] as const
  ).map(([what, response]) =>
    scenario(`approvals/answered with ${what}`, {
      scripts: [shell("echo 1"), "text: then"],
      steps: [...initialize(), ...during("p1", { do: "answer", type: "ApprovalRequest", response })],
    }),
  ),
  scenario("approvals/two at once", {
    scripts: [
      lines(shell("echo 1", "tc-1"), calls("WriteFile", { path: "a.txt", content: "1" }, "tc-2")),
      "text: then",
    ],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request ApprovalRequest"),
        see("request ApprovalRequest"),
        approve("approve"),
        see("event ToolResult"),
        approve("approve"),
      ),
    ],
  }),
  scenario("approvals/one of two rejected", {
    scripts: [lines(shell("echo 1", "tc-1"), shell("echo 2", "tc-2")), "text: then"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request ApprovalRequest"),
        see("request ApprovalRequest"),
        approve("reject"),
        see("event ToolResult"),
        approve("approve"),
      ),
    ],
  }),
  scenario("approvals/session answer settles an equal one", {
    scripts: [lines(shell("echo 1", "tc-1"), shell("echo 2", "tc-2")), "text: then"],
    steps: [
      ...initialize(),
      ...during(
        "p1",
        see("request ApprovalRequest"),
        see("request ApprovalRequest"),
        approve("approve_for_session"),
      ),
      settle,
    ],
  }),
  scenario("approvals/while the model speaks on", {
    scripts: [lines(shell("echo 1", "tc-1"), "text: and on", "usage: input_other=5 output=1"), "text: then"],
    steps: [
      ...initialize(),
      ...during("p1", see("request ApprovalRequest"), see("event StatusUpdate"), approve("approve")),
    ],
  }),
  scenario("approvals/yolo", {
    args: ["--yolo"],
    scripts: [shell("echo 1", "tc-1"), plainQuestion("tc-2"), "text: then"],
    steps: [...initialize(), ...during("p1", plainAnswer)],
  }),
  scenario("approvals/afk", {
    args: ["--afk"],
    scripts: [shell("echo 1", "tc-1"), plainQuestion("tc-2"), "text: then"],
    steps: [...initialize(), ...turn("p1")],
  }),
];
