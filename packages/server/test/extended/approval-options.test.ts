// Approvals with ways of their own to answer, with scopes and with a text to change, towards every kind of client.

import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { modelAgent, scriptedModel } from "../../../agent/src/index.js";
import {
  ApprovalRequest,
  defineTool,
  keepIn,
  requireApproval,
  type ServerOptions,
  wireSend,
} from "../../src/index.js";
import { detailedLog, temporaryFolder } from "../journal-folder.js";
import { payload } from "../raw-client.js";
import { callLine, delegating, scenario, toolResult } from "../scenario.js";
import { everything, meetAsked, meetExtended } from "./extended-client.js";

type Init = Parameters<typeof requireApproval>[0];
type Options = NonNullable<Init["options"]>;

const program = (value: string) => ({ kind: "program", value });
/** Ways to answer that three words suffice for. */
const plain: Options = [
  { id: "once", kind: "allow" },
  { id: "git", kind: "allow", scope: program("git") },
];
const twoScopes: Options = [
  { id: "once", kind: "allow" },
  { id: "file", kind: "allow", scope: { kind: "file", value: "a.txt" } },
  { id: "all", kind: "allow", scope: { kind: "action" } },
];
/** Ways for which three words do not suffice. */
const targets: Options = [
  { id: "staging", label: "Deploy to staging", kind: "allow" },
  { id: "production", label: "Deploy to production", kind: "allow" },
  { id: "later", label: "Not today", kind: "reject" },
  { id: "never", label: "Never", kind: "reject" },
];
const edit = { content: "git status", language: "bash", max_length: 20 };

/** A server with a tool that asks for one approval after another, so many in a turn, and tells what came of each. */
function approving(
  inits: readonly Partial<Init>[],
  options: Partial<ServerOptions> = {},
  callsOfATurn = inits.length,
) {
  let call = 0;
  const tool = defineTool({
    name: "Act",
    description: "acts",
    parameters: z.object({}),
    async run() {
      const init = inits[call];
      call += 1;
      return JSON.stringify(await requireApproval({ action: "act", description: "x", ...init }));
    },
  });
  const lines = inits.map((_, index) => callLine("Act", {}, `tc-${index + 1}`));
  const scripts = lines.flatMap((line, index) =>
    (index + 1) % callsOfATurn === 0 ? [line, "text: b"] : [line],
  );
  return scenario(scripts, { tools: [tool], ...options });
}

/** The events that tell of a settled approval, without ids, clients and times. */
const settled = ({ events }: { events(type?: string): { payload: Record<string, unknown> }[] }) =>
  events("InteractionSettled").map(({ payload }) => {
    const { status, by, degraded } = payload.outcome as Record<string, unknown>;
    return { status, by, response: payload.response, ...(degraded !== undefined && { degraded }) };
  });

