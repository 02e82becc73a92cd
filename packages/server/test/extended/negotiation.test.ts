import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { payload } from "../raw-client.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import {
  asking,
  attached,
  everything,
  extended,
  introduction,
  meetExtended,
  normalized,
  states,
} from "./extended-client.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const askwireOf = (capabilities: unknown) => (capabilities as { askwire?: Record<string, unknown> }).askwire;

describe("the features that both sides declare (P-XNG-1, P-XNG-2)", () => {
  test("the result of initialize has what base clients are told, and where the client is attached (P-XNG-1, P-XAT-4)", async () => {
    const { connect } = scenario([]);
    const { client, session } = connect();
    const { result, error } = await extended(client).introduce();
    expect(error).toBeUndefined();
    expect(Object.keys(result ?? {}).sort()).toEqual(
      ["capabilities", "hooks", "protocol_version", "server", "session", "slash_commands"].sort(),
    );
    expect(result?.capabilities).toEqual({
      supports_question: true,
      askwire: {
        revision: 3,
        ...everything,
        quorum: true,
        presence: true,
        do_not_ask: true,
        history: true,
        ask: true,
        to: true,
        alive: true,
        call_output: true,
      },
    });
    expect(result?.session).toEqual({
      id: session.id,
      stream: expect.stringMatching(uuid),
      connection: expect.stringMatching(uuid),
      seq: 0,
      state: "idle",
      plan_mode: false,
      pending: [],
      reset: false,
    });
  });

  test.each<[string, object]>([
    ["a later revision", { revision: 7 }],
    ["keys that nobody knows", { revision: 3, holograms: true, previews: true }],
    ["nothing but the revision", { revision: 3 }],
    ["a client_id in capitals", { revision: 3, client_id: randomUUID().toUpperCase() }],
  ])("a declaration with %s is accepted, and revision 3 holds (P-XNG-1, P-XNG-2)", async (_, askwire) => {
    const { client } = scenario([]).connect();
    const capabilities = { supports_question: true, askwire };
    const { result } = await client.call("initialize", { protocol_version: "1.10", capabilities });
    expect(askwireOf(result?.capabilities)).toMatchObject({ revision: 3 });
    expect(result?.session).toMatchObject({ seq: 0 });
  });

  test.each<[string, object | undefined]>([
    ["without capabilities", undefined],
    ["with those of the base profile", { supports_question: true }],
    ["with null for askwire", { supports_question: true, askwire: null }],
    ["with a revision that is gone", { supports_question: true, askwire: { revision: 2, previews: true } }],
  ])("a client %s is told exactly what the base profile says (P-XNG-1)", async (_, capabilities) => {
    const { client } = scenario([]).connect();
    const { result } = await client.call("initialize", { protocol_version: "1.10", capabilities });
    expect(Object.keys(result ?? {}).sort()).toEqual(
      ["capabilities", "hooks", "protocol_version", "server", "slash_commands"].sort(),
    );
    expect(result?.capabilities).toEqual({ supports_question: true });
  });

  test.each<[unknown, string]>([
    [{}, "revision"],
    [{ revision: 0 }, "revision"],
    [{ revision: "1" }, "revision"],
    [{ revision: 1.5 }, "revision"],
    [{ revision: 3, client_id: "me" }, "client_id"],
    [{ revision: 3, client_id: 7 }, "client_id"],
    [{ revision: 3, previews: "yes" }, "previews"],
    [{ revision: 3, deadline: 1 }, "deadline"],
    [1, "askwire"],
    [[], "askwire"],
  ])(
    "the declaration %j is refused with the name of the field, and the client may try again (P-XNG-1)",
    async (askwire, field) => {
      const { client } = scenario([]).connect();
      const { error } = await client.call("initialize", {
        protocol_version: "1.10",
        capabilities: { askwire },
      });
      expect([error?.code, error?.data]).toEqual([-32602, null]);
      expect(error?.message).toContain(field);
      expect(attached(await extended(client).introduce()).state).toBe("idle");
    },
  );

  test.each([
    ["an id that is no text", { id: 1 }],
    ["a number that is below 0", { id: "x", after_seq: -1 }],
    ["a number that is no integer", { id: "x", after_seq: 1.5 }],
  ])("a session with %s is refused, and the client may try again (P-XAT-2)", async (_, session) => {
    const { client } = scenario([]).connect();
    const { error } = await client.call("initialize", introduction({ session }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("session") });
    expect(attached(await extended(client).introduce()).state).toBe("idle");
  });
});

