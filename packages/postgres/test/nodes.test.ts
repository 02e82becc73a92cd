import { once } from "node:events";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import { closeCodeOf, connectWebSocket } from "../../client/src/websocket.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import { socketAt } from "../../server/test/websocket/socket-at.js";
import { freshSchema } from "./at-work.js";
import { cutProxy } from "./cut-proxy.js";
import { linkSecret, token } from "./node-secrets.js";
import { answerToken, balancerOf, nodeOf, personAt } from "./nodes-at-work.js";

test("a client at a node that does not have its session is asked by the one that has it, and its answer counts there (P-NOD-1)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  await one.server.openSession({ id: "s", stay: true });
  const person = await personAt(other.address("s"));
  const turn = person.client.prompt("go");
  await person.until(() => person.asked.length === 1);
  person.asked[0]?.answer("Blue");
  expect((await turn.result).status).toBe("finished");
  expect(person.said.join("")).toBe("Blue it is.");
  expect([one.server.sessions.has("s"), other.server.sessions.has("s")]).toEqual([true, false]);
});

test.each([
  ["that may do everything", undefined],
  ["that may only answer", answerToken],
])(
  "a client %s goes on at the next node with the question of a dead one, and its answer counts (P-NOD-3)",
  async (_who, secret) => {
    const schema = freshSchema();
    const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
    const session = await one.server.openSession({ id: "s", stay: true });
    const balancer = await balancerOf(one.port);
    const person = await personAt(balancer.address("s", secret));
    void session.prompt("go").catch(() => {});
    await person.until(() => person.asked.length === 1);
    balancer.leadTo(other.port);
    await one.dies();
    await person.until(() => person.changes.includes("connected, reset"));
    const [first, ...more] = person.asked;
    first?.answer("Blue");
    await person.until(() => person.said.join("") === "Blue it is.");
    expect(more.filter(({ id }) => id !== first?.id)).toEqual([]);
    expect(other.server.sessions.has("s")).toBe(true);
  },
);

test("a client of a session without anything open goes on at the next node after the death of its own (P-NOD-3)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  await one.server.openSession({ id: "s", stay: true });
  const balancer = await balancerOf(one.port);
  const people = [
    await personAt(balancer.address("s")),
    await personAt(balancer.address("s", answerToken)),
  ] as const;
  const turn = people[0].client.prompt("go");
  await people[0].until(() => people[0].asked.length === 1);
  people[0].asked[0]?.answer("Red");
  await turn.result;
  await people[0].client.close();
  balancer.leadTo(other.port);
  await one.dies();
  // The one that may only answer goes on by itself.
  await people[1].until(() => people[1].changes.includes("connected, reset"));
  expect(other.server.sessions.has("s")).toBe(true);
});

test("a client of a session in which nothing was said yet goes on at the next node (P-NOD-3)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  await one.server.openSession({ id: "s", stay: true });
  const balancer = await balancerOf(one.port);
  const person = await personAt(balancer.address("s"));
  balancer.leadTo(other.port);
  await one.close();
  await person.until(() => person.changes.includes("connected, reset"));
  expect(person.client.id).toBe("s");
});

test("somebody who comes to an address for the first time gets in, although its node fell silent before anything was kept (P-NOD-3)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  await one.server.openSession({ id: "s", stay: true });
  await one.dies();
  const person = await personAt(other.address("s"));
  void person.client.prompt("go");
  await person.until(() => person.asked.length === 1);
  expect(other.server.sessions.has("s")).toBe(true);
  await expect(personAt(other.address("another"))).rejects.toThrow("no such session");
});

test("a client that comes while the lease of a dead node still runs is told to come again, and gets in once it is over (P-NOD-3)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  const session = await one.server.openSession({ id: "s", stay: true });
  const balancer = await balancerOf(one.port);
  const person = await personAt(balancer.address("s"));
  void session.prompt("go").catch(() => {});
  await person.until(() => person.asked.length === 1);
  balancer.leadTo(other.port);
  await one.gateway.close();
  await person.until(() => person.changes.filter((state) => state === "lost").length > 1);
  expect(other.server.sessions.has("s")).toBe(false);
  await one.dies();
  await person.until(() => person.changes.includes("connected, reset"));
  expect(other.server.sessions.has("s")).toBe(true);
});