describe("an approval with options, towards a client that declared approval_options", () => {
  test("an approval lists its options with words for what the asker left out, and a way to reject (P-XAO-1, P-XAO-2)", async () => {
    const { client, prompt, asked } = await meetAsked("ApprovalRequest", approving([{ options: plain }]));
    expect(payload(asked).options).toEqual([
      { id: "once", label: "Approve", kind: "allow" },
      {
        id: "git",
        label: "Approve git for this session",
        kind: "allow",
        scope: { kind: "program", value: "git", text: "further plain “git” commands too" },
      },
      { id: "reject", label: "Reject", kind: "reject" },
    ]);
    expect((await client.answer(asked, { option: "once" })).error).toBeUndefined();
    expect(await toolResult(client)).toMatchObject({ output: '{"option":"once"}' });
    expect(settled(client)).toEqual([
      { status: "answered", by: "human", response: { response: "approve", feedback: "", option: "once" } },
    ]);
    expect(payload(await client.seen("ApprovalResponse"))).toMatchObject({ response: "approve" });
    await prompt;
  });

  test("an approval has no options of its own where its asker names none, and is answered by a word (P-XAO-1)", async () => {
    const { client, prompt, asked } = await meetAsked("ApprovalRequest", approving([{}]));
    expect(Object.keys(payload(asked))).not.toContain("options");
    expect(Object.keys(payload(asked))).not.toContain("edit");
    await client.answer(asked, { response: "approve" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });

  test("an approval covers the scope of the chosen option and nothing else, in later calls and open ones (P-XAO-4)", async () => {
    const of = (value: string) => ({
      options: [
        { id: "once", kind: "allow" as const },
        { id: value, kind: "allow" as const, scope: program(value) },
      ],
    });
    const asks = [of("git"), of("git"), of("gti"), of("GIT"), { ...of("git"), action: "other" }, of("git")];
    const { client } = await meetExtended(approving(asks));
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { option: "git" });
    for (const [n, option] of [
      [2, "once"],
      [3, "once"],
      [4, "once"],
    ] as const) {
      await client.answer(await client.asked("ApprovalRequest", n), { option });
    }
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.requests()).toHaveLength(4);
    expect(await toolResult(client, 2)).toMatchObject({ output: '{"option":"git"}' });
  });

  test("an approval that is rejected for the session rejects what is equal, which ends no turn (P-XAO-4, P-APR-5)", async () => {
    const options: Options = [
      ...plain,
      { id: "no", kind: "reject" },
      { id: "never", kind: "reject", scope: program("git") },
    ];
    const { client } = await meetExtended(approving([{ options }, { options: plain }, { options }]));
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { option: "never", feedback: "no git" });
    // An approval that offers to allow it, but not to reject it, is asked.
    await client.answer(await client.asked("ApprovalRequest", 2), { option: "git" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(await toolResult(client, 3)).toMatchObject({ is_error: false });
  });

  test("an approval tells the model which of several ways to reject was chosen, and the turn continues (P-XAO-1, P-APR-5)", async () => {
    const { client } = await meetExtended(approving([{ options: targets }]));
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { option: "later" });
    expect((await toolResult(client)).message).toContain("do what they said: Not today");
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.story()).toContain("ContentPart");
  });

  test("an approval with options comes from a sub-agent too, with its id (P-XAO-1, P-SUB-2)", async () => {
    const tool = defineTool({
      name: "Act",
      description: "acts",
      parameters: z.object({}),
      run: async () =>
        JSON.stringify(await requireApproval({ action: "act", description: "x", options: targets })),
    });
    const model = scriptedModel([callLine("Act", {}, "inner-1"), "text: done"]);
    const agent = modelAgent({ model, tools: [tool] });
    const task = delegating({ agent, type: "helper", input: "act" });
    const { client, prompt, asked } = await meetAsked(
      "ApprovalRequest",
      scenario([callLine(task.name, {}), "text: b"], { tools: [task] }),
    );
    expect(payload(asked)).toMatchObject({ subagent_type: "helper", options: targets });
    await client.answer(asked, { option: "production" });
    expect((await prompt).result).toEqual({ status: "finished" });
  });
});

test("a session remembers its last thousand decisions at least, and asks again about the oldest of many more (P-XAO-4)", async () => {
  const of = (value: string) =>
    new ApprovalRequest({
      tool_call_id: "tc",
      sender: "Act",
      action: "act",
      description: "x",
      options: [
        { id: "once", kind: "allow" },
        { id: "all", kind: "allow", scope: program(value) },
      ],
    });
  const outcomes: (string | undefined)[] = [];
  async function run() {
    for (let n = 1; n <= 2_000; n += 1) {
      const request = of(`program ${n}`);
      wireSend(request);
      request.resolve({ option: "all" });
    }
    for (const value of ["program 2000", "program 1001", "program 1"]) {
      const request = of(value);
      wireSend(request);
      outcomes.push(request.outcome?.by);
    }
  }
  const set = scenario([], { agent: { run }, attendance: "hold" });
  await set.server.createSession().prompt("go");
  expect(outcomes).toEqual(["policy", "policy", undefined]);
});

