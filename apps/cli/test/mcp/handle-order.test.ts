import { connect } from "@askwire/client";
import { linkedPair, type MessageChannel } from "@askwire/protocol";
import { createServer } from "@askwire/server";
import { expect, onTestFinished, test } from "vitest";
import { readQuestions } from "../../src/ask/questions.js";
import { handlesIn } from "../../src/mcp/handles.js";
import { throughGateway } from "../../src/mcp/through-gateway.js";
import { folderWith } from "../askwire.js";
import { colour } from "./hosts.js";

const questions = readQuestions(JSON.stringify({ questions: [colour] }), "test");

test("a call whose time is over returns its handle only once the gateway has the questions", async () => {
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
  const way = throughGateway({
    handles: handlesIn(await folderWith()),
    connect: async () => client,
    openQuestions: async () => [],
    onCancel: "keep",
  });
  const { signal } = new AbortController();
  const called = way.ask({ questions }, { signal, waitMs: 0, asker: "me" });
  // The time of the call is over long before the questions arrive.
  setTimeout(release, 200);
  const { handle, outcome } = await called;
  expect(outcome).toBeUndefined();
  expect(session.pending).toHaveLength(1);
  expect((await client.ask({ key: handle as string, wait: false })).outcome).toBeUndefined();
});
