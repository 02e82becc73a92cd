import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { conversation, openConversation } from "./conversation.js";

let agent: Awaited<ReturnType<typeof openConversation>>;
beforeAll(async () => {
  agent = await openConversation();
  return () => agent.close();
});
beforeEach(() => void agent.events.splice(0));

const types = () => agent.events.map(({ type }) => type);

test("a prompt reaches an ACP agent, and its words come back as a step of the turn", async () => {
  expect(await agent.say("hello")).toBe("You said: hello");
  expect(types().filter((type) => type !== "CommandsChanged")).toEqual([
    "TurnBegin",
    "StepBegin",
    "ContentPart",
    "StatusUpdate",
    "TurnEnd",
  ]);
});

test("the agent's name and its commands are known to the client", async () => {
  await expect.poll(() => agent.session.slashCommands.map(({ name }) => name)).toContain("review");
  expect(await agent.say("/review src")).toBe("You said: /review src");
  expect(agent.told("CommandsChanged")).toEqual([]);
});

test("thoughts, pictures, sounds and links of an agent are parts of its content", async () => {
  const chunk = (content: object) => ["update", { sessionUpdate: "agent_message_chunk", content }];
  await agent.script(
    ["update", { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } }],
    chunk({ type: "image", data: "iVBORw0=", mimeType: "image/png" }),
    chunk({ type: "audio", data: "UklGRg==", mimeType: "audio/wav" }),
    chunk({ type: "resource_link", name: "notes", uri: "file:///notes.md" }),
    chunk({ type: "resource", resource: { uri: "file:///a.txt", text: "in it" } }),
  );
  expect(agent.told("ContentPart")).toMatchObject([
    { type: "think", think: "Hm." },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0=", id: null } },
    { type: "audio_url", audio_url: { url: "data:audio/wav;base64,UklGRg==", id: null } },
    { type: "text", text: "[notes](file:///notes.md)" },
    { type: "text", text: "in it" },
  ]);
});

test("a person's text, picture, sound, film and link are content of the prompt", async () => {
  await agent.session.prompt([
    { type: "text", text: '[["prompt"]]' },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0=", id: null } },
    { type: "audio_url", audio_url: { url: "data:audio/wav;base64,UklGRg==", id: null } },
    { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA", id: null } },
    { type: "image_url", image_url: { url: "https://example.com/a.png", id: null } },
  ]).result;
  const [{ text }] = agent.told("ContentPart") as { text: string }[] as [{ text: string }];
  expect(JSON.parse(text).slice(1)).toEqual([
    { type: "image", data: "iVBORw0=", mimeType: "image/png" },
    { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "attachment:4", mimeType: "video/mp4", blob: "AAAA" } },
    { type: "resource_link", name: "image 5", uri: "https://example.com/a.png" },
  ]);
});