describe("everything is approved", () => {
  const lasting: Options = [{ id: "all", kind: "allow", scope: { kind: "action" } }];

  test("approving everything takes the one option that allows this call alone, and keeps nothing of it (P-XAO-4)", async () => {
    const { client, session } = await meetExtended(
      approving([{ options: twoScopes }, { options: twoScopes }], { yolo: true }, 1),
    );
    const prompt = client.call("prompt", { user_input: "go" });
    expect(await toolResult(client)).toMatchObject({ output: '{"option":"once"}' });
    await prompt;
    expect(client.requests()).toEqual([]);
    session.yolo = false;
    const again = client.call("prompt", { user_input: "again" });
    await client.answer(await client.asked("ApprovalRequest"), { option: "once" });
    await again;
  });

  test.each([
    ["several options allow this call", { options: targets }, "staging"],
    ["every option that allows lasts", { options: lasting }, "all"],
    ["whoever asks wants a person", { options: twoScopes, person_only: true }, "file"],
  ])(
    "approving everything takes no option where %s: that is for a person to say (P-XAO-10)",
    async (_, init, chosen) => {
      const { client, session } = await meetExtended(approving([init, init], { yolo: true }, 1));
      for (const turn of [1, 2]) {
        const prompt = client.call("prompt", { user_input: "go" });
        await client.answer(await client.asked("ApprovalRequest", turn), { option: chosen });
        await prompt;
        // An approval that lasts covers the next one, except where a person is wanted.
        if (chosen === "all") return expect(session.pending).toEqual([]);
      }
    },
  );
});

describe("a text to change", () => {
  test("a text to change is sent with its bound, and what the person made of it is what the tool gets (P-XAO-3)", async () => {
    const { client, prompt, asked } = await meetAsked(
      "ApprovalRequest",
      approving([{ edit, options: plain }]),
    );
    expect(payload(asked).edit).toEqual(edit);
    await client.answer(asked, { option: "once", edited: "git log" });
    expect(await toolResult(client)).toMatchObject({ output: '{"option":"once","edited":"git log"}' });
    expect(settled(client)).toMatchObject([{ response: { response: "approve", edited: "git log" } }]);
    await prompt;
  });

  test("a text to change that is also the value of the chosen scope is covered as it was changed, not as it was before (P-XAO-4)", async () => {
    const of = (command: string) => ({
      edit: { content: command },
      options: [
        { id: "once", kind: "allow" as const },
        { id: "command", kind: "allow" as const, scope: { kind: "command", value: command } },
      ],
    });
    const { client } = await meetExtended(approving([of("rm -r a"), of("rm -r a"), of("ls a")]));
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { option: "command", edited: "ls a" });
    await client.answer(await client.asked("ApprovalRequest", 2), { option: "reject", feedback: "no" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(settled(client).map(({ by }) => by)).toEqual(["human", "human"]);
    expect(await toolResult(client, 3)).toMatchObject({ output: '{"option":"command"}' });
  });

  test("a changed text that is too long for every client to be told is refused, and the approval stays open (P-LIM-4)", async () => {
    const limits = { outboundLength: 16_000 };
    const { client, prompt, asked } = await meetAsked(
      "ApprovalRequest",
      approving([{ edit: { content: "a" } }], { limits }),
    );
    const refused = await client.answer(asked, { response: "approve", edited: "x".repeat(16_000) });
    expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining("characters") });
    expect((await client.answer(asked, { response: "approve", edited: "b" })).error).toBeUndefined();
    expect(settled(client)).toMatchObject([{ response: { edited: "b" } }]);
    await prompt;
  });

  test("a text that is equal to what it was has not changed (P-XAO-3)", async () => {
    const { client } = await meetExtended(approving([{ edit }]));
    const prompt = client.call("prompt", { user_input: "go" });
    await client.answer(await client.asked("ApprovalRequest"), { response: "approve", edited: "git status" });
    expect(await toolResult(client)).toMatchObject({ output: "{}" });
    await prompt;
  });

  test("a text to change is not sent to a client that did not declare edits, and its outcome says so (P-XAO-3, P-XAO-6)", async () => {
    const shows = { ...everything, edits: false };
    const { client, prompt, asked } = await meetAsked(
      "ApprovalRequest",
      approving([{ edit }]),
      {},
      { shows },
    );
    expect(Object.keys(payload(asked))).not.toContain("edit");
    const refused = await client.answer(asked, { response: "approve", edited: "x" });
    expect(codesOf(refused)).toEqual(["not_negotiated"]);
    await client.answer(asked, { response: "approve" });
    expect(settled(client)).toMatchObject([{ degraded: [{ feature: "edit" }] }]);
    await prompt;
  });
});