test("one of two nodes has a session that clients of both want at once, and all of them are in it (P-NOD-3)", async () => {
  const schema = freshSchema();
  const nodes = [await nodeOf({ schema }), await nodeOf({ schema }), await nodeOf({ schema })] as const;
  const [one, left, right] = nodes;
  const session = await one.server.openSession({ id: "s", stay: true });
  const first = await personAt(one.address("s"), { reconnect: false });
  void session.prompt("go").catch(() => {});
  await first.until(() => first.asked.length === 1);
  await one.dies();
  const people = await Promise.all(
    [left, right, left, right].map((node) => personAt(node.address("s", answerToken))),
  );
  for (const person of people) await person.until(() => person.asked.length === 1);
  const has = [left, right].filter(({ server }) => server.sessions.has("s"));
  expect(has.length).toBe(1);
  people[0]?.asked[0]?.answer("Blue");
  for (const person of people) await person.until(() => person.said.join("") === "Blue it is.");
});

test.each([
  ["says so", false],
  ["is lost on the way", true],
])(
  "a program waits for ever at a node whose session another one took while its lease was over, where the reply that %s (P-NOD-3)",
  async (_how, isLost) => {
    const schema = freshSchema();
    const clock = drivenClock();
    const { port: engine } = await sharedEngine();
    await using way = await cutProxy(engine);
    const connectionString = `postgres://askwire@127.0.0.1:${way.port}/postgres`;
    const one = await nodeOf({ schema, store: { clock, connectionString } });
    const other = await nodeOf({ schema });
    await one.server.openSession({ id: "s", stay: true });
    const balancer = await balancerOf(one.port);
    const program = await personAt(balancer.address("s"), { handlers: {} });
    const asked = program.client.ask({
      key: "k",
      questions: [{ question: "Now?", options: [{ label: "Yes" }] }],
    });
    await expect.poll(() => one.server.sessions.get("s")?.state).toBe("waiting");
    balancer.leadTo(other.port);
    await one.isOver();
    const person = await personAt(other.address("s"));
    await person.until(() => person.asked.length === 1);
    person.asked[0]?.answer("Yes");
    await person.until(() => person.settled.length === 1);
    // Nobody says anything at the first one: it hears of it by the renewal of its lease alone.
    if (isLost) {
      way.loseReply();
      clock.advance(200_000);
      await expect.poll(() => way.lost).toBe(1);
    }
    const changes = () => {
      clock.advance(200_000);
      return program.changes;
    };
    await expect.poll(changes).toContain("connected, reset");
    expect((await asked).answers).toEqual({ "Now?": "Yes" });
  },
);

/** The close code with which a client is turned away at an address. */
const codeAt = async (address: string) =>
  connectWebSocket(address, { reconnect: false, onProblem: () => {} }).then(
    (client) => {
      onTestFinished(() => client.close());
      return "let in";
    },
    (error) => closeCodeOf(error) ?? String(error),
  );

test("a node whose link secret is another one is refused, its client told to come again, and both logs say what to do (P-NOD-4)", async () => {
  const schema = freshSchema();
  const one = await nodeOf({ schema });
  const stranger = { linkSecret: linkSecret.toUpperCase(), ownerOf: (id: string) => one.store.ownerOf(id) };
  const other = await nodeOf({ schema });
  stranger.ownerOf = (id) => other.store.ownerOf(id);
  await other.gateway.close();
  const { listenWebSocket } = await import("../../server/src/websocket.js");
  const wrong = await listenWebSocket(other.server, { ...{ token: other.gateway.token, nodes: stranger } });
  onTestFinished(() => wrong.close());
  await one.server.openSession({ id: "s", stay: true });
  expect(await codeAt(wrong.address({ id: "s" }))).toBe(1013);
  expect(one.told()).toContain("without the secret of the nodes");
});

test("a node whose address leads back to another, or to itself, passes on to nobody twice: its client is told to come again (P-NOD-4)", async () => {
  const schema = freshSchema();
  const other = await nodeOf({ schema });
  const one = await nodeOf({ schema, nodeAddress: `ws://127.0.0.1:${other.port}` });
  await one.server.openSession({ id: "s", stay: true });
  expect(await codeAt(other.address("s"))).toBe(1013);
  expect(other.told()).toContain("an address of its own");
  const third = await nodeOf({ schema });
  expect(await codeAt(third.address("s"))).toBe(1013);
  expect(other.told()).toContain("has another node this address?");
});

