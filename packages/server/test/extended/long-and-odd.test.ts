import { randomUUID } from "node:crypto";
import type { MessageChannel } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { servedSession } from "../../src/session/served-session.js";
import { callLine, scenario } from "../scenario.js";
import { until } from "../until.js";
import {
  approval,
  asking,
  everything,
  extended,
  introduction,
  items,
  meetExtended,
  question,
  twoAsked,
} from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const weather = { name: "Weather", description: "Tells the weather.", parameters: { type: "object" } };
const open = { id: "name", question: "Which name?", options: [] };
const longest = 17 * 1024 * 1024;

describe("messages too long to be told (P-LIM-4, P-XST-1)", () => {
  test.each<[string, object]>([
    ["own text", { items: [{ question_id: "name", selected: [], own_text: "x".repeat(longest) }] }],
    [
      "own text that grows when it is written",
      {
        items: [{ question_id: "name", selected: [], own_text: "\u0001".repeat(4 * 1024 * 1024) }],
      },
    ],
    ["a note", { outcome: { status: "declined", note: "x".repeat(longest) } }],
  ])(
    "an answer with %s is refused and the question stays open, or everybody is told of it",
    async (_, said) => {
      const set = await twoAsked(() => [question({ questions: [open] })]);
      const { error } = await set.one.answer(set.asked, said);
      await set.two.settled();
      if (error === undefined) expect(set.two.events("InteractionSettled")).toHaveLength(1);
      else {
        expect(set.session.pending.length).toBe(1);
        const short = [{ question_id: "name", selected: [], own_text: "Ann" }];
        expect((await set.one.answer(set.asked, { items: short })).error).toBeUndefined();
      }
      expect((await set.prompt).result).toEqual({ status: "finished" });
    },
  );

  test("too long feedback to an approval is refused, or everybody is told of it", async () => {
    const set = await twoAsked(() => [approval()]);
    const said = { response: "reject", feedback: "x".repeat(longest) };
    const { error } = await set.one.answer(set.asked, said);
    await set.two.settled();
    if (error === undefined) {
      expect(set.two.events("InteractionSettled")).toHaveLength(1);
      expect(set.two.events("ApprovalResponse")).toHaveLength(1);
    } else expect((await set.one.answer(set.asked, { response: "approve" })).error).toBeUndefined();
    expect((await set.prompt).result).toEqual({ status: "finished" });
  });

  test("a tool call whose result is longer is settled for everybody nevertheless, and its result is cut", async () => {
    const set = scenario([callLine("Weather", {}), "text: b"]);
    const { client, session } = await meetExtended(set, {}, { external_tools: [weather] });
    const { client: other } = await meetExtended(set, { session });
    const { prompt, asked: call } = await client.begin("ToolCallRequest");
    const return_value = {
      is_error: false,
      output: "x".repeat(longest),
      message: "",
      display: [],
      extras: null,
    };
    client.reply(call, { tool_call_id: call.id, return_value });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(other.events("ToolResult")).toHaveLength(1);
    expect(other.events("InteractionSettled")).toMatchObject([{ payload: { kind: "tool_call" } }]);
  });
});