describe("a tool call of an agent", () => {
  const call = { toolCallId: "call-1", title: "Read notes.md", kind: "read" };
  const began = { sessionUpdate: "tool_call", ...call, status: "pending" };
  const changed = (change: object) => [
    "update",
    { sessionUpdate: "tool_call_update", toolCallId: "call-1", ...change },
  ];

  test("a tool call is sent once its arguments are known, and its result once it has ended; then another step begins", async () => {
    await agent.script(
      ["say", "I look."],
      ["update", { ...began, rawInput: {} }],
      changed({ rawInput: { path: "notes.md" } }),
      changed({ status: "in_progress" }),
      changed({
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "# Notes" } }],
      }),
      ["say", "Done."],
    );
    expect(types()).toEqual([
      "TurnBegin",
      "StepBegin",
      "ContentPart",
      "ToolCall",
      "StatusUpdate",
      "ToolResult",
      "StepBegin",
      "ContentPart",
      "StatusUpdate",
      "TurnEnd",
    ]);
    expect(agent.told("ToolCall")).toMatchObject([
      { id: "call-1", function: { name: "Read notes.md", arguments: '{"path":"notes.md"}' } },
    ]);
    expect(agent.told("ToolResult")).toMatchObject([
      { tool_call_id: "call-1", return_value: { is_error: false, output: "# Notes" } },
    ]);
  });

  test("the text of a running tool call is told as what it has printed (P-XCO-1)", async () => {
    const content = [{ type: "content", content: { type: "text", text: "one\ntwo" } }];
    const own = await conversation();
    const run = own.session.prompt(
      JSON.stringify([["update", began], changed({ status: "in_progress", content }), ["hang"]]),
    );
    await expect.poll(() => own.printed).toEqual([{ tool_call_id: "call-1", text: "one\ntwo", lines: 2 }]);
    await own.session.cancel();
    expect(await run.result).toEqual({ status: "cancelled" });
  });

  test("a tool call without arguments is sent with its places when the agent continues", async () => {
    await agent.script(
      ["update", { ...began, name: "Read", locations: [{ path: "/a/notes.md", line: 3 }] }],
      ["say", "."],
    );
    expect(types().slice(2, 4)).toEqual(["ToolCall", "ContentPart"]);
    expect(agent.told("ToolCall")).toMatchObject([
      { function: { name: "Read", arguments: '{"title":"Read notes.md","paths":["/a/notes.md:3"]}' } },
    ]);
  });

  test("a tool call that the agent leaves without an end is reported as one whose end nobody knows", async () => {
    await agent.script(["update", { ...began, rawInput: { path: "a" } }]);
    expect(agent.told("ToolResult")).toMatchObject([
      { return_value: { is_error: true, message: "The agent did not tell how this call ended." } },
    ]);
  });

  test("a tool call that fails is a failed result, with the raw output where there is no content", async () => {
    await agent.script(["update", began], changed({ status: "failed", rawOutput: { error: "gone" } }));
    expect(agent.told("ToolResult")).toMatchObject([
      { return_value: { is_error: true, output: '{\n  "error": "gone"\n}' } },
    ]);
  });

  test("a tool call that changes files shows the differences, and one that runs a command the command", async () => {
    const diff = {
      type: "diff",
      path: "/a/notes.md",
      oldText: "1\n2\n3\n4\n5\n6\n",
      newText: "1\n2\n3\n4\n5\nsix\n",
    };
    await agent.script(
      ["update", { ...began, kind: "edit", status: "completed", content: [diff] }],
      [
        "update",
        { ...began, toolCallId: "call-2", kind: "execute", status: "completed", rawInput: { command: "ls" } },
      ],
    );
    const [edit, execute] = agent.told("ToolResult") as { return_value: { display: unknown } }[];
    expect(edit?.return_value.display).toEqual([
      {
        type: "diff",
        path: "/a/notes.md",
        old_text: "3\n4\n5\n6",
        new_text: "3\n4\n5\nsix",
        old_start: 3,
        new_start: 3,
        is_summary: false,
      },
    ]);
    expect(execute?.return_value.display).toEqual([{ type: "shell", language: "sh", command: "ls" }]);
  });

  test("a tool call may have an id that an earlier one had, and late news of an ended one are passed over", async () => {
    const whole = ["update", { ...began, status: "completed", rawInput: { path: "a" } }];
    await agent.script(whole, changed({ title: "late" }), whole);
    expect(types().filter((type) => type.startsWith("Tool"))).toEqual([
      "ToolCall",
      "ToolResult",
      "ToolCall",
      "ToolResult",
    ]);
  });
});

/** Updates as opencode-ai 1.18.33 sends them. */
const openCode = (id: string, kind: string, ...updates: object[]) =>
  updates.map((update, at) => [
    "update",
    { sessionUpdate: at === 0 ? "tool_call" : "tool_call_update", toolCallId: id, kind, ...update },
  ]);

test("a list of what is to do that OpenCode writes by a tool is shown as one, without its text", async () => {
  const todos = [
    { content: "Read the code", status: "in_progress", priority: "high", id: "1" },
    { content: "Write the test", status: "pending", priority: "medium", id: "2" },
  ];
  const text = JSON.stringify(todos, null, 2);
  await agent.script(
    ...openCode(
      "c0",
      "other",
      { title: "todowrite", status: "pending", locations: [], rawInput: {} },
      { title: "todowrite", status: "in_progress", locations: [], rawInput: { todos } },
      {
        ...{ title: "2 todos", status: "completed", rawOutput: { output: text, metadata: { todos } } },
        content: [{ type: "content", content: { type: "text", text } }],
      },
    ),
  );
  expect(agent.told("ToolCall")).toMatchObject([{ function: { name: "todowrite" } }]);
  const items = [
    { title: "Read the code", status: "in_progress" },
    { title: "Write the test", status: "pending" },
  ];
  expect(agent.told("ToolResult")).toMatchObject([
    { return_value: { output: "", display: [{ type: "todo", items }] } },
  ]);
});

test("a command of OpenCode's has its tool's name, the command and the output, each once", async () => {
  const cwd = "/work/shop";
  const rawInput = { command: "echo one; echo two", description: "Say two lines", cwd };
  const known = { title: rawInput.command, locations: [{ path: cwd }], rawInput };
  const content = [{ type: "content", content: { type: "text", text: "one\ntwo\n" } }];
  await agent.script(
    ...openCode(
      "c1",
      "execute",
      { title: "bash", status: "pending", locations: [{ path: cwd }], rawInput: { cwd } },
      { ...known, status: "in_progress" },
      { ...known, status: "in_progress", content },
      { title: rawInput.command, status: "completed", content, rawOutput: { output: "one\ntwo\n" } },
    ),
  );
  expect(agent.told("ToolCall")).toMatchObject([
    { function: { name: "bash", arguments: JSON.stringify(rawInput) } },
  ]);
  expect(agent.told("ToolResult")).toMatchObject([
    {
      return_value: {
        ...{ is_error: false, output: "one\ntwo\n" },
        display: [{ type: "shell", command: rawInput.command }],
      },
    },
  ]);
});