test("a session of a process without an address is refused at a node as before, and taken once that is dead (P-NOD-1)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema, nodeAddress: null }), await nodeOf({ schema })];
  const session = await one.server.openSession({ id: "s", stay: true });
  const person = await personAt(one.address("s"));
  void session.prompt("go").catch(() => {});
  await person.until(() => person.asked.length === 1);
  expect(await codeAt(other.address("s"))).toContain("WireError");
  expect(other.server.sessions.has("s")).toBe(false);
  await one.dies();
  expect(await codeAt(other.address("s"))).toBe("let in");
});

test("a client whose front node is gone goes on at another one in the same stream, and nothing is reset (P-NOD-2)", async () => {
  const schema = freshSchema();
  const nodes = [await nodeOf({ schema }), await nodeOf({ schema }), await nodeOf({ schema })] as const;
  const [one, left, right] = nodes;
  await one.server.openSession({ id: "s", stay: true });
  const balancer = await balancerOf(left.port);
  const person = await personAt(balancer.address("s"));
  const turn = person.client.prompt("go");
  await person.until(() => person.asked.length === 1);
  balancer.leadTo(right.port);
  await left.gateway.close();
  await person.until(() => person.changes.length === 3);
  expect(person.changes).toEqual(["connected", "lost", "connected"]);
  person.asked[0]?.answer("Red");
  expect((await turn.result).status).toBe("finished");
  expect(person.said.join("")).toBe("Red it is.");
});

test("a client that is passed on has the role and the person of its own door, and is closed there once its token is revoked (P-NOD-2)", async () => {
  const schema = freshSchema();
  const revoked = new Set<(key: string) => void>();
  const ann = { key: "ann", name: "Ann", role: "answer" as const };
  const secret = "a-token-of-ann-alone-123456789012";
  const tokens = {
    match: (sent: string) => (sent === secret ? ann : undefined),
    watchRevoked(changed: (key: string) => void) {
      revoked.add(changed);
      return () => void revoked.delete(changed);
    },
  };
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema, gateway: { tokens } })];
  const session = await one.server.openSession({ id: "s", stay: true });
  const person = await personAt(other.address("s", secret));
  expect(person.client.role).toBe("answer");
  await expect(person.client.steer("more")).rejects.toThrow();
  void session.prompt("go").catch(() => {});
  await person.until(() => person.asked.length === 1);
  person.asked[0]?.answer("Red");
  await person.until(() => person.settled.length === 1);
  expect(person.settled[0]).toMatchObject({ outcome: { principal: { name: "Ann", via: "token" } } });
  for (const revoke of revoked) revoke("ann");
  expect(closeCodeOf(await person.client.closed)).toBe(4401);
});

/** The status with which a gateway answers an upgrade that says it is a link. */
async function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  const asked = request({
    ...{ port, path, host: "127.0.0.1" },
    headers: {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
      ...{ "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==", ...headers },
    },
  });
  asked.end();
  asked.on("error", () => {});
  const [reply] = await Promise.race([
    once(asked, "response"),
    once(asked, "upgrade").then(([response, socket]) => {
      socket.destroy();
      return [response];
    }),
  ]);
  return reply.statusCode;
}

test("nothing of a link is believed without the secret of the nodes, and one that cannot be read ends no node (P-NOD-2)", async () => {
  const one = await nodeOf({ schema: freshSchema() });
  await one.server.openSession({ id: "s", stay: true });
  const visitor = (told: unknown) => ({
    "x-askwire-visitor": Buffer.from(JSON.stringify(told)).toString("base64url"),
  });
  const right = { authorization: `Bearer ${linkSecret}` };
  const good = visitor({ from: "n", resumes: false });
  expect(await statusOf(one.port, "/link/s", good)).toBe(403);
  expect(await statusOf(one.port, "/link/s", { ...good, authorization: `Bearer ${token}` })).toBe(403);
  expect(await statusOf(one.port, "/link/s", right)).toBe(403);
  expect(await statusOf(one.port, "/link/s", { ...right, ...visitor({ from: "n", resumes: 1 }) })).toBe(403);
  expect(await statusOf(one.port, "/link/%E0%A4%A", { ...right, ...good })).toBe(101);
  expect(await statusOf(one.port, "/link/s", { ...right, ...good })).toBe(101);
});

