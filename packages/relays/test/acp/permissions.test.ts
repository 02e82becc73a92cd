import type { ApprovalReply, ApprovalView, QuestionView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { conversation, sharedConversation } from "./conversation.js";

const agent = await sharedConversation();

const options = [
  { optionId: "yes", name: "Yes, once", kind: "allow_once" },
  { optionId: "always", name: "Yes, and further edits", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
  { optionId: "never", name: "No, never", kind: "reject_always" },
];
const diff = { type: "diff", path: "/a/notes.md", oldText: "one\n", newText: "two\n" };
const toolCall = { toolCallId: "edit-1", title: "Change notes.md", kind: "edit", content: [diff] };
const ask = (change: object = {}) =>
  agent.act("request", "session/request_permission", { toolCall, options, ...change });
const selected = (optionId: string) => ({ result: { outcome: { outcome: "selected", optionId } } });

describe("a permission", () => {
  test("a permission shows the difference and the agent's own options, under their names and ids", async () => {
    let view: ApprovalView | undefined;
    agent.person.approval = (shown) => {
      view = shown;
      return { option: "yes" };
    };
    expect(await ask()).toEqual(selected("yes"));
    expect(view).toMatchObject({
      tool_call_id: "edit-1",
      sender: "Change notes.md",
      description: "Change notes.md",
      display: [{ type: "diff", path: "/a/notes.md", old_text: "one", new_text: "two" }],
      options: [
        { id: "yes", label: "Yes, once", kind: "allow" },
        { id: "always", label: "Yes, and further edits", kind: "allow", scope: { kind: "agent" } },
        { id: "no", label: "No", kind: "reject" },
        { id: "never", label: "No, never", kind: "reject", scope: { kind: "agent" } },
      ],
    });
    const types = agent.events.map(({ type }) => type);
    expect(types.indexOf("ToolCall")).toBeLessThan(types.indexOf("ApprovalResponse"));
  });

  test.each(["yes", "always", "no", "never"])(
    "a permission is answered with the option %s of the agent",
    async (optionId) => {
      agent.person.approval = () => ({ option: optionId });
      expect(await ask()).toEqual(selected(optionId));
    },
  );

  test("a permission for always is the agent's to remember: the next one is asked again", async () => {
    let asked = 0;
    agent.person.approval = () => {
      asked += 1;
      return { option: "always" };
    };
    await ask();
    await ask();
    expect(asked).toBe(2);
  });

  test("a permission shows a command, and of other calls the text, the places and the arguments", async () => {
    const shown: unknown[] = [];
    agent.person.approval = ({ display }) => {
      shown.push(display);
      return { option: "no" };
    };
    await ask({
      toolCall: { toolCallId: "x", title: "Run", kind: "execute", rawInput: { command: ["rm", "a b"] } },
    });
    const content = [{ type: "content", content: { type: "text", text: "Fetches a page" } }];
    await ask({
      toolCall: {
        toolCallId: "y",
        title: "Fetch",
        content,
        locations: [{ path: "/a" }],
        rawInput: { url: "https://a.b" },
      },
    });
    expect(shown).toEqual([
      [{ type: "shell", language: "sh", command: "rm a b" }],
      [
        { type: "brief", text: "Fetches a page" },
        { type: "brief", text: "/a" },
        { type: "shell", language: "json", command: '{\n  "url": "https://a.b"\n}' },
      ],
    ]);
  });

  test("a permission with an option of a kind that nobody knows is a closed question", async () => {
    let view: QuestionView | undefined;
    agent.person.question = (shown) => {
      view = shown;
      return { items: [{ question_id: "q1", selected: ["later"] }] };
    };
    const unknown = [...options, { optionId: "later", name: "Ask me later", kind: "ask_again" }];
    expect(await ask({ options: unknown })).toEqual(selected("later"));
    expect(view?.questions).toMatchObject([
      {
        question: "Change notes.md: Change notes.md",
        own_text: false,
        body: expect.stringContaining("+two"),
      },
    ]);
    expect(view?.questions[0]?.options.map(({ id }) => id)).toEqual([
      "yes",
      "always",
      "no",
      "never",
      "later",
    ]);
  });

  test("a permission with options that are alike tells them apart", async () => {
    agent.person.approval = ({ options: shown = [] }) => {
      expect(shown.map(({ label }) => label)).toEqual(["Go (a, 1)", "Go (b, 2)", "No"]);
      return { option: shown[1]?.id ?? "" };
    };
    const alike = [
      { optionId: "a", name: "Go", kind: "allow_once" },
      { optionId: "b", name: "Go", kind: "allow_always" },
      { optionId: "c", name: "No", kind: "reject_once" },
    ];
    expect(await ask({ options: alike })).toEqual(selected("b"));
  });

  test("a permission that is rejected in words is followed by a prompt with them", async () => {
    agent.person.approval = () => ({ option: "no", feedback: "use the other file" });
    const text = await agent.script(["request", "session/request_permission", { toolCall, options }]);
    expect(text).toContain(JSON.stringify(selected("no")));
    expect(text).toContain('You said: About "Change notes.md", which was rejected: use the other file');
  });

  test("a permission without a way to reject may be rejected, which the agent hears as cancelled", async () => {
    agent.person.approval = () => "reject";
    expect(await ask({ options: options.slice(0, 1) })).toEqual({
      result: { outcome: { outcome: "cancelled" } },
    });
  });

  test("a permission of another conversation is refused", async () => {
    expect(await ask({ sessionId: "another" })).toMatchObject({ error: { code: -32602 } });
  });

  test("a permission that offers two options of one id is refused, since no answer could tell them apart", async () => {
    const alike = { optionId: "no", name: "Not now", kind: "reject_once" };
    expect(await ask({ options: [...options, alike] })).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining("options[4].optionId: expected ids that differ"),
      },
    });
  });

  test("a permission without options is cancelled at once, and the person is told so", async () => {
    expect(await ask({ options: [] })).toEqual({ result: { outcome: { outcome: "cancelled" } } });
    await expect
      .poll(() => agent.events.filter(({ type }) => type === "Notification").map(({ payload }) => payload))
      .toMatchObject([
        { title: expect.stringContaining("without saying what can be answered: Change notes.md") },
      ]);
  });

  test("a permission whose only way to reject lasts is rejected for this call alone, and the agent reads why", async () => {
    agent.person.approval = () => ({ response: "reject", feedback: "use the other file" });
    const lasting = options.filter(({ kind }) => kind !== "reject_once");
    const text = await agent.script([
      "request",
      "session/request_permission",
      { toolCall, options: lasting },
    ]);
    expect(text).toContain('"outcome":"cancelled"');
    expect(text).toContain('About "Change notes.md", which was rejected: use the other file');
  });

  test("a permission whose first way to reject lasts is rejected for this call by whoever only declines", async () => {
    agent.person.approval = () => "reject";
    expect(await ask({ options: options.toReversed() })).toEqual(selected("no"));
  });

  test.each([
    ["an approval", options],
    ["a question", [...options, { optionId: "later", name: "Ask me later", kind: "ask_again" }]],
  ])(
    "a permission that was shown as %s and ends by a failure puts no words into a person's mouth",
    async (_, offered) => {
      agent.person.approval = agent.person.question = () => {
        throw new Error("the window is broken");
      };
      const text = await agent.script([
        "request",
        "session/request_permission",
        { toolCall, options: offered },
      ]);
      expect(text).toContain('"outcome":"cancelled"');
      expect(text).not.toContain("You said");
    },
  );

  test("a permission that does not fit is refused, and the place is named", async () => {
    expect(await ask({ options: [{ optionId: 1 }] })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining("options[0].optionId: expected string") },
    });
  });
});