function codesOf({ error }: { error?: { data?: unknown } }): string[] {
  const { issues } = (error?.data ?? { issues: [] }) as { issues: { code: string }[] };
  return issues.map(({ code }) => code);
}

describe("an answer that does not fit", () => {
  const refusing = {
    ...edit,
    check: (text: string) => (text.trim() === "" ? "expected a command" : undefined),
  };

  test.each<[what: string, init: Partial<Init>, said: object, codes: string[]]>([
    ["no option", { options: plain }, {}, ["missing"]],
    ["an option that was not offered", { options: plain }, { option: "sudo" }, ["unknown_option"]],
    [
      "an option named like a part of every object",
      { options: plain },
      { option: "__proto__" },
      ["unknown_option"],
    ],
    ["a word in place of an option", { options: plain }, { response: "approve" }, ["missing", "unexpected"]],
    ["a word beside an option", { options: plain }, { option: "once", response: "approve" }, ["unexpected"]],
    ["an option where there are none", {}, { option: "approve" }, ["missing", "unexpected"]],
    ["a changed text where there is none to change", {}, { response: "approve", edited: "x" }, ["edited"]],
    ["a changed text beside a rejection", { edit }, { response: "reject", edited: "x" }, ["edited"]],
    [
      "one beside an option that rejects",
      { edit, options: plain },
      { option: "reject", edited: "x" },
      ["edited"],
    ],
    ["a text over its bound", { edit }, { response: "approve", edited: "x".repeat(21) }, ["edited"]],
    ["a text that the asker refuses", { edit: refusing }, { response: "approve", edited: " " }, ["edited"]],
    ["items", { options: plain }, { option: "once", items: [] }, ["unexpected"]],
    [
      "a changed text that is declined",
      { edit },
      { outcome: { status: "declined" }, edited: "x" },
      ["unexpected"],
    ],
    [
      "an option that is declined",
      { options: plain },
      { outcome: { status: "declined" }, option: "once" },
      ["unexpected"],
    ],
  ])(
    "an answer with %s is refused, and the approval stays open (P-XAN-4, P-XAO-1, P-XAO-3)",
    async (_, init, said, codes) => {
      const { client, prompt, asked } = await meetAsked("ApprovalRequest", approving([init]));
      expect(codesOf(await client.answer(asked, said))).toEqual(codes);
      expect(client.events("InteractionSettled")).toEqual([]);
      const right = init.options === undefined ? { response: "approve" } : { option: "once" };
      expect((await client.answer(asked, right)).error).toBeUndefined();
      await prompt;
    },
  );
});