describe("the first request decides the profile for good (P-XNG-3)", () => {
  test.each([
    ["prompt", { user_input: "go" }],
    ["set_plan_mode", { enabled: false }],
    ["steer", { user_input: "go" }],
    ["cancel", undefined],
    ["replay", undefined],
  ])("a client that begins with %s stays in the base profile", async (method, params) => {
    const { client } = scenario(["text: hello", "text: hello"]).connect();
    await client.call(method, params);
    const { result } = await extended(client).introduce();
    expect([askwireOf(result?.capabilities), result?.session]).toEqual([undefined, undefined]);
    await client.call("prompt", { user_input: "go" });
    for (const message of client.received) expect(message).not.toHaveProperty("params.seq");
    expect((await client.call("touch", { request_id: "x" })).error?.code).toBe(-32601);
  });

  test("a base client that declares the extended profile later stays a base client", async () => {
    const { client } = await scenario(["text: hello"]).meet();
    const { result } = await extended(client).introduce();
    expect([askwireOf(result?.capabilities), result?.session]).toEqual([undefined, undefined]);
    await client.call("prompt", { user_input: "go" });
    expect(states(client)).toEqual([]);
  });

  test("a base client that declares the extended profile later and names a session stays where it is (P-ENV-10)", async () => {
    const { client } = await scenario(["text: hello"]).meet();
    const { result, error } = await extended(client).introduce({ session: { id: "another" } });
    expect([error, result?.session]).toEqual([undefined, undefined]);
  });

  test("an extended client that no longer declares the profile stays one, under its client_id", async () => {
    const set = scenario(["text: hello"]);
    const session = set.server.createSession();
    const client_id = randomUUID();
    const { client } = await meetExtended(set, { session }, { shows: { ...everything, client_id } });
    const again = await client.call("initialize", {
      protocol_version: "1.10",
      capabilities: { supports_question: true },
    });
    expect(askwireOf(again.result?.capabilities)).toMatchObject({ revision: 3 });
    expect(attached(again).id).toBe(session.id);
    await client.call("prompt", { user_input: "go" });
    expect(client.events("TurnBegin")[0]?.seq).toBeGreaterThan(0);
    await meetExtended(set, { session }, { shows: { client_id } });
    expect(client.isClosed).toBe(true);
  });

  test("a later client_id does not replace the first", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const [first, later] = [randomUUID(), randomUUID()];
    const { client } = await meetExtended(set, { session }, { shows: { client_id: first } });
    await client.introduce({ shows: { client_id: later } });
    const other = await meetExtended(set, { session }, { shows: { client_id: later } });
    await other.client.settled();
    expect([client.isClosed, other.client.isClosed]).toEqual([false, false]);
    await meetExtended(set, { session }, { shows: { client_id: first } });
    expect([client.isClosed, other.client.isClosed]).toEqual([true, false]);
  });
});

describe("methods of the extended profile (P-XNG-4)", () => {
  const calls: [string, object][] = [
    ["answer", { request_id: "x", answer_id: "x", outcome: { status: "answered" } }],
    ["touch", { request_id: "x" }],
    ["list_sessions", {}],
    ["create_session", {}],
    ["close_session", { session_id: "x" }],
  ];

  test.each(calls)(
    "%s is not there for a base client, before and after initialize",
    async (method, params) => {
      const { client } = scenario([]).connect();
      expect((await client.call(method, params)).error?.code).toBe(-32601);
      await client.call("initialize", {
        protocol_version: "1.10",
        capabilities: { supports_question: true },
      });
      expect((await client.call(method, params)).error?.code).toBe(-32601);
      expect((await client.call(method, { wrong: true })).error?.code).toBe(-32601);
    },
  );

  test.each(calls.slice(2))(
    "%s is not there where one connection has one session",
    async (method, params) => {
      const { client } = await meetExtended(scenario([]));
      expect((await client.call(method, params)).error?.code).toBe(-32601);
    },
  );

  test("answer and touch are there for an extended client", async () => {
    const { client } = await meetExtended(scenario([]));
    expect((await client.call("answer", {})).error?.code).toBe(-32602);
    expect((await client.call("touch", {})).error?.code).toBe(-32602);
  });
});

describe("beside each other (P-XNG-5)", () => {
  const scripts = [
    `text: hm\n${asks()}`,
    callLine("Shell", {}, "tc-2"),
    callLine("Shell", {}, "tc-3"),
    "text: done",
  ];

  /** What a base client is sent in a turn with a question and approvals, alone or beside an extended one. */
  async function baseSide(withExtended: boolean) {
    const set = scenario(scripts, { tools: [approvedTool("Shell")] });
    const session = set.server.createSession();
    if (withExtended) await meetExtended(set, { session });
    const { client } = await set.meet({ session });
    const { prompt, asked } = await client.begin("QuestionRequest");
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    for (const n of [1, 2]) {
      const action = await client.seen("ApprovalRequest", n);
      client.reply(action, { request_id: action.id, response: "approve" });
    }
    await prompt;
    await client.settled();
    return client.received.filter(({ method, id }) => method !== undefined || id === "c2");
  }

  test("a base client is sent the very same messages as without the extended one", async () => {
    expect(normalized(await baseSide(true))).toEqual(normalized(await baseSide(false)));
  });

  test("an extended client is told every event, whatever version it declares", async () => {
    const set = asking(() => []);
    const session = set.server.createSession();
    const { client } = await meetExtended(set, { session }, { protocol_version: "1.1" });
    const { client: older } = set.connect({ session });
    await older.call("initialize", { protocol_version: "1.1" });
    await session.notify({
      category: "agent",
      type: "done",
      source_kind: "task",
      source_id: "t",
      title: "Done",
      body: "",
      severity: "info",
    });
    await older.settled();
    expect(payload(await client.seen("Notification"))).toMatchObject({ title: "Done" });
    expect(older.story()).not.toContain("Notification");
  });
});
