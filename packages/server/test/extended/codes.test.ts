import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Scope } from "../../src/requests/scope.js";
import { servedSession } from "../../src/session/served-session.js";
import { drivenClock } from "../driven-clock.js";
import { openQuestion } from "../websocket/gateway.js";
import { type ExtendedWords, everything, extended, question } from "./extended-client.js";

type Set = Awaited<ReturnType<typeof openQuestion>>;
type Client = Awaited<ReturnType<Set["open"]>> & ExtendedWords;

const red = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
const client_id = randomUUID();

/** Two base clients with an open question, and an extended one beside them that was sent it too. */
async function beside(options: Parameters<typeof openQuestion>[0] = {}, said: object = {}) {
  const set = await openQuestion(options);
  const client: Client = extended(await set.open(`/wire/${set.session.id}`));
  await client.introduce(said);
  return { set, client };
}

/** A question of another session, put to a client of its own. */
async function elsewhere({ server, open }: Set) {
  const session = server.createSession();
  const stranger = extended(await open(`/wire/${session.id}`));
  await stranger.introduce();
  servedSession(session).core.open(question(), new Scope());
  return stranger.seen("QuestionRequest");
}

/** Each code that an extended client may be answered with, and what it did. */
const codes: Record<string, (client: Client, set: Set) => Promise<{ error?: { code: number } }>> = {
  "-32000": (client) => client.call("prompt", { user_input: "me too" }),
  "-32011": (client) => client.answer({ id: "nothing" }, red),
  "-32011 of a session": (client) => client.call("close_session", { session_id: "nothing" }),
  "-32012": async (client, set) => client.answer(await elsewhere(set), red),
  "-32013": (client, { asked }) => client.answer(asked, { items: [] }),
  "-32014": (client, { asked }) =>
    client.answer(asked, { ...red, outcome: { status: "answered", by: "policy" } }),
  "-32014 of a status": (client, { asked }) => client.answer(asked, { outcome: { status: "expired" } }),
  "-32020": async (client, { asked }) => {
    for (let n = 0; n < 256; n += 1) await client.answer(asked, { items: [] });
    return client.answer(asked, red);
  },
  "-32020 of sessions": async (client, { server }) => {
    while ((await client.call("create_session")).error === undefined) if (server.sessions.size > 8) break;
    return client.call("create_session");
  },
  "-32601": (client) => client.call("unanswer", red),
  "-32602": (client) => client.call("answer", { request_id: 1 }),
  "-32602 of touch": (client) => client.call("touch"),
};

describe("refusals of an extended client (P-SES-2, P-ERR-1)", () => {
  test.each(Object.entries(codes))(
    "a refusal of an extended client by %s leaves the others, the turn and the question",
    async (code, provoke) => {
      const { set, client } = await beside({ maxSessions: 5 });
      const { error } = await provoke(client, set);
      expect(error).toMatchObject({ code: Number(code.split(" ")[0]), message: expect.stringMatching(/./) });
      expect(error).toHaveProperty("data");
      expect(client.isClosed).toBe(false);
      await set.unharmed();
    },
  );

  test("a refusal of an extended client by -32010 leaves the others, the turn and the question", async () => {
    const { set, client } = await beside();
    await set.unharmed();
    const { error } = await client.answer(set.asked, red);
    expect(error).toMatchObject({
      code: -32010,
      data: { outcome: { status: "answered", client: { name: "raw" } } },
    });
    expect((await client.call("list_sessions")).error).toBeUndefined();
  });
});

/** Each code that its connection may be closed with, and what it did. */
const closes: Record<string, (client: Client, set: Set) => Promise<string> | string | undefined> = {
  "1003": (client) => void client.socket.send(Buffer.from("{}")),
  "1009": (client) => void client.call("steer", { user_input: "x".repeat(70_000) }),
  "4408": async (client, { session, one, two }) => {
    client.socket.pause();
    const before = session.connections;
    // At most 20 MB: more than the system keeps for a socket.
    for (let round = 0; round < 50 && session.connections === before; round += 1) {
      for (let n = 0; n < 4; n += 1) {
        session.broadcast({ type: "ContentPart", payload: { type: "text", text: "x".repeat(100_000) } });
      }
      // The reading clients are let read.
      await Promise.all([one.settled(), two.settled()]);
    }
    client.socket.resume();
    return client.ended;
  },
  "4409": async (client, { open, session }) => {
    const again = extended(await open(`/wire/${session.id}`));
    await again.introduce({ shows: { ...everything, client_id } });
    return client.ended;
  },
};

describe("closed connections of an extended client (P-SES-2, P-ERR-2)", () => {
  test.each(Object.entries(closes))(
    "closing the connection of an extended client with %s leaves the others, the turn and the question",
    async (code, provoke) => {
      const listen = { inboundBytes: 60_000, unsentBytes: 2_000_000, clock: drivenClock(), heartbeatMs: 1e9 };
      const { set, client } = await beside({ listen }, { shows: { ...everything, client_id } });
      await provoke(client, set);
      expect(await client.ended).toMatch(new RegExp(`^${code}`));
      await set.unharmed();
    },
  );
});
