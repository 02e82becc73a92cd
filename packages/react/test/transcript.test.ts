import type { ClientTurn, QuestionView } from "@askwire/client";
import type { WireEvent } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { openRequests } from "../src/index.js";
import { shownEntries } from "../src/transcript/shown-entries.js";
import { withoutAskedCalls } from "../src/transcript/without-asked-calls.js";
import {
  atOnce,
  begin,
  call,
  end,
  event,
  imagePart,
  outcome,
  plain,
  result,
  say,
  settled,
  shown,
  think,
} from "./told-events.js";

/** The end of a turn that was seen whole. */
const finished = {
  ...{ kind: "end", files: 0, waited: 0, at: expect.any(Number), took: expect.any(Number) },
};

describe("the transcript of a conversation", () => {
  test("a transcript joins the pieces of a text and of a thought, and begins another text with each step", () => {
    expect(shown(think("a"), think("b"), say("c"), say("d"), event("StepBegin", { n: 2 }), say("e"))).toEqual(
      [
        { kind: "thought", text: "ab" },
        { kind: "text", text: "cd" },
        { kind: "text", text: "e" },
      ],
    );
  });

  test("a transcript has who prompted: this page, another client, or the server's program", () => {
    const store = atOnce();
    store.prompting({ id: "mine" } as ClientTurn);
    for (const one of [
      begin("a", "mine", "page"),
      end(),
      begin("b", "t2", "terminal"),
      end(),
      begin("c", "t3"),
    ])
      store.handlers.event(one);
    expect(plain(store.current().entries)).toEqual([
      { kind: "prompt", said: ["a"], by: { name: "page", connection: "c" }, isOwn: true },
      finished,
      { kind: "prompt", said: ["b"], by: { name: "terminal", connection: "c" }, isOwn: false },
      finished,
      { kind: "prompt", said: ["c"], isOwn: false },
    ]);
    expect(store.current().isRunning).toBe(true);
  });

  test("a transcript has calls with their arguments and results, also where two run at once", () => {
    expect(
      shown(
        call("1", "Shell", '{"com'),
        event("ToolCallPart", { arguments_part: 'mand":"ls"}' }),
        call("2", "Read", "{}"),
        result("1", "a.txt"),
        result("2", "no", { is_error: true, display: [{ type: "brief", text: "gone" }] }),
      ),
    ).toEqual([
      {
        ...{ kind: "call", id: "1", name: "Shell", args: '{"command":"ls"}', inner: [] },
        result: { isError: false, output: ["a.txt"], display: [] },
      },
      {
        ...{ kind: "call", id: "2", name: "Read", args: "{}", inner: [] },
        result: { isError: true, output: ["no"], display: [{ type: "brief", text: "gone" }] },
      },
    ]);
  });

  test("a transcript gives a result to the last call with an id that is used again", () => {
    const entries = shown(call("1", "A", "{}"), result("1", "a"), call("1", "B", "{}"), result("1", "b"));
    expect(entries).toMatchObject([{ result: { output: ["a"] } }, { result: { output: ["b"] } }]);
  });

  test("a transcript has the work of a sub-agent in its call, also of one within another", () => {
    const from = (parent_tool_call_id: string, inner: WireEvent) =>
      event("SubagentEvent", { parent_tool_call_id, agent_id: "x", subagent_type: "scout", event: inner });
    expect(
      shown(
        call("1", "Task", "{}"),
        say("meanwhile"),
        from("1", call("2", "Task", "{}")),
        from("1", from("2", say("deep"))),
        from("1", { type: "Unknown", payload: {} } as unknown as WireEvent),
        from("nowhere", say("lost")),
      ),
    ).toMatchObject([
      { kind: "call", agent: "scout", inner: [{ kind: "call", inner: [{ kind: "text", text: "deep" }] }] },
      { kind: "text", text: "meanwhile" },
    ]);
  });

  test("a transcript keeps the last 200 parts of a sub-agent's work", () => {
    const inner = Array.from({ length: 250 }, (_, at) =>
      event("SubagentEvent", { parent_tool_call_id: "1", event: call(String(at), "Read", "{}") }),
    );
    const [entry] = shown(call("1", "Task", "{}"), ...inner) as { inner: { id: string }[] }[];
    expect(entry?.inner.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, at) => String(at + 50)));
  });

  test("a transcript shows how a turn ended, also of one that never did", () => {
    expect(shown(begin("a"), end(), begin("b"), end({ status: "cancelled" }))).toMatchObject([
      { kind: "prompt" },
      { kind: "end" },
      { kind: "prompt" },
      { kind: "note", event: { type: "TurnEnd" } },
    ]);
    expect(shown(begin("a"), begin("b", "t2"))).toMatchObject([
      { kind: "prompt", said: ["a"] },
      { kind: "left" },
      { kind: "prompt", said: ["b"] },
    ]);
    expect(shown(begin("a"), say("b"), begin("a"))).toHaveLength(2);
  });

  test("a transcript shows steers, plans, parts without text and notes, and nothing of unknown events", () => {
    expect(
      shown(
        event("SteerInput", { user_input: [{ type: "text", text: "and tests" }, imagePart] }),
        event("PlanDisplay", { content: "# Plan", file_path: "plan.md" }),
        event("ContentPart", imagePart),
        event("CompactionBegin"),
        event("StatusUpdate", { plan_mode: true }),
        event("StatusUpdate", { plan_mode: true }),
        event("HookResolved", { event: "Stop", target: "", action: "allow", reason: "", duration_ms: 1 }),
        { type: "unrecognized", payload: { type: "New", payload: {} } },
      ),
    ).toMatchObject([
      { kind: "steer", said: ["and tests", { part: "image_url" }] },
      { kind: "plan", text: "# Plan", path: "plan.md" },
      { kind: "part", type: "image_url" },
      { kind: "note", event: { type: "CompactionBegin" } },
      { kind: "note", event: { type: "StatusUpdate" } },
    ]);
  });
});

