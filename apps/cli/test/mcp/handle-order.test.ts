import { join } from "node:path";
import { connect } from "@askwire/client";
import { linkedPair, type MessageChannel } from "@askwire/protocol";
import { createServer, type QuestionRequest } from "@askwire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { readQuestions } from "../../src/ask/questions.js";
import { handlesIn } from "../../src/mcp/handles.js";
import { askResult } from "../../src/mcp/results.js";
import { throughGateway } from "../../src/mcp/through-gateway.js";
import { folderWith } from "../askwire.js";
import { colour } from "./hosts.js";

const questions = readQuestions(JSON.stringify({ questions: [colour] }), "test");

/** A way to a gateway that is told nothing before the release. */
async function slowWay(replyMs?: number, now?: () => number) {
  const server = createServer({ agent: { run: async () => {} }, attendance: "hold" });
  onTestFinished(() => server.close());
  const session = server.createSession({ stay: true });
  const { left, right } = linkedPair();
  server.connect(left, { session });
  const { promise: held, resolve: release } = deferred();
  let isHeld = false;
  const slow: MessageChannel = {
    ...right,
    send: (text) => (isHeld ? void held.then(() => right.send(text)) : right.send(text)),
  };
  const client = await connect(slow, { client: { name: "me" } });
  isHeld = true;
  const folder = await folderWith();
  const handles = handlesIn(folder);
  const { ask, look, answered } = throughGateway({
    handles,
    contentIn: join(folder, "asked"),
    undeliveredIn: join(folder, "not-fetched"),
    connect: async () => client,
    openQuestions: async () => [],
    onCancel: "keep",
    ...(replyMs !== undefined && { replyMs }),
    ...(now !== undefined && { now }),
  });
  const { signal } = new AbortController();
  const asker = { name: "me", folder: "/" };
  const call = (waitMs: number) => ask({ questions }, { signal, waitMs, asker });
  return {
    call,
    session,
    client,
    release,
    look: () => look(handles.make(asker), asker),
    answered: async () => (await answered(asker)).listed,
  };
}

test("a call whose time is over returns its handle only once the gateway has the questions", async () => {
  const { call, session, client, release } = await slowWay();
  const called = call(0);
  // The time of the call is over long before the questions arrive.
  setTimeout(release, 200);
  const { handle, outcome } = await called;
  expect(outcome).toBeUndefined();
  expect(session.pending).toHaveLength(1);
  expect((await client.ask({ key: handle as string, wait: false })).outcome).toBeUndefined();
});

test("a gateway that takes no questions finally fails the call, and the same questions are then asked once", async () => {
  const { call, session, release } = await slowWay(1);
  await expect(call(0)).rejects.toThrow("the gateway does not reply: call again");
  const again = call(60_000);
  release();
  await expect.poll(() => session.pending.length).toBe(1);
  (session.pending[0] as QuestionRequest).reject("enough");
  expect((await again).outcome).toMatchObject({ status: "withdrawn" });
  expect(session.pending).toHaveLength(0);
});

test("a look at questions does not wait for a gateway that does not reply", async () => {
  const { look } = await slowWay(1);
  await expect(look()).rejects.toThrow("the gateway does not reply: call again");
});

describe("an answer that no call has fetched", () => {
  /** A call whose time is over, and its question answered afterwards. */
  async function unfetched() {
    let late = 0;
    const way = await slowWay(undefined, () => Date.now() + late);
    way.release();
    const { handle } = await way.call(0);
    const [request] = way.session.pending as [QuestionRequest];
    request.resolve({ "Which colour?": "Red" });
    await expect.poll(() => way.answered()).toMatchObject([{ handle, questions: ["Which colour?"] }]);
    return {
      ...way,
      later(ms: number) {
        late = ms;
      },
    };
  }

  test("an unfetched answer goes once to the next call with the same words, which is told that it is to an earlier call", async () => {
    const { call, session, answered } = await unfetched();
    const fetched = await call(0);
    expect(fetched).toMatchObject({ outcome: { status: "answered" }, earlier: fetched.outcome?.at });
    expect(askResult(fetched).structuredContent.message).toMatch(
      /Red.*Answered at \d\d:\d\d, to your earlier call\./s,
    );
    expect(await answered()).toEqual([]);
    expect(await call(0)).toMatchObject({ outcome: undefined });
    expect(session.pending).toHaveLength(1);
  });

  test("an unfetched answer expires after 15 minutes, and the same words then are a new question", async () => {
    const { call, session, answered, later } = await unfetched();
    later(15 * 60_000 + 1);
    expect(await answered()).toEqual([]);
    expect(await call(0)).toMatchObject({ outcome: undefined });
    expect(session.pending).toHaveLength(1);
  });

  test("an answer goes to its own call where that still waits", async () => {
    const { call, session, release } = await slowWay();
    release();
    const called = call(60_000);
    await expect.poll(() => session.pending.length).toBe(1);
    (session.pending[0] as QuestionRequest).resolve({ "Which colour?": "Red" });
    expect(await called).not.toHaveProperty("earlier");
  });
});