describe("messages nested too deep for a client to read (P-LIM-3, P-XAT-3)", () => {
  const nested = (levels: number) => {
    let value: unknown = "core";
    for (let n = 0; n < levels; n += 1) value = { value };
    return value;
  };

  test("a prompt whose TurnBegin would be nested too deep is refused, one level less is sent to everybody", async () => {
    const set = asking(() => []);
    const { client } = await meetExtended(set);
    const prompt = (levels: number) =>
      client.call("prompt", { user_input: [{ type: "text", text: "x", more: nested(levels) }] });
    expect((await prompt(60)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("user_input: expected at most 61 levels of nesting"),
    });
    expect((await prompt(59)).result).toEqual({ status: "finished" });
    expect(client.events("TurnBegin")).toHaveLength(1);
  });

  test("an event of more bytes than a client takes has no number either (P-LIM-1)", async () => {
    const { client, session } = await meetExtended(asking(() => []));
    for (const text of ["a", "\u754c".repeat(12 * 1024 * 1024), "b"]) {
      session.broadcast({ type: "ContentPart", payload: { type: "text", text } });
    }
    await client.settled();
    expect(client.events().map(({ seq, payload }) => [seq, payload.text])).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
  });

  test("an event that is nested too deep has no number, and what comes after it is no hole", async () => {
    const set = asking(() => []);
    const { client, session } = await meetExtended(set);
    for (const levels of [1, 70, 2]) {
      const part = { type: "text" as const, text: "x", more: nested(levels) };
      session.broadcast({ type: "ContentPart", payload: part });
    }
    await client.settled();
    expect(client.events().map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe("a client whose name is long (P-XST-1, P-XTR-1, P-XAT-7)", () => {
  const name = "n".repeat(20_000);
  const limits = { outboundLength: 16_000 };

  test("a long name in the base profile does not keep extended clients from being told of the turn and of its answer", async () => {
    const set = asking(() => [question({ questions: [open] })], { limits });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session });
    const { client: base } = set.connect({ session });
    const capabilities = { supports_question: true };
    await base.call("initialize", { protocol_version: "1.10", client: { name }, capabilities });
    const { prompt, asked } = await base.begin("QuestionRequest");
    base.reply(asked, { request_id: asked.id, answers: { "Which name?": "Ann" } });
    expect((await prompt).result).toEqual({ status: "finished" });
    await client.settled();
    expect(client.events().map(({ type }) => type)).toEqual([
      "TurnBegin",
      "QuestionRequest",
      "InteractionSettled",
      "TurnEnd",
    ]);
  });

  test("a long name in the extended profile is refused with the name of the field, or works as any other", async () => {
    const set = asking(() => [question({ questions: [open] })], { limits });
    const session = set.server.createSession();
    const { client: other } = await meetExtended(set, { session });
    const client = extended(set.connect({ session }).client);
    const { error } = await client.introduce({ name });
    if (error !== undefined)
      return expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(/name/) });
    const { prompt, asked } = await client.begun("QuestionRequest");
    const said = [{ question_id: "name", selected: [], own_text: "Ann" }];
    expect((await client.answer(asked, { items: said })).error).toBeUndefined();
    await prompt;
    await other.settled();
    expect(other.events("InteractionSettled")).toHaveLength(1);
    expect(other.events("TurnBegin")).toHaveLength(1);
  });

  test("the longest prompt that is taken begins a turn that every client is told of", async () => {
    const set = asking(() => [], { limits });
    const session = set.server.createSession();
    const { client: other } = await meetExtended(set, { session });
    const { client } = await meetExtended(set, { session }, { name: "n".repeat(400) });
    const turn_id = (n: number) => "\u0001".repeat(128 - n);
    let begun = 0;
    for (let n = 0; n < 60 && begun === 0; n += 1) {
      const user_input = "x".repeat(limits.outboundLength - 64 * n);
      const { error } = await client.call("prompt", { user_input, turn_id: turn_id(n) });
      if (error === undefined) begun = user_input.length;
      else expect(error.code).toBe(-32602);
    }
    await other.settled();
    expect(begun).toBeGreaterThan(0);
    expect(other.events("TurnBegin")).toMatchObject([{ payload: { user_input: "x".repeat(begun) } }]);
  });
});

describe("words of others that are long (P-XST-1, P-XTR-1, P-XAN-9)", () => {
  const limits = { outboundLength: 16_000 };
  const long = "w".repeat(20_000);

  test("extended clients are told that the turn failed, however long the agent's error is", async () => {
    const run = async () => {
      throw new Error(long);
    };
    const { client } = await meetExtended(scenario([], { run, limits }));
    expect((await client.call("prompt", { user_input: "go" })).error?.code).toBe(-32603);
    expect(client.events("TurnEnd")).toMatchObject([{ payload: { status: "failed" } }]);
  });

  /** A question before a base client that reacts in its own way, and who is told how it ended. */
  async function beforeBase(closed = false) {
    const made = { ...open, ...(closed && { own_text: false, options: [{ label: "Ann" }] }) };
    const set = asking(() => [question({ questions: [made] })], { limits });
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session }, { question: false });
    const { client: base } = await set.meet({ session });
    const { prompt, asked } = await base.begin("QuestionRequest");
    return { client, base, asked, prompt };
  }

  test("extended clients are told that a base client failed, however long its error is", async () => {
    const { client, base, asked, prompt } = await beforeBase();
    base.replyError(asked, -1, long);
    await prompt;
    await client.settled();
    expect(client.events("InteractionSettled")).toMatchObject([
      { payload: { outcome: { status: "unavailable", reason: "protocol_error" } } },
    ]);
  });

  test("extended clients are told that a base client wants to discuss, however long its own text is where none counts", async () => {
    const { client, base, asked, prompt } = await beforeBase(true);
    base.reply(asked, { request_id: asked.id, answers: { "Which name?": long } });
    await prompt;
    await client.settled();
    expect(client.events("InteractionSettled")).toMatchObject([
      { payload: { outcome: { reason: "discuss" } } },
    ]);
  });

  test("extended clients are told what one of them cannot show, at whatever length it says so", async () => {
    for (const reason of ["unsupported", "protocol_error"]) {
      const set = asking(() => [question()], { limits });
      const { client } = await meetExtended(set);
      const { prompt, asked } = await client.begin("QuestionRequest");
      await client.cannot(asked, reason, long);
      await prompt;
      expect(client.events("InteractionSettled")).toMatchObject([
        { payload: { outcome: { status: "unavailable", reason } } },
      ]);
    }
  });

  test("an answer that comes late is reported with the outcome, however long its note is", async () => {
    const set = await twoAsked(undefined, { limits });
    const note = "n".repeat(11_000);
    expect(
      (await set.one.answer(set.asked, { outcome: { status: "declined", note } })).error,
    ).toBeUndefined();
    const { error } = await set.two.answer(set.asked, { items });
    expect(error).toMatchObject({ code: -32010, data: { outcome: { status: "declined" } } });
    await set.prompt;
    expect(set.two.events("InteractionSettled")).toHaveLength(1);
  });
});

