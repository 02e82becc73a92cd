import { connect } from "@askwire/client";
import { linkedPair, type MessageChannel } from "@askwire/protocol";
import { createServer, type QuestionRequest } from "@askwire/server";
import { expect, onTestFinished, test } from "vitest";
import { readQuestions } from "../../src/ask/questions.js";
import { handlesIn } from "../../src/mcp/handles.js";
import { throughGateway } from "../../src/mcp/through-gateway.js";
import { folderWith } from "../askwire.js";
import { colour } from "./hosts.js";

const questions = readQuestions(JSON.stringify({ questions: [colour] }), "test");

/** A way to a gateway that is told nothing before the release. */
async function slowWay(replyMs?: number) {
  const server = createServer({ agent: { run: async () => {} }, attendance: "hold" });
  onTestFinished(() => server.close());
  const session = server.createSession({ stay: true });
  const { left, right } = linkedPair();
  server.connect(left, { session });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  const slow: MessageChannel = {
    ...right,
    send: (text) => (isHeld ? void held.then(() => right.send(text)) : right.send(text)),
  };
  const client = await connect(slow, { client: { name: "me" } });
  isHeld = true;
  const handles = handlesIn(await folderWith());
  const { ask, look } = throughGateway({
    handles,
    connect: async () => client,
    openQuestions: async () => [],
    onCancel: "keep",
    ...(replyMs !== undefined && { replyMs }),
  });
  const { signal } = new AbortController();
  const asker = { name: "me", folder: "/" };
  const call = (waitMs: number) => ask({ questions }, { signal, waitMs, asker });
  return { call, session, client, release, look: () => look(handles.make(asker), asker) };
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

test("a gateway that takes no questions is a failure in the end, and the same questions are then asked once", async () => {
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
