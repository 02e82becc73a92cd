import { describe, expect, onTestFinished, test } from "vitest";
import { ApprovalRequest, wireSend } from "../../src/index.js";
import { attachWebSocket, listenWebSocket } from "../../src/websocket.js";
import type { Message } from "../raw-client.js";
import { asks, scenario } from "../scenario.js";
import { everything, extended, type Introduction, meetExtended } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const red = [{ question_id: "q1", selected: ["q1_o1"] }];

/** A gateway with a second token, and an owner whose turn asks. */
async function gatewayWithRoles(scripts: readonly string[] = [asks(), "text: done"]) {
  const set = await listeningExtended(scripts, { listen: { answerToken: true } });
  const { answerToken = "" } = set.gateway;
  const owner = await set.joinExtended("/wire", { name: "owner" });
  const path = `/wire/${owner.found.id}`;
  return { ...set, owner, path, how: { token: answerToken } };
}

describe("a token for answering only (P-XRL-1)", () => {
  test("a token for answering only lets in a client that hears, sees and answers as any other (P-XRL-2, P-XRL-4)", async () => {
    const { owner, path, how, joinExtended } = await gatewayWithRoles();
    const person = await joinExtended(path, { name: "person" }, how);
    expect(person.found).toMatchObject({
      id: owner.found.id,
      role: "answer",
      permissions: ["see", "answer", "approve", "list"],
    });
    expect(owner.found).not.toHaveProperty("role");
    expect(owner.found).not.toHaveProperty("permissions");
    const prompt = owner.call("prompt", { user_input: "go" });
    const asked = await person.asked("QuestionRequest");
    expect((await person.call("touch", { request_id: asked.id })).result).toEqual({});
    const { result } = await person.answer(asked, { items: red });
    expect(result).toMatchObject({ outcome: { status: "answered", client: { name: "person" } } });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(person.events("TurnEnd")).toHaveLength(1);
    expect((await person.call("replay")).result).toMatchObject({ status: "finished" });
    expect((await person.call("list_sessions")).error).toBeUndefined();
    for (const method of ["watch_sessions", "unwatch_sessions", "list_requests", "watch_requests"])
      expect((await person.call(method)).error).toBeUndefined();
  });

  test("a token for answering only lets a client take itself off a request that it cannot show", async () => {
    const { owner, path, how, joinExtended } = await gatewayWithRoles();
    const person = await joinExtended(path, {}, how);
    void owner.call("prompt", { user_input: "go" });
    expect((await person.cannot(await person.asked("QuestionRequest"))).result).toEqual({});
  });

  test.each([
    ["prompt", { user_input: "go" }],
    ["steer", { user_input: "left" }],
    ["set_plan_mode", { enabled: true }],
    ["cancel", undefined],
    ["set_do_not_ask", { enabled: true }],
    ["ask", { key: "k", questions: [{ question: "Why?", options: [] }] }],
    ["create_session", undefined],
    ["close_session", undefined],
  ])(
    "a token for answering only refuses %s with a text that says so, and nothing changes (P-XRL-2)",
    async (method, params) => {
      const { owner, path, how, joinExtended, server } = await gatewayWithRoles();
      const person = await joinExtended(path, {}, how);
      const { id } = owner.found;
      void owner.call("prompt", { user_input: "go" });
      await person.asked("QuestionRequest");
      const sessions = server.sessions.size;
      const said = method === "close_session" ? { session_id: id } : params;
      const { error } = await person.call(method, said);
      expect(error).toEqual({
        code: -32014,
        message: `this connection is for answering only: \`${method}\` is for other clients`,
        data: null,
      });
      await person.settled();
      const session = server.sessions.get(id);
      expect([session?.running, session?.planMode, session?.pending.length]).toEqual([true, false, 1]);
      expect(server.sessions.size).toBe(sessions);
    },
  );

  test("a token for answering only refuses the same before initialize, and to a client of the base profile", async () => {
    const { path, how, openExtended } = await gatewayWithRoles();
    const base = await openExtended(path, how);
    expect((await base.call("prompt", { user_input: "go" })).error?.code).toBe(-32014);
    await base.call("initialize", { protocol_version: "1.10", client: { name: "base" } });
    expect((await base.call("cancel")).error?.code).toBe(-32014);
    expect((await base.call("answer", {})).error?.code).toBe(-32601);
  });

  test("a token for answering only makes no session: its client attaches to an existing one (P-XRL-3)", async () => {
    const { owner, how, openExtended, server } = await gatewayWithRoles();
    const before = server.sessions.size;
    const client = await openExtended("/wire", how);
    const { error } = await client.introduce();
    expect(error?.code).toBe(-32014);
    expect(error?.message).toContain("session.id: expected a session that is there");
    expect(server.sessions.size).toBe(before);
    const { result } = await client.introduce({ session: { id: owner.found.id } });
    expect(result?.session).toMatchObject({ id: owner.found.id, role: "answer" });
  });

  test("a token for answering only accepts neither tools nor hooks, and says so of the tools (P-XRL-3)", async () => {
    const { owner, path, how, openExtended, server } = await gatewayWithRoles();
    const client = await openExtended(path, how);
    const tool = { name: "Look", description: "", parameters: { type: "object" } };
    const hooks = [{ id: "h", event: "PreToolUse", matcher: "", timeout: 30 }];
    const { result } = await client.introduce({ external_tools: [tool], hooks });
    expect(result?.external_tools).toEqual({
      accepted: [],
      rejected: [{ name: "Look", reason: "this connection is for answering only" }],
    });
    expect(result?.hooks).toMatchObject({ configured: {} });
    void owner.call("prompt", { user_input: "go" });
    await client.asked("QuestionRequest");
    expect(client.events("HookTriggered")).toEqual([]);
    expect(server.sessions.size).toBeGreaterThan(0);
  });

  test("a token for answering only takes nothing over from a client that may do more, also under its client_id (P-XRL-5)", async () => {
    const set = await gatewayWithRoles();
    const client_id = "0f4c2f9e-6a57-4c39-9a0e-5b1ad2f0a111";
    const full = await set.joinExtended(set.path, { shows: { client_id } });
    const person = await set.joinExtended(set.path, { shows: { client_id } }, set.how);
    const again = await set.joinExtended(set.path, { shows: { client_id } }, set.how);
    expect(await person.ended).toMatch(/^4409/);
    await full.settled();
    expect([full.isClosed, again.isClosed]).toEqual([false, false]);
  });

  test("a token for answering only is compared whole: one that is nearly right is wrong", async () => {
    const { path, open, gateway } = await gatewayWithRoles();
    const stranger = await open(path, { token: `${gateway.answerToken}x` });
    expect(await stranger.ended).toBe("4401 the token is missing or wrong");
  });

  test.each([
    ["short", "answerToken: expected at least 22 characters of base64url (letters, digits, - and _)"],
    ["a-token_of-our-own-choice", "answerToken: expected another than the token"],
  ])(
    "a token for answering only is refused where it is %j beside the token for everything (P-XRL-1)",
    async (answerToken, why) => {
      const token = "a-token_of-our-own-choice";
      await expect(listenWebSocket(scenario([]).server, { token, answerToken })).rejects.toThrow(
        new TypeError(why),
      );
    },
  );

  test("a token for answering only exists only where it is asked for, and then has its own address", async () => {
    const { gateway, server } = await listeningExtended([]);
    const session = server.createSession();
    expect(gateway.answerToken).toBeUndefined();
    expect(() => gateway.address(session, "answer")).toThrow(TypeError);
    const { createServer } = await import("node:http");
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
    const other = attachWebSocket(server, http, { answerToken: "for-those-who-only-answer" });
    onTestFinished(async () => {
      await other.close();
      http.close();
    });
    expect(new URL(other.address(session, "answer")).hash).toBe("#for-those-who-only-answer");
    expect(new URL(other.address(session)).hash).toBe(`#${other.token}`);
  });
});

