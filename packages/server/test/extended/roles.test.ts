import { describe, expect, onTestFinished, test } from "vitest";
import { attachWebSocket, listenWebSocket } from "../../src/websocket.js";
import { asks, scenario } from "../scenario.js";
import { extended, meetExtended } from "./extended-client.js";
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
  test("lets a client in that hears, sees and answers as any other (P-XRL-2, P-XRL-4)", async () => {
    const { owner, path, how, joinExtended } = await gatewayWithRoles();
    const person = await joinExtended(path, { name: "person" }, how);
    expect(person.found).toMatchObject({ id: owner.found.id, role: "answer" });
    expect(owner.found).not.toHaveProperty("role");
    const prompt = owner.call("prompt", { user_input: "go" });
    const asked = await person.asked("QuestionRequest");
    expect((await person.call("touch", { request_id: asked.id })).result).toEqual({});
    const { result } = await person.answer(asked, { items: red });
    expect(result).toMatchObject({ outcome: { status: "answered", client: { name: "person" } } });
    expect((await prompt).result).toEqual({ status: "finished" });
    expect(person.events("TurnEnd")).toHaveLength(1);
    expect((await person.call("replay")).result).toMatchObject({ status: "finished" });
    expect((await person.call("list_sessions")).error).toBeUndefined();
    for (const method of ["watch_sessions", "unwatch_sessions"])
      expect((await person.call(method)).error).toBeUndefined();
  });

  test("lets a client take itself off a request that it cannot show", async () => {
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
  ])("refuses %s with a text that says so, and nothing changes (P-XRL-2)", async (method, params) => {
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
  });

  test("refuses the same before initialize, and to a client of the base profile", async () => {
    const { path, how, openExtended } = await gatewayWithRoles();
    const base = await openExtended(path, how);
    expect((await base.call("prompt", { user_input: "go" })).error?.code).toBe(-32014);
    await base.call("initialize", { protocol_version: "1.10", client: { name: "base" } });
    expect((await base.call("cancel")).error?.code).toBe(-32014);
    expect((await base.call("answer", {})).error?.code).toBe(-32601);
  });

  test("makes no session: its client attaches to one that is there (P-XRL-3)", async () => {
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

  test("takes neither tools nor hooks, and says so of the tools (P-XRL-3)", async () => {
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

  test("takes nothing over from a client that may do more, also under its client_id (P-XRL-5)", async () => {
    const set = await gatewayWithRoles();
    const client_id = "0f4c2f9e-6a57-4c39-9a0e-5b1ad2f0a111";
    const full = await set.joinExtended(set.path, { shows: { client_id } });
    const person = await set.joinExtended(set.path, { shows: { client_id } }, set.how);
    const again = await set.joinExtended(set.path, { shows: { client_id } }, set.how);
    expect(await person.ended).toMatch(/^4409/);
    await full.settled();
    expect([full.isClosed, again.isClosed]).toEqual([false, false]);
  });

  test("is compared whole: one that is nearly right is wrong", async () => {
    const { path, open, gateway } = await gatewayWithRoles();
    const stranger = await open(path, { token: `${gateway.answerToken}x` });
    expect(await stranger.ended).toBe("4401 the token is missing or wrong");
  });

  test.each([
    ["short", "answerToken: expected at least 22 characters of base64url (letters, digits, - and _)"],
    ["a-token_of-our-own-choice", "answerToken: expected another than the token"],
  ])("is refused where it is %j beside that token (P-XRL-1)", async (answerToken, why) => {
    const token = "a-token_of-our-own-choice";
    await expect(listenWebSocket(scenario([]).server, { token, answerToken })).rejects.toThrow(
      new TypeError(why),
    );
  });

  test("is not there unless it is asked for, and then has an address of its own", async () => {
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

test("a program that serves a channel itself names the role (P-XRL-2)", async () => {
  const set = scenario([]);
  const { client, found } = await meetExtended(set, { role: "answer" });
  expect(found).toMatchObject({ role: "answer" });
  expect((await extended(client).call("prompt", { user_input: "go" })).error?.code).toBe(-32014);
});