test("lists and watches at a node show what waits at another one, until it is answered, and lead to it (P-NOD-5)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  const session = await one.server.openSession({ id: "s", stay: true });
  const person = await personAt(one.address("s"));
  void session.prompt("go").catch(() => {});
  await person.until(() => person.asked.length === 1);
  await other.server.openSession({ id: "t", stay: true });
  const { client } = await personAt(other.address("t"));
  const rows = async () => (await client.listRequests({ counts: true })).requests;
  await expect
    .poll(async () => (await rows()).map(({ text, state }) => [text, state]))
    .toEqual([["Which colour?", "open"]]);
  const [row] = await rows();
  expect(row).toMatchObject({ request_id: person.asked[0]?.id, session_id: "s" });
  expect((await client.listSessions()).map(({ id, state }) => [id, state]).sort()).toEqual([
    ["s", "waiting"],
    ["t", "idle"],
  ]);
  const led = await personAt(other.address("", token).replace("/wire/", "/wire"), {
    session: row?.session_id ?? "",
  });
  await led.until(() => led.asked.length === 1);
  led.asked[0]?.answer("Red");
  await person.until(() => person.said.join("") === "Red it is.");
  await expect.poll(rows).toEqual([]);
  expect([one.server.sessions.has("s"), other.server.sessions.has("s")]).toEqual([true, false]);
});

const introduces = (more: object) => {
  const capabilities = { supports_question: true, askwire: { revision: 3 } };
  const params = { protocol_version: "1.10", client: { name: "raw" }, capabilities, ...more };
  return JSON.stringify({ jsonrpc: "2.0", id: "1", method: "initialize", params });
};

test("a client that brings many tools is passed on by the session that it names, however long its introduction is (P-NOD-1)", async () => {
  const schema = freshSchema();
  const [one, other] = [await nodeOf({ schema }), await nodeOf({ schema })];
  await one.server.openSession({ id: "s", stay: true });
  const socket = await socketAt(other.port, "/wire", token);
  const tools = Array.from({ length: 60 }, (_, nth) => ({
    ...{ name: `tool_${nth}`, description: "x".repeat(1_500) },
    parameters: { type: "object", properties: {} },
  }));
  socket.send(introduces({ external_tools: tools, session: { id: "s" } }));
  const [reply] = await once(socket, "message");
  expect(JSON.parse(String(reply))).toMatchObject({ result: { session: { id: "s" } } });
});

test("a client that names what can be no id of a session is told that there is none, and not to come again (P-XAT-2)", async () => {
  const one = await nodeOf({ schema: freshSchema() });
  const socket = await socketAt(one.port, "/wire", token);
  socket.send(introduces({ session: { id: "a\u0000b" } }));
  const [reply] = await once(socket, "message");
  expect(JSON.parse(String(reply))).toMatchObject({ error: { code: -32011 } });
});

test("a client at the address of a session that was closed is gone once it has said goodbye, and its node waits for nothing (P-XSE-3)", async () => {
  const one = await nodeOf({ schema: freshSchema() });
  for (const id of ["s", "t"]) await one.server.openSession({ id, stay: true });
  const { client } = await personAt(one.address("t"));
  await client.closeSession("s");
  await expect.poll(() => one.server.sessions.has("s")).toBe(false);
  const socket = await socketAt(one.port, "/wire/s", token);
  const codes: number[] = [];
  socket.on("close", (code) => codes.push(code));
  socket.send(introduces({}));
  // A node that does not read the goodbye cuts the connection after five seconds.
  await expect.poll(() => codes, { timeout: 4_000 }).toEqual([4404]);
});

test("nothing is looked for and opened for a client that leaves without a word (P-NOD-3)", async () => {
  const looked: string[] = [];
  const ownerOf = async (id: string) => void looked.push(id) as undefined;
  const one = await nodeOf({ schema: freshSchema(), gateway: { nodes: { linkSecret, ownerOf } } });
  const silent = await socketAt(one.port, "/wire/left", token);
  silent.close();
  await once(silent, "close");
  expect(await codeAt(one.address("right"))).toBe(4404);
  expect([...new Set(looked)]).toEqual(["right"]);
});

test.each(["token", "answerToken"] as const)(
  "a gateway whose %s is the link secret is refused, as its clients could come as anybody (P-NOD-2)",
  async (name) => {
    await expect(nodeOf({ schema: freshSchema(), gateway: { [name]: linkSecret } })).rejects.toThrow(
      "nodes.linkSecret: expected another secret",
    );
  },
);