describe("a connection that ends while its introduction is replied to (P-EXT-2, P-INI-5)", () => {
  test.each([{}, { client_id: randomUUID() }])(
    "a connection that ends while its introduction is replied to leaves no tool and no hook behind (%j)",
    async (shows) => {
      const set = scenario([]);
      const session = set.server.createSession();
      let listening: Parameters<MessageChannel["listen"]>[0] | undefined;
      const channel: MessageChannel = {
        send: () => listening?.closed(),
        listen: (sink) => {
          listening = sink;
        },
        close: () => {},
        drained: () => Promise.resolve(),
      };
      const { closed } = set.server.connect(channel, { session, graceMs: 30_000 });
      const hooks = [{ id: "h", event: "Stop" }];
      const params = introduction({ shows, external_tools: [weather], hooks });
      listening?.message(JSON.stringify({ jsonrpc: "2.0", id: "1", method: "initialize", params }));
      await closed;
      expect([
        session.connections,
        servedSession(session).externalTools,
        servedSession(session).hooks.has("Stop"),
      ]).toEqual([0, [], false]);
    },
  );
});

describe("odd text (P-FRM-3, P-FRM-4, P-XAN-2)", () => {
  test("line separators and lone surrogates reach the tool and the others as text", async () => {
    const set = await twoAsked(() => [question({ questions: [open] })]);
    const escaped = String.raw`a\u2028b\u2029c\ud800d\u0000`;
    const answer = { request_id: set.asked.id, answer_id: "a", outcome: { status: "answered" } };
    const params = `${JSON.stringify(answer).slice(0, -1)},"items":[{"question_id":"name","selected":[],"own_text":"${escaped}"}]}`;
    set.one.send(`{"jsonrpc":"2.0","id":"odd","method":"answer","params":${params}}`);
    expect((await set.prompt).result).toEqual({ status: "finished" });
    const own_text = "a\u2028b\u2029c\ufffdd\u0000";
    expect(set.two.events("InteractionSettled")[0]?.payload.response).toMatchObject({
      answers: { "Which name?": own_text },
      items: [{ own_text }],
    });
  });

  test("a question that is called like a part of every object is answered by its id", async () => {
    const odd = { ...open, id: "constructor", question: "toString" };
    const set = await twoAsked(() => [question({ questions: [odd] })]);
    const said = [{ question_id: "constructor", selected: [], own_text: "x" }];
    expect((await set.one.answer(set.asked, { items: said })).error).toBeUndefined();
    await set.prompt;
    expect(await set.opened[0]?.wait()).toEqual({ toString: "x" });
  });

  test("members that nobody knows are ignored, at every level (P-ENV-10)", async () => {
    const set = await twoAsked();
    const more = items.map((item) => ({ ...item, mood: "good" }));
    const outcome = { status: "answered", mood: "good" };
    expect((await set.one.answer(set.asked, { items: more, outcome, mood: 1 })).error).toBeUndefined();
    await set.prompt;
    expect(set.two.events("InteractionSettled")[0]?.payload.outcome).not.toHaveProperty("mood");
  });
});