test("a plan is shown as a list of what is to do, each time it changes", async () => {
  const plan = (...statuses: string[]) => [
    "update",
    {
      sessionUpdate: "plan",
      entries: statuses.map((status, n) => ({ content: `Task ${n}`, priority: "high", status })),
    },
  ];
  await agent.script(
    plan("in_progress", "pending"),
    plan("in_progress", "pending"),
    plan("completed", "pending"),
  );
  const shown = (agent.told("ToolResult") as { return_value: { display: unknown[] } }[]).flatMap(
    ({ return_value }) => return_value.display,
  );
  expect(shown).toEqual([
    {
      type: "todo",
      items: [
        { title: "Task 0", status: "in_progress" },
        { title: "Task 1", status: "pending" },
      ],
    },
    {
      type: "todo",
      items: [
        { title: "Task 0", status: "done" },
        { title: "Task 1", status: "pending" },
      ],
    },
  ]);
});

test("use of the context, title, notices and compaction reach the session", async () => {
  await agent.script(
    ["update", { sessionUpdate: "usage_update", used: 50, size: 200, cost: { amount: 1, currency: "USD" } }],
    ["update", { sessionUpdate: "session_info_update", title: "Parsers" }],
    [
      "update",
      { sessionUpdate: "notice", severity: "warning", title: "Slow", description: "The model is busy." },
    ],
    ["update", { sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" }],
    ["update", { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" }],
  );
  expect(agent.session.status).toMatchObject({
    context_tokens: 50,
    max_context_tokens: 200,
    context_usage: 0.25,
  });
  expect(agent.server.listSessions()[0]?.title).toBe("Parsers");
  expect(agent.told("Notification")).toMatchObject([
    { severity: "warning", title: "Slow", body: "The model is busy.", type: "notice" },
  ]);
  expect(types()).toEqual(expect.arrayContaining(["CompactionBegin", "CompactionEnd"]));
});

test("what a person says in between is the next prompt in the same turn", async () => {
  agent.person.question = async () => {
    await agent.session.steer("and this");
    return "declined" as const;
  };
  const text = await agent.script([
    "request",
    "elicitation/create",
    { mode: "form", message: "?", requestedSchema: {} },
  ]);
  expect(text).toContain("You said: and this");
  expect(types().filter((type) => type === "TurnEnd")).toHaveLength(1);
});

test.each([
  ["max_tokens", "The agent has reached its limit of tokens"],
  ["refusal", "The agent refuses to go on"],
])("a turn that ends for the reason %s is finished, and says so", async (reason, title) => {
  await agent.script(["stop", reason]);
  expect(agent.told("Notification")).toMatchObject([{ title }]);
  expect(agent.told("TurnEnd")).toMatchObject([{ status: "finished" }]);
});

test("a turn that reaches the agent's limit of requests reports that as its result", async () => {
  const script = JSON.stringify([
    ["say", "a"],
    ["stop", "max_turn_requests"],
  ]);
  expect(await agent.session.prompt(script).result).toEqual({ status: "max_steps_reached", steps: 1 });
});

test("a prompt that the agent fails at ends with its words", async () => {
  const failing = agent.session.prompt(
    JSON.stringify([["fail", -32603, "Internal error", { details: "no model" }]]),
  );
  await expect(failing.result).rejects.toMatchObject({ code: -32003, message: "Internal error: no model" });
});

test("updates after the reply to the prompt are sent nevertheless", async () => {
  await agent.script(["after", { sessionUpdate: "session_info_update", title: "Later" }]);
  await expect.poll(() => agent.server.listSessions()[0]?.title).toBe("Later");
});

test("content that an agent does not take is refused, and the agent hears nothing", async () => {
  const plain = await conversation({ flags: ["plain"] });
  const image = {
    type: "image_url" as const,
    image_url: { url: "data:image/png;base64,iVBORw0=", id: null },
  };
  await expect(plain.session.prompt([image]).result).rejects.toMatchObject({ code: -32002 });
  expect(await plain.say("still there")).toBe("You said: still there");
});

test("an update that comes before the reply which opens its conversation counts", async () => {
  const early = await conversation({ flags: ["early"] });
  expect(early.session.slashCommands.map(({ name }) => name)).toContain("review");
});

test("the steps of a turn are limited, and the agent is stopped at the limit", async () => {
  const limited = await conversation({ server: { maxStepsPerTurn: 2 } });
  const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "Look", status: "completed" };
  const script = [...Array(5)].flatMap((_, n) => [
    ["say", "."],
    ["update", { ...call, toolCallId: `c${n}` }],
  ]);
  const prompted = limited.session.prompt(JSON.stringify([...script, ["untilCancelled"]]));
  expect(await prompted.result).toEqual({ status: "max_steps_reached", steps: 2 });
  expect(await limited.say("again")).toBe("You said: again");
});
