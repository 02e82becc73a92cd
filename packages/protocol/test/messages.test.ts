import { describe, expect, test } from "vitest";
import { ContentPart, DisplayBlock, events, requests, validate } from "../src/index.js";

const text = { type: "text", text: "hi" };
const result = { is_error: false, output: "", message: "", display: [] };

/** The least that is accepted for each event, and exactly what it becomes. Kimi Wire 1.10, field by field. */
const eventPins: { [T in keyof typeof events]: [minimal: unknown, complete: unknown] } = {
  TurnBegin: [{ user_input: "" }, { user_input: "" }],
  SteerInput: [{ user_input: [] }, { user_input: [] }],
  TurnEnd: [{}, {}],
  StepBegin: [{ n: 1 }, { n: 1 }],
  StepInterrupted: [{}, {}],
  StepRetry: [
    { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0.5, error_type: "timeout" },
    { n: 1, next_attempt: 2, max_attempts: 3, wait_s: 0.5, error_type: "timeout", status_code: null },
  ],
  CompactionBegin: [{}, {}],
  CompactionEnd: [{}, {}],
  HookTriggered: [
    { event: "Stop", target: "t", hook_count: 1 },
    { event: "Stop", target: "t", hook_count: 1 },
  ],
  HookResolved: [
    { event: "Stop", target: "t", action: "allow", reason: "", duration_ms: 3 },
    { event: "Stop", target: "t", action: "allow", reason: "", duration_ms: 3 },
  ],
  MCPLoadingBegin: [{}, {}],
  MCPLoadingEnd: [{}, {}],
  StatusUpdate: [
    {},
    {
      context_usage: null,
      context_tokens: null,
      max_context_tokens: null,
      token_usage: null,
      message_id: null,
      plan_mode: null,
      mcp_status: null,
    },
  ],
  Notification: [
    {
      id: "n",
      category: "c",
      type: "t",
      source_kind: "k",
      source_id: "s",
      title: "",
      body: "",
      severity: "info",
      created_at: 1.5,
      payload: {},
    },
    {
      id: "n",
      category: "c",
      type: "t",
      source_kind: "k",
      source_id: "s",
      title: "",
      body: "",
      severity: "info",
      created_at: 1.5,
      payload: {},
    },
  ],
  ContentPart: [text, text],
  ToolCall: [
    { id: "t", function: { name: "Shell" } },
    { type: "function", id: "t", function: { name: "Shell", arguments: null }, extras: null },
  ],
  ToolCallPart: [{}, { arguments_part: null }],
  ToolResult: [
    { tool_call_id: "t", return_value: result },
    { tool_call_id: "t", return_value: { ...result, extras: null } },
  ],
  ApprovalResponse: [
    { request_id: "r", response: "approve" },
    { request_id: "r", response: "approve", feedback: "" },
  ],
  SubagentEvent: [
    { event: { type: "TurnEnd", payload: {} } },
    {
      parent_tool_call_id: null,
      agent_id: null,
      subagent_type: null,
      event: { type: "TurnEnd", payload: {} },
    },
  ],
  PlanDisplay: [
    { content: "# Plan", file_path: "/p" },
    { content: "# Plan", file_path: "/p" },
  ],
  BtwBegin: [
    { id: "b", question: "?" },
    { id: "b", question: "?" },
  ],
  BtwEnd: [{ id: "b" }, { id: "b", response: null, error: null }],
};