describe("a turn by an id that the server gave it (P-XTR-2)", () => {
  test("a turn by an id that the server gave it is waited for, and its result is sent again", async () => {
    const set = await twoAsked();
    const turn_id = set.two.events("TurnBegin")[0]?.payload.turn_id;
    const again = set.two.call("prompt", { user_input: "go", turn_id });
    await set.one.answer(set.asked, { items });
    expect((await again).result).toEqual({ status: "finished" });
    expect((await set.two.call("prompt", { user_input: "go", turn_id })).result).toEqual({
      status: "finished",
    });
    expect(set.two.events("TurnBegin")).toHaveLength(1);
  });
});

describe("a connection that was replaced and does not know it yet (P-XAT-1)", () => {
  test("a connection that was replaced and does not know it yet starts no turn, no longer attaches and takes nothing back from the new one", async () => {
    const set = await listeningExtended([callLine("Weather", {}), "text: b"]);
    const session = set.server.createSession();
    const same = { shows: { ...everything, client_id: randomUUID() } };
    const one = await set.joinExtended(`/wire/${session.id}`, { ...same, external_tools: [weather] });
    one.socket.pause();
    const two = await set.joinExtended(`/wire/${session.id}`, same);
    void one.call("prompt", { user_input: "from the old one" });
    void one.introduce({ ...same, external_tools: [] });
    void one.call("set_plan_mode", { enabled: true });
    await set.refused("/elsewhere");
    await two.settled();
    expect([two.isClosed, two.events(), session.connections]).toEqual([false, [], 1]);
    expect(servedSession(session).externalTools).toHaveLength(1);
    one.socket.resume();
    expect(await one.ended).toMatch(/^4409/);
    await until(() => session.connections === 1);
    await two.settled();
    expect([two.isClosed, servedSession(session).externalTools.length]).toEqual([false, 1]);
  });
});

describe("a session that is closing (P-CLO-2)", () => {
  test("an extended client that comes while its session closes is closed, and the question is not put to it", async () => {
    const set = await twoAsked();
    const late = extended(set.connect({ session: set.session }).client);
    const closing = set.session.close();
    void late.introduce();
    await closing;
    await until(() => late.isClosed);
    expect(late.requests()).toEqual([]);
  });
});