describe("a client without approval_options", () => {
  const shows = { ...everything, approval_options: false };

  test.each([
    ["approve", plain, undefined, "once"],
    ["approve_for_session", plain, undefined, "git"],
    ["approve_for_session", twoScopes, "file", "file"],
    ["approve_for_session", [{ id: "once", kind: "allow" }] as Options, undefined, "once"],
  ] as const)(
    "a client without approval_options says %s of three words, which stands for an option (P-XAO-5)",
    async (response, options, for_session, chosen) => {
      const init = { options, ...(for_session !== undefined && { for_session }) };
      const { client } = await approving([init]).meet();
      const { prompt, asked } = await client.begin("ApprovalRequest");
      expect(Object.keys(payload(asked))).not.toContain("options");
      client.reply(asked, { request_id: asked.id, response });
      expect(await toolResult(client)).toMatchObject({ output: JSON.stringify({ option: chosen }) });
      await prompt;
    },
  );

  test("a client of the extended profile without approval_options says one of three words too, and the lost features are listed (P-XAO-5, P-XAO-6)", async () => {
    const { client, prompt, asked } = await meetAsked(
      "ApprovalRequest",
      approving([{ options: plain }]),
      {},
      { shows },
    );
    expect(Object.keys(payload(asked))).not.toContain("options");
    expect(codesOf(await client.answer(asked, { response: "approve", option: "once" }))).toEqual([
      "not_negotiated",
    ]);
    await client.answer(asked, { response: "approve" });
    expect(settled(client)).toMatchObject([
      { response: { option: "once" }, degraded: [{ feature: "approval_options" }] },
    ]);
    await prompt;
  });

  test("an approval in words is covered for the session by the option that the word stands for (P-XAO-4, P-XAO-5)", async () => {
    const { client } = await approving([{ options: plain }, { options: plain }]).meet();
    const { prompt, asked } = await client.begin("ApprovalRequest");
    client.reply(asked, { request_id: asked.id, response: "approve_for_session" });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(client.story().filter((word) => word === "ask ApprovalRequest")).toHaveLength(1);
  });

  test("an approval is asked as a question too where two options last, and nobody says which the word for the session means (P-XAO-5)", async () => {
    const two = [
      plain[0],
      { id: "a", kind: "allow", scope: program("a") },
      { id: "b", kind: "allow", scope: program("b") },
    ];
    const { client } = await approving([{ options: two as never }]).meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: {} });
    await prompt;
  });

  test("an approval is asked as a question where words do not suffice, and its label is the option (P-XAO-5)", async () => {
    const display = [
      { type: "shell" as const, language: "bash", command: "deploy ``` now" },
      { type: "diff" as const, path: "a.txt", old_text: "one\ntwo", new_text: "one\n2" },
    ];
    const { client } = await approving([{ options: targets, display }]).meet();
    const { prompt, asked } = await client.begin("QuestionRequest");
    expect(payload(asked)).toEqual({
      id: asked.id,
      tool_call_id: "tc-1",
      questions: [
        {
          question: "Act: x",
          header: "Approval",
          options: [
            { label: "Deploy to staging", description: "" },
            { label: "Deploy to production", description: "" },
            { label: "Not today", description: "" },
            { label: "Never", description: "" },
          ],
          multi_select: false,
          body: "````bash\ndeploy ``` now\n````\n\n`a.txt`\n\n```diff\n one\n-two\n+2\n```",
          other_label: "Reject, and say why",
          other_description: "",
        },
      ],
    });
    client.reply(asked, { request_id: asked.id, answers: { "Act: x": "Deploy to production" } });
    expect(await toolResult(client)).toMatchObject({ output: '{"option":"production"}' });
    await prompt;
  });

  test.each([
    [{ "Act: x": "yes, go" }, "do what they said: yes, go"],
    [{ "Act: x": "Never" }, "do what they said: Never"],
    [{ "Act: x": " " }, "closed this approval without an answer"],
    [{}, "closed this approval without an answer"],
    [{ other: "Deploy to staging" }, "closed this approval without an answer"],
  ])(
    "an approval that is asked as a question is not given by other words: %j (P-XAO-5)",
    async (answers, told) => {
      const { client } = await approving([{ options: targets }]).meet();
      const { prompt, asked } = await client.begin("QuestionRequest");
      client.reply(asked, { request_id: asked.id, answers });
      const result = await toolResult(client);
      expect(result).toMatchObject({ is_error: true });
      expect(result.message).toContain(told);
      expect(result.message).not.toContain("The client said");
      await prompt;
    },
  );

  test("a client of the extended profile answers an approval that is asked as a question by ids (P-XAO-5)", async () => {
    const { client, prompt, asked } = await meetAsked(
      "QuestionRequest",
      approving([{ options: targets }]),
      {},
      { shows },
    );
    const items = [{ question_id: "approval", selected: ["staging"] }];
    expect(codesOf(await client.answer(asked, { option: "staging" }))).toEqual(["missing", "unexpected"]);
    await client.answer(asked, { items });
    expect(await toolResult(client)).toMatchObject({ output: '{"option":"staging"}' });
    expect(client.events("InteractionSettled")[0]?.payload).toMatchObject({ kind: "approval" });
    await prompt;
  });

  test.each([
    ["base", {}],
    ["extended", { askwire: { revision: 3 } }],
  ])(
    "a client without approval_options and questions counts as one that cannot show the approval, in the %s profile (P-XAO-5, P-CAP-2)",
    async (_, capabilities) => {
      const { client } = await approving([{ options: targets }]).meet({}, capabilities);
      await client.call("prompt", { user_input: "go" });
      const result = await toolResult(client);
      expect(result).toMatchObject({ is_error: true });
      expect(result.message).toContain("(unsupported)");
      expect(client.story().some((word) => word.startsWith("ask "))).toBe(false);
    },
  );
});