const requestPins: {
  [T in keyof typeof requests]: { payload: [unknown, unknown]; response: [unknown, unknown] };
} = {
  ApprovalRequest: {
    payload: [
      { id: "a", tool_call_id: "t", sender: "Shell", action: "run command", description: "ls" },
      {
        id: "a",
        tool_call_id: "t",
        sender: "Shell",
        action: "run command",
        description: "ls",
        source_kind: null,
        source_id: null,
        agent_id: null,
        subagent_type: null,
        source_description: null,
        display: [],
      },
    ],
    response: [
      { request_id: "a", response: "reject" },
      { request_id: "a", response: "reject", feedback: "" },
    ],
  },
  QuestionRequest: {
    payload: [
      { id: "q", tool_call_id: "t", questions: [{ question: "Which?", options: [{ label: "A" }] }] },
      {
        id: "q",
        tool_call_id: "t",
        questions: [
          {
            question: "Which?",
            header: "",
            options: [{ label: "A", description: "" }],
            multi_select: false,
            body: "",
            other_label: "",
            other_description: "",
          },
        ],
      },
    ],
    response: [
      { request_id: "q", answers: {} },
      { request_id: "q", answers: {} },
    ],
  },
  ToolCallRequest: {
    payload: [
      { id: "t", name: "lookup" },
      { id: "t", name: "lookup", arguments: null },
    ],
    response: [
      { tool_call_id: "t", return_value: result },
      { tool_call_id: "t", return_value: { ...result, extras: null } },
    ],
  },
  HookRequest: {
    payload: [
      { id: "h", subscription_id: "s", event: "Stop", target: "t", input_data: {} },
      { id: "h", subscription_id: "s", event: "Stop", target: "t", input_data: {} },
    ],
    response: [{ request_id: "h" }, { request_id: "h", action: "allow", reason: "" }],
  },
};

/** Strict equality: a field too many, be it undefined, counts too. */
function expectExactly(schema: Parameters<typeof validate>[0], [minimal, complete]: [unknown, unknown]) {
  expect(validate(schema, minimal)).toStrictEqual({ ok: true, value: complete });
  expect(validate(schema, complete)).toStrictEqual({ ok: true, value: complete });
}

describe("the fields of every message", () => {
  test.each(Object.entries(eventPins))(
    "the event %s has exactly the fields that a base peer knows, nulls included (P-MSG-1)",
    (type, pin) => {
      expectExactly(events[type as keyof typeof events], pin);
    },
  );

  test.each(Object.entries(requestPins))(
    "the request %s and its answer have exactly the fields that a base peer knows, nulls included (P-MSG-2)",
    (type, pin) => {
      const exchange = requests[type as keyof typeof requests];
      expectExactly(exchange.payload, pin.payload);
      expectExactly(exchange.response, pin.response);
    },
  );

  test("no field of an event or request without a default can be left out", () => {
    const complete = [
      ...Object.entries(eventPins).map(([type, [minimal]]) => [events[type as keyof typeof events], minimal]),
      ...Object.entries(requestPins).flatMap(([type, pin]) => {
        const { payload, response } = requests[type as keyof typeof requests];
        return [
          [payload, pin.payload[0]],
          [response, pin.response[0]],
        ];
      }),
    ] as [Parameters<typeof validate>[0], Record<string, unknown>][];
    for (const [schema, minimal] of complete) {
      for (const field of Object.keys(minimal)) {
        const { [field]: _, ...rest } = minimal;
        expect(validate(schema, rest), field).toMatchObject({ ok: false });
      }
    }
  });

  test("figures and MCP state of a StatusUpdate are checked inside (P-MSG-1)", () => {
    const token_usage = { input_other: 1, output: 2, input_cache_read: 3, input_cache_creation: 4 };
    const servers = [{ name: "s", status: "connected", tools: ["a"] }];
    const mcp_status = { loading: false, connected: 1, total: 1, tools: 1, servers };
    const update = { context_usage: 0.5, token_usage, mcp_status, plan_mode: true };
    expect(validate(events.StatusUpdate, update)).toMatchObject({ ok: true, value: update });
    expect(validate(events.StatusUpdate, { token_usage: { output: 1 } })).toEqual({
      ok: false,
      problem:
        "token_usage.input_other: expected number; token_usage.input_cache_read: expected number; " +
        "token_usage.input_cache_creation: expected number",
    });
  });

  test("step 0 does not exist", () => {
    expect(validate(events.StepBegin, { n: 0 })).toEqual({ ok: false, problem: "n: expected at least 1" });
  });
});