describe("an approval for a client that may decide about its call alone (P-XRL-6)", () => {
  const forNpm = [
    { id: "once", kind: "allow" },
    { id: "npm", kind: "allow", scope: { kind: "program", value: "npm" } },
    { id: "reject", kind: "reject" },
  ] as const;
  /** Two ways to allow the call, so that three words do not suffice. */
  const several = [...forNpm, { id: "dry", label: "Dry run", kind: "allow" }] as const;

  /** An approval before a client that may only answer. */
  async function asked(
    init: object,
    said: Introduction | undefined,
    profile: "base" | "extended" = "extended",
  ) {
    const made = () =>
      new ApprovalRequest({
        ...{ tool_call_id: "tc-1", sender: "Shell", action: "run command", description: "ls" },
        ...init,
      });
    const request = made();
    const later = made();
    const set = scenario([], {
      async run() {
        for (const each of [request, later]) {
          wireSend(each);
          await each.wait();
        }
      },
    });
    const session = set.server.createSession();
    const { client } = set.connect({ session, role: "answer" });
    const person = extended(client);
    await (profile === "extended"
      ? person.introduce(said)
      : client.call("initialize", {
          ...{ protocol_version: "1.10", client: { name: "base" } },
          capabilities: { supports_question: true },
        }));
    session.prompt("go").catch(() => {});
    return { ...set, person, client, request, later };
  }

  const shownOptions = (message: Message) =>
    (message.params?.payload.options as { id: string }[] | undefined)?.map(({ id }) => id);

  test.each([
    [undefined, ["approve", "reject"]],
    [forNpm, ["once", "reject"]],
    [several, ["once", "reject", "dry"]],
  ])(
    "an approval of the options %j is sent as %j to a client that may decide about its call alone, and without a text to change",
    async (options, ids) => {
      const { person, request } = await asked({ options, edit: { content: "ls" } }, {});
      const message = await person.asked("ApprovalRequest");
      expect([shownOptions(message), message.params?.payload.edit]).toEqual([ids, undefined]);
      for (const said of [
        { option: ids[0], edited: "id > pwned.txt" },
        { response: "approve_for_session" },
        { option: "npm" },
      ]) {
        const { error } = await person.answer(message, { outcome: { status: "answered" }, ...said });
        expect([-32013, -32014]).toContain(error?.code);
        expect(request.resolved).toBe(false);
      }
      const { result } = await person.answer(message, { option: ids[0] });
      expect(result).toMatchObject({ outcome: { status: "answered" } });
      expect((await request.wait()).response).toBe("approve");
    },
  );

  test("an approval by three words says which of them are for others", async () => {
    const shows = { ...everything, approval_options: false };
    const { person, request, later } = await asked({ options: forNpm }, { shows });
    const message = await person.asked("ApprovalRequest");
    const { error } = await person.answer(message, { response: "approve_for_session" });
    expect(error).toMatchObject({
      code: -32014,
      message: "this connection is for answering only: an answer beyond this call is for other clients",
      data: { issues: [{ question_id: null, code: "not_allowed" }] },
    });
    await person.answer(message, { response: "approve" });
    expect(await request.wait()).toMatchObject({ response: "approve", option: "once" });
    await person.asked("ApprovalRequest", 2);
    expect(later.resolved).toBe(false);
  });

  test("an approval as a question has the choices for its call alone", async () => {
    const shows = { ...everything, approval_options: false };
    const { person, request } = await asked({ options: several }, { shows });
    const message = await person.asked("QuestionRequest");
    const [question] = (message.params?.payload.questions ?? []) as { options: { id: string }[] }[];
    expect(question?.options.map(({ id }) => id)).toEqual(["once", "reject", "dry"]);
    const item = (id: string) => ({ items: [{ question_id: "approval", selected: [id] }] });
    expect((await person.answer(message, item("npm"))).error?.code).toBe(-32014);
    await person.answer(message, item("dry"));
    expect(await request.wait()).toMatchObject({ response: "approve", option: "dry" });
  });

  test("approve_for_session of a base client counts as approve, which the log says", async () => {
    for (const options of [undefined, forNpm]) {
      const { client, request, later, warnings } = await asked({ options }, undefined, "base");
      const message = await client.seen("ApprovalRequest");
      client.reply(message, { request_id: message.id, response: "approve_for_session", feedback: "" });
      expect((await request.wait()).response).toBe("approve");
      await client.seen("ApprovalRequest", 2);
      expect(later.resolved).toBe(false);
      expect(warnings).toContain("an answer beyond its call counts for that call alone");
    }
  });

  test("a base client that is asked by a question is not offered more, and the words of more reject", async () => {
    const { client, request } = await asked({ options: several }, undefined, "base");
    const message = await client.seen("QuestionRequest");
    const [question] = (message.params?.payload.questions ?? []) as {
      question: string;
      options: { label: string }[];
    }[];
    expect(question?.options.map(({ label }) => label)).toEqual(["Approve", "Reject", "Dry run"]);
    client.reply(message, {
      request_id: message.id,
      answers: { [question?.question ?? ""]: "Approve npm for this session" },
    });
    expect(await request.wait()).toMatchObject({
      response: "reject",
      feedback: "Approve npm for this session",
    });
  });
});

test("a program that serves a channel itself names the role (P-XRL-2)", async () => {
  const set = scenario([]);
  const { client, found } = await meetExtended(set, { role: "answer" });
  expect(found).toMatchObject({ role: "answer" });
  expect((await extended(client).call("prompt", { user_input: "go" })).error?.code).toBe(-32014);
});
