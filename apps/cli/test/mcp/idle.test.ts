import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol";
import { createServer } from "@askwire/server";
import { expect, test } from "vitest";
import { drivenClock } from "../../../../packages/server/test/driven-clock.js";
import { untilIdle } from "../../src/gateway/idle.js";
import { colour } from "./hosts.js";

const MINUTES = 600_000;

test("a gateway is idle once nobody was connected and nothing open for its whole period, and not before", async () => {
  const clock = drivenClock();
  const server = createServer({ agent: { run: async () => {} }, attendance: "hold", clock });
  const session = server.createSession({ stay: true });
  let isIdle = false;
  const idle = untilIdle(server, MINUTES, clock).then(() => {
    isIdle = true;
  });
  const pass = async () => {
    clock.advance(MINUTES);
    await new Promise((resolve) => setImmediate(resolve));
    return isIdle;
  };
  const { left, right } = linkedPair();
  const connected = server.connect(left, { session });
  const client = await connect(right);
  expect(await pass()).toBe(false);
  await client.ask({ key: "k", questions: [colour], wait: false, onLost: "keep" });
  await client.close();
  await connected.closed;
  expect(await pass()).toBe(false);
  const [request] = session.pending;
  request?.settle({
    outcome: { status: "declined", reason: "dismissed", by: "human", at: "2026-01-01T00:00:00.000Z" },
  } as never);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await pass()).toBe(true);
  await idle;
  await server.close();
});
