import { describe, expect, onTestFinished, test } from "vitest";
import { listenWebSocket } from "../../server/src/websocket.js";
import { connect } from "../src/index.js";
import { connectWebSocket } from "../src/websocket.js";
import { conversationServer, user } from "./conversation.js";
import { firstCutAt } from "./cut-at.js";
import { fakeTiming } from "./extended-server.js";

/** One conversation whose first connection is cut at its n-th message. */
async function converse(n: number, after: boolean) {
  const server = conversationServer();
  const home = server.createSession();
  const { did, problems, options } = user();
  const way = firstCutAt(server, home, n, after);
  const session = await connect(way.open, { ...options, ...way.options });
  const types: string[] = [];
  const turn = session.prompt("go");
  // An opening that was missed may be told in short.
  for await (const { type } of turn) if (type !== "InteractionOpened") types.push(type);
  const result = await turn.result;
  await session.close();
  return { did, problems, types, result, messages: way.messages() };
}

test("a conversation is the same wherever its connection is cut (P-XCL-2, P-XCL-3, P-XCL-7, P-XTH-2)", async () => {
  const whole = await converse(0, false);
  expect(whole.did).toEqual(["question", "approval", "tool"]);
  expect(whole.messages).toBeGreaterThan(24);
  for (let n = 3; n <= whole.messages; n++) {
    for (const after of [false, true]) {
      expect([n, after, await converse(n, after)]).toMatchObject([
        n,
        after,
        { did: whole.did, types: whole.types, result: whole.result, problems: [] },
      ]);
    }
  }
});

describe("over WebSocket", () => {
  test("a client comes back over WebSocket to the session that it had made, whose turn continued", async () => {
    const server = conversationServer();
    const gateway = await listenWebSocket(server);
    onTestFinished(() => gateway.close());
    const [first] = [server.createSession()];
    const address = gateway.address(first).replace(`/wire/${first.id}`, "/wire");
    const { did, problems, options } = user();
    const time = fakeTiming();
    let lose = () => {};
    const session = await connectWebSocket(address, {
      ...options,
      timing: time.timing,
      handlers: {
        ...options.handlers,
        approval() {
          lose();
          return options.handlers.approval();
        },
      },
      onConnection: ({ state }) =>
        void (state === "lost" && setImmediate(() => time.waits().length > 0 && time.fire())),
    });
    expect(session.id).not.toBe(first.id);
    expect((await session.listSessions()).map(({ id }) => id)).toContain(session.id);
    const other = await connectWebSocket(address, { session: session.id as string });
    lose = () => {
      // Nothing was heard for long, which is how a dead connection looks.
      for (let looks = 0; looks < 5; looks++) time.fire();
    };
    const seen: string[] = [];
    const turn = session.prompt("go");
    for await (const { type } of turn) seen.push(type);
    expect(await turn.result).toEqual({ status: "finished" });
    expect([did, problems]).toEqual([["question", "approval", "tool"], []]);
    expect(seen.filter((type) => type === "InteractionSettled")).toHaveLength(3);
    expect(seen.at(-1)).toBe("TurnEnd");
    await other.closeSession(session.id as string);
    expect(await session.closed).toBeUndefined();
    expect(await other.closed).toBeUndefined();
  });
});

describe("a client for answering only (P-XRL-2, P-XRL-4)", () => {
  test("a client for answering only knows its role, answers, and hears the server's refusal of all else", async () => {
    const server = conversationServer();
    const gateway = await listenWebSocket(server, { answerToken: true });
    onTestFinished(() => gateway.close());
    const session = server.createSession();
    const owner = await connectWebSocket(gateway.address(session), { tools: user().options.tools });
    const { did, problems, options } = user();
    const person = await connectWebSocket(gateway.address(session, "answer"), options);
    onTestFinished(() => Promise.all([owner.close(), person.close()]).then(() => {}));
    expect([owner.role, person.role]).toEqual([undefined, "answer"]);
    expect(problems).toEqual([
      'the server rejected the tool "Weather": this connection is for answering only',
    ]);
    expect(await owner.prompt("go").result).toEqual({ status: "finished" });
    expect(did).toEqual(["question", "approval"]);
    const refused = { code: -32014 };
    await expect(person.prompt("go").result).rejects.toMatchObject(refused);
    await expect(person.cancel()).rejects.toMatchObject(refused);
    await expect(person.setPlanMode(true)).rejects.toMatchObject(refused);
    await expect(person.createSession()).rejects.toMatchObject(refused);
    await expect(person.closeSession(session.id)).rejects.toMatchObject(refused);
  });
});