describe("content parts", () => {
  test.each<[object, object]>([
    [text, text],
    [
      { type: "think", think: "hm" },
      { type: "think", think: "hm", encrypted: null },
    ],
    ...["image_url", "audio_url", "video_url"].map((type): [object, object] => [
      { type, [type]: { url: "data:," } },
      { type, [type]: { url: "data:,", id: null } },
    ]),
  ])("the content part %j is complete as %j (P-MSG-4)", (minimal, complete) => {
    expectExactly(ContentPart, [minimal, complete]);
  });

  test.each([
    [{ type: "hologram", data: "x" }, "type: unknown type"],
    [{ text: "hi" }, "type: unknown type"],
    [{ type: "text" }, "text: expected string"],
    [{ type: "image_url", image_url: "http://x" }, "image_url: expected object"],
  ])("the content part %j is invalid, and the reason is said (P-MSG-4)", (part, problem) => {
    expect(validate(ContentPart, part)).toEqual({ ok: false, problem });
  });

  test.each(["hi", 5, null])("%j is no content part (P-MSG-4)", (part) => {
    expect(validate(ContentPart, part)).toMatchObject({ ok: false });
  });
});

describe("display blocks", () => {
  test.each([
    { type: "brief", text: "x" },
    { type: "todo", items: [{ title: "a", status: "done" }] },
    { type: "shell", language: "bash", command: "ls" },
    { type: "background_task", task_id: "1", kind: "k", status: "s", description: "d" },
  ])("the display block %j passes unchanged (P-MSG-5)", (block) => {
    expectExactly(DisplayBlock, [block, block]);
  });

  test("a diff starts at line 1 and is no summary unless it says so (P-MSG-5)", () => {
    const diff = { type: "diff", path: "a", old_text: "", new_text: "b" };
    expectExactly(DisplayBlock, [diff, { ...diff, old_start: 1, new_start: 1, is_summary: false }]);
  });

  test.each([
    [
      { type: "chart", a: 1, b: [2] },
      { type: "chart", data: { a: 1, b: [2] } },
    ],
    [{ type: "chart" }, { type: "chart", data: {} }],
    [
      { type: "chart", data: { a: 1 } },
      { type: "chart", data: { a: 1 } },
    ],
    [
      { type: "chart", data: 1, more: 2 },
      { type: "chart", data: { data: 1, more: 2 } },
    ],
    [
      { type: "constructor", a: 1 },
      { type: "constructor", data: { a: 1 } },
    ],
  ])("the foreign block %j survives as %j (P-MSG-5)", (block, expected) => {
    expectExactly(DisplayBlock, [block, expected]);
  });

  test("a known type with a field missing is not taken for a foreign one (P-MSG-5)", () => {
    expect(validate(DisplayBlock, { type: "shell", command: "ls" })).toMatchObject({ ok: false });
    expect(validate(DisplayBlock, { text: "no type" })).toMatchObject({ ok: false });
  });
});

describe("messages of older peers and journals", () => {
  test("an ApprovalRequest without display blocks loads (P-MSG-5)", () => {
    const { payload } = requests.ApprovalRequest;
    const old = { id: "a", tool_call_id: "t", sender: "s", action: "a", description: "d" };
    expect(validate(payload, old)).toMatchObject({ ok: true, value: { display: [] } });
  });

  test("a SubagentEvent with task_tool_call_id is read, and what is no event at all is not (P-MSG-10)", () => {
    const event = { type: "Comet", payload: 1 };
    expect(validate(events.SubagentEvent, { task_tool_call_id: "t", event })).toMatchObject({
      ok: true,
      value: { parent_tool_call_id: "t", event },
    });
    for (const broken of [null, "x", {}, { event: "x" }, { event: { payload: {} } }]) {
      expect(validate(events.SubagentEvent, broken)).toMatchObject({ ok: false });
    }
  });
});