const question: QuestionView = {
  ...{ id: "q", tool_call_id: "1" },
  questions: [
    {
      ...{ id: "q1", question: "Which name?", header: "", options: [], multi_select: false, own_text: true },
      ...{ body: "", other_label: "", other_description: "" },
    },
  ],
};

describe("a request in a transcript", () => {
  test("a request is in the transcript from when it is put to the person, and has its end, whoever brought it", async () => {
    const requests = openRequests();
    const store = atOnce({ handlers: requests.handlers });
    const context = { signal: new AbortController().signal, issues: [], touch() {}, onDelivery() {} };
    void store.handlers.question?.(question, context);
    expect(requests.current()).toHaveLength(1);
    expect(plain(store.current().entries)).toEqual([
      {
        ...{ kind: "asked", id: "q", callId: "1", about: ["Which name?"], isApproval: false, options: [] },
        questions: [{ id: "q1", question: "Which name?", options: [] }],
      },
    ]);
    store.handlers.event(settled("q", "question", { answers: { "Which name?": "shop" }, items: [] }));
    expect(store.current().entries).toMatchObject([
      { settled: { outcome, answers: [["Which name?", ["shop"]]] } },
    ]);
  });

  test("a question stands once: its row takes the place of its call, and a call that did more stays", () => {
    const asking = (args: object, fields: object = {}) => {
      const store = atOnce({ handlers: openRequests().handlers });
      store.handlers.event(call("1", "AskUserQuestion", JSON.stringify({ questions: [args] })));
      const context = { signal: new AbortController().signal, issues: [], touch() {}, onDelivery() {} };
      void store.handlers.question?.(question, context);
      store.handlers.event(settled("q", "question", { answers: { "Which name?": "shop" }, items: [] }));
      store.handlers.event(
        result("1", "shop", { display: [{ type: "brief", text: "User answered" }], ...fields }),
      );
      return withoutAskedCalls(store.current().entries).map(({ kind }) => kind);
    };
    const asked = { question: "Which name?" };
    expect(asking(asked)).toEqual(["asked"]);
    expect(asking(asked, { is_error: true })).toEqual(["asked"]);
    expect(asking({ task: "set up" })).toEqual(["call", "asked"]);
    const diff = { type: "diff", path: "a", old_text: "", new_text: "a" };
    expect(asking(asked, { display: [diff] })).toEqual(["call", "asked"]);
  });

  test("an approval does not say again the command that the row of its call says", () => {
    const approval = (args: object | undefined, description: string) => {
      const store = atOnce({ handlers: openRequests().handlers });
      if (args !== undefined) store.handlers.event(call("1", "Shell", JSON.stringify(args)));
      const asked = {
        ...{ id: "a", tool_call_id: "1", sender: "Shell", action: "run command", description, display: [] },
      };
      const context = { signal: new AbortController().signal, issues: [], touch() {}, onDelivery() {} };
      void store.handlers.approval?.(asked as never, context);
      return shownEntries(store.current().entries).told.size;
    };
    const command = 'npm test -- "a"';
    expect(approval({ command }, `Run the command \`${command}\``)).toBe(1);
    expect(approval({ command }, command)).toBe(1);
    expect(approval({ command }, `Run the command \`${command}\` twice`)).toBe(0);
    expect(approval({ command: "ls" }, `Run the command \`${command}\``)).toBe(0);
    expect(approval(undefined, `Run the command \`${command}\``)).toBe(0);
  });

  test("a request that only its end reports is shown by its answer", () => {
    expect(
      shown(
        settled("q", "question", { answers: { "Which name?": "shop" } }),
        settled("h", "hook", {}),
        settled("a", "approval", { response: "reject", feedback: "no" }),
      ),
    ).toMatchObject([
      { kind: "asked", about: [], settled: { answers: [["Which name?", ["shop"]]] } },
      { kind: "asked", isApproval: true, settled: { approval: { response: "reject", feedback: "no" } } },
    ]);
  });

  test("an approval in the transcript ends with its answer in the base profile too", () => {
    const asked = {
      id: "a",
      tool_call_id: "1",
      sender: "Shell",
      action: "run command",
      description: "Lists",
    };
    const store = atOnce();
    store.handlers.history.request?.({ type: "ApprovalRequest", payload: asked } as never);
    store.handlers.history.end?.(true);
    store.handlers.event(event("ApprovalResponse", { request_id: "a", response: "reject", feedback: "no" }));
    store.handlers.event(event("ApprovalResponse", { request_id: "b", response: "approve" }));
    expect(plain(store.current().entries)).toMatchObject([
      {
        about: ["Shell: run command", "Lists"],
        settled: { approval: { response: "reject", feedback: "no" } },
      },
    ]);
  });

  test("a request of the history is in the transcript once, though it is open and comes again", () => {
    const store = atOnce({ handlers: openRequests().handlers });
    const { history } = store.handlers;
    history.request?.({ type: "QuestionRequest", payload: question } as never);
    history.end?.(true);
    void store.handlers.question?.(question, {
      ...{ signal: new AbortController().signal, issues: [], touch() {}, onDelivery() {} },
    });
    expect(store.current().entries).toHaveLength(1);
  });
});
