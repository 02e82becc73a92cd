import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import { rawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { asking, introduction, meetExtended, question } from "./extended-client.js";

/** A client that joins no session, and the answer to its introduction. */
async function lobbyOf(set: ReturnType<typeof scenario>, role?: "answer") {
  const { left, right } = linkedPair();
  const session = () => set.server.createSession();
  set.server.connect(left, { session, sessionMethods: true, ...(role !== undefined && { role }) });
  const client = rawClient(right);
  const { result } = await client.call("initialize", { ...introduction(), lobby: true });
  return { client, result: result as Record<string, unknown> };
}

describe("a client that joins no session (P-XLB-1, P-XLB-2)", () => {
  test("a client in the lobby makes no session, sees what waits in all of them and makes one when it says so", async () => {
    const set = asking(() => [question()]);
    const { client, result } = await lobbyOf(set);
    expect([result.lobby, result.session, set.server.sessions.size]).toEqual([{}, undefined, 0]);
    expect((await client.call("watch_requests")).result).toEqual({ requests: [] });
    const { client: person } = await meetExtended(set, {}, { name: "person" });
    void person.call("prompt", { user_input: "go" });
    await expect
      .poll(() => client.received.filter(({ method }) => method === "requests_changed").length)
      .toBe(1);
    expect((await client.call("list_sessions")).result).toMatchObject({ sessions: [{ state: "waiting" }] });
    await client.call("create_session");
    expect(set.server.sessions.size).toBe(2);
  });

  test.each(["prompt", "steer", "cancel", "replay", "initialize"])(
    "a client in the lobby is refused `%s`, which needs a session",
    async (method) => {
      const set = scenario([]);
      const { client } = await lobbyOf(set);
      const { error } = await client.call(method, { user_input: "go", ...introduction() });
      expect(error?.code).toBe(-32000);
      expect(set.server.sessions.size).toBe(0);
    },
  );

  test("a client that may only answer is told so in the lobby, and makes no session there", async () => {
    const set = scenario([]);
    const { client, result } = await lobbyOf(set, "answer");
    expect(result.lobby).toMatchObject({ role: "answer", permissions: expect.arrayContaining(["list"]) });
    expect((await client.call("list_requests")).result).toEqual({ requests: [] });
    expect((await client.call("create_session")).error?.code).toBe(-32014);
  });

  test("a client in the lobby is given a sign of life after 15 s of silence", async () => {
    const clock = drivenClock();
    const set = scenario([], { clock });
    const { client } = await lobbyOf(set);
    clock.advance(15_000);
    await expect
      .poll(() =>
        client.received.flatMap(({ method, params }) => (method === undefined ? [] : [[method, params]])),
      )
      .toEqual([["alive", { seq: 0 }]]);
  });

  test("a client that names a session, or has its address, joins that in spite of the lobby", async () => {
    const set = scenario([]);
    const session = set.server.createSession();
    const { client } = set.connect({ session, sessionMethods: true });
    const { result } = await client.call("initialize", { ...introduction(), lobby: true });
    expect(result).toMatchObject({ session: { id: session.id } });
  });
});