describe("whoever asks is told of options that do not fit, with the place", () => {
  const one = { id: "a", kind: "allow" as const };
  test.each<[Partial<Init>, string]>([
    [{ options: [] }, 'options: expected one of kind "allow" at least'],
    [{ options: [one, { ...one, label: "B" }] }, "options: expected ids that differ"],
    [{ options: [one, { id: "b", kind: "allow" }] }, "options: expected labels that differ"],
    [{ options: [{ ...one, id: "" }] }, "options[0].id: expected 1 to 128 characters"],
    [{ options: [{ ...one, label: " " }] }, "options[0].label: expected words"],
    [{ options: [{ ...one, kind: "maybe" as never }] }, 'options[0].kind: expected "allow" or "reject"'],
    [
      { options: [{ ...one, scope: { kind: "host", value: "x" } }] },
      'options[0].scope.text: expected words for the scope "host"',
    ],
    [
      {
        options: Array.from({ length: 10_000 }, (_, n) => ({
          id: `o${n}`,
          label: `O${n}`,
          kind: "allow" as const,
        })),
      },
      "options: expected at most 64",
    ],
    [
      { options: plain, for_session: "once" },
      "for_session: expected the id of an option that allows with a scope",
    ],
    [{ edit: { content: "abc", max_length: 2 } }, "edit.content: expected at most 2 characters, found 3"],
    [{ edit: { content: "", max_length: 0 } }, "edit.max_length: expected a whole number from 1 on"],
  ])("options that do not fit are reported to the asker, with the place: %#", (init, message) => {
    const given = { tool_call_id: "tc", sender: "Act", action: "act", description: "x", ...init };
    expect(() => new ApprovalRequest(given)).toThrow(new TypeError(message));
  });
});

test("an approval is kept whole, with the option and the changed text, and replayed so (P-JRN-5, P-XRP-1)", async () => {
  const sessionId = "11111111-1111-4111-8111-111111111111";
  const keep = keepIn({ share: temporaryFolder(), workDir: "/work", log: detailedLog() });
  const first = approving([{ options: targets, edit }], { keep });
  const { client, prompt, asked } = await meetAsked("ApprovalRequest", first, { sessionId });
  await client.answer(asked, { option: "staging", edited: "git log" });
  await prompt;
  await first.server.close();
  const { client: later } = await meetExtended(scenario(["text: x"], { keep }), { sessionId });
  await later.call("replay");
  expect(later.events("ApprovalRequest").map(({ payload }) => payload)).toMatchObject([
    { id: asked.id, options: targets, edit },
  ]);
  expect(later.events("InteractionSettled").at(-1)?.payload.response).toEqual({
    response: "approve",
    feedback: "",
    option: "staging",
    edited: "git log",
  });
});

describe("clients of every kind on one session (P-INT-3, P-XAO-1, P-XAO-5)", () => {
  test.each([
    ["options", "the base client hears it"],
    ["question", "the extended client hears it"],
  ])(
    "an approval is shown to clients of every kind as each can show it, and answered once: by %s, and %s",
    async (way) => {
      const set = approving([{ options: targets }]);
      const session = set.server.createSession();
      const { client: one } = await meetExtended(set, { session });
      const { client: two } = await set.meet({ session });
      const { prompt, asked: byOptions } = await one.begun("ApprovalRequest");
      const byQuestion = await two.seen("QuestionRequest");
      expect(byQuestion.id).toBe(byOptions.id);
      if (way === "options") await one.answer(byOptions, { option: "staging" });
      else two.reply(byQuestion, { request_id: byQuestion.id, answers: { "Act: x": "Deploy to staging" } });
      expect(await toolResult(one)).toMatchObject({ output: '{"option":"staging"}' });
      expect(payload(await two.seen("ApprovalResponse"))).toEqual({
        request_id: byOptions.id,
        response: "approve",
        feedback: "",
      });
      expect(settled(one)).toMatchObject([{ response: { option: "staging" } }]);
      expect((await one.answer(byOptions, { option: "production" })).error?.code).toBe(-32010);
      await prompt;
    },
  );
});