test("nobody's silence is a decision: without anybody the agent hears cancelled, and why", async () => {
  const alone = await conversation({ server: { attendance: "decline" } });
  expect(await alone.act("request", "session/request_permission", { toolCall, options })).toEqual({
    result: {
      outcome: { outcome: "cancelled" },
      _meta: { "askwire.dev/outcome": { status: "unavailable", reason: "unattended", by: "policy" } },
    },
  });
});

describe("a server that approves everything", () => {
  const yolo = (change: object, asked: ApprovalReply) =>
    conversation({ server: { yolo: true } }).then((agent) => {
      agent.person.approval = () => asked;
      return agent.act("request", "session/request_permission", { toolCall, options, ...change });
    });

  test("a server that approves everything chooses the option for this call alone", async () => {
    expect(await yolo({}, { option: "no" })).toEqual(selected("yes"));
  });

  test.each([
    [
      "a choice, since several options allow this call",
      { options: [...options, { optionId: "2", name: "Two", kind: "allow_once" }] },
      "2",
    ],
    ["what lasts", { options: options.slice(1) }, "no"],
    [
      "a change of mode, such as the end of planning",
      { toolCall: { ...toolCall, kind: "switch_mode" } },
      "always",
    ],
  ])("a server that approves everything leaves to the person %s (P-XAO-10)", async (_, change, chosen) => {
    expect(await yolo(change, { option: chosen })).toEqual(selected(chosen));
  });
});

test("a hook that blocks the call rejects it, and the person is not asked", async () => {
  const hook = {
    event: "PreToolUse" as const,
    matcher: "",
    run: async () => ({ block: "no" }),
  };
  const hooked = await conversation({ client: { hooks: [hook] } });
  expect(await hooked.act("request", "session/request_permission", { toolCall, options })).toEqual(
    selected("no"),
  );
});

describe("questions that an agent asks by a permission, as Qwen Code does", () => {
  const questions = [
    {
      question: "Which database?",
      header: "DB",
      options: [
        { label: "SQLite", description: "One file" },
        { label: "PostgreSQL", description: "A server" },
      ],
    },
    {
      question: "Which targets?",
      header: "Targets",
      options: [
        { label: "linux", description: "" },
        { label: "mac", description: "" },
      ],
      multiSelect: true,
    },
  ];
  const asked = {
    toolCall: { toolCallId: "ask-1", title: "Ask", rawInput: { questions } },
    options: [
      { optionId: "proceed_once", name: "Submit", kind: "allow_once" },
      { optionId: "cancel", name: "Cancel", kind: "reject_once" },
    ],
  };

  test("a person sees the questions, and the agent reads the answers by their positions", async () => {
    let view: QuestionView | undefined;
    agent.person.question = (shown) => {
      view = shown;
      return {
        items: [
          { question_id: "q1", selected: ["q1_o2"] },
          { question_id: "q2", selected: ["q2_o1", "q2_o2"], own_text: "bsd" },
        ],
      };
    };
    expect(await ask(asked)).toEqual({
      result: { ...selected("proceed_once").result, answers: { 0: "PostgreSQL", 1: "linux, mac, bsd" } },
    });
    expect(view?.questions).toMatchObject([
      { question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
      { question: "Which targets?", multi_select: true },
    ]);
  });

  test("a person who does not want to answer cancels, and nothing is sent in their name", async () => {
    agent.person.question = () => ({ declined: "dismissed" });
    expect(await ask(asked)).toEqual(selected("cancel"));
  });
});
