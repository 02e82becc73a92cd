import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Agent, createServer } from "../../server/src/index.js";
import { keptLog } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import { type ConnectOptions, connect } from "../src/index.js";
import { cutAt } from "./cut-at.js";
import { extendedServer, fakeTiming } from "./extended-server.js";
import { rawServer } from "./raw-server.js";

const stopped = new Error("no longer wanted");

/** Works until it is stopped. */
const patient: Agent = {
  run: (turn) =>
    new Promise((resolve) => {
      if (turn.signal.aborted) return resolve();
      turn.signal.addEventListener("abort", () => resolve());
    }),
};

async function joined(agent: Agent, profile: NonNullable<ConnectOptions["profile"]>) {
  const server = createServer({ agent, log: keptLog() });
  const home = server.createSession();
  const { left, right } = linkedPair();
  server.connect(left, { session: home });
  const session = await connect(right, { profile });
  onTestFinished(() => server.close());
  return { server, session };
}

describe.each([["extended" as const], ["base" as const]])("what is given up in the %s profile", (profile) => {
  test("a prompt whose signal is aborted ends cancelled, and the next one runs", async () => {
    const { session } = await joined(patient, profile);
    for (let round = 0; round < 2; round += 1) {
      const stop = new AbortController();
      const turn = session.prompt("work", { signal: stop.signal });
      for await (const event of turn) if (event.type === "TurnBegin") stop.abort(stopped);
      expect(await turn.result).toEqual({ status: "cancelled" });
    }
  });

  test("a signal that is aborted after the end of its turn leaves the next turn alone", async () => {
    const { session } = await joined({ run: async () => {} }, profile);
    const stop = new AbortController();
    await session.prompt("one", { signal: stop.signal }).result;
    const second = session.prompt("two");
    stop.abort(stopped);
    expect(await second.result).toEqual({ status: "finished" });
  });

  test("a prompt with a signal that was aborted before is not sent", async () => {
    const seen: unknown[] = [];
    const { session } = await joined({ run: async (turn) => void seen.push(turn.input) }, profile);
    expect(() => session.prompt("one", { signal: AbortSignal.abort(stopped) })).toThrow(stopped);
    await session.prompt("two").result;
    expect(seen).toEqual(["two"]);
  });

  test("closing with an aborted signal rejects with the reason, and closes all the same", async () => {
    const { session } = await joined(patient, profile);
    await expect(session.close({ signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
    expect(await session.closed).toBeUndefined();
    expect(session.connection).toBe("closed");
  });
});

test.each([["prompt" as const], ["replay" as const], ["close" as const]])(
  "the signal of %s has to be an AbortSignal, and anything else is refused",
  async (method) => {
    const { session } = await joined(patient, "extended");
    const wrong = { signal: new AbortController() } as never;
    const call = async () => {
      if (method === "prompt") session.prompt("work", wrong);
      else if (method === "replay") await session.replay({}, wrong);
      else await session.close(wrong);
    };
    await expect(call()).rejects.toThrow(/signal.*AbortSignal/);
  },
);

describe("a replay that is given up", () => {
  test("a replay of the base profile is ended by cancel", async () => {
    const { session, next, reply } = await rawServer();
    const stop = new AbortController();
    const replayed = session.replay({}, { signal: stop.signal });
    const { id } = await next();
    stop.abort(stopped);
    const cancel = await next();
    expect(cancel.method).toBe("cancel");
    reply(cancel.id, {});
    reply(id, { status: "cancelled", events: 3, requests: 0 });
    expect(await replayed).toMatchObject({ status: "cancelled", events: 3 });
  });

  test("a replay of the extended profile is ended by its own number", async () => {
    const { session, line } = await extendedServer();
    const stop = new AbortController();
    const replayed = session.replay({}, { signal: stop.signal });
    const { id } = await line.next();
    stop.abort(stopped);
    expect(await line.next()).toMatchObject({ method: "$/cancelRequest", params: { id } });
    line.reply(id, { status: "cancelled", events: 3, requests: 0 });
    expect(await replayed).toMatchObject({ status: "cancelled", events: 3 });
  });

  test("a replay with a signal that was aborted before is not asked for", async () => {
    const { session } = await joined(patient, "extended");
    await expect(session.replay({}, { signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
    expect(await session.replay()).toMatchObject({ status: "finished" });
  });
});

describe("a prompt that is given up while the connection is lost", () => {
  test("a prompt that no connection has carried yet is dropped, and the agent never hears of it", async () => {
    const seen: unknown[] = [];
    const { session, cut, back } = await cutServer({ run: async (turn) => void seen.push(turn.input) });
    await cut();
    const stop = new AbortController();
    const turn = session.prompt("dropped", { signal: stop.signal });
    stop.abort(stopped);
    await expect(turn.result).rejects.toBe(stopped);
    back();
    await session.prompt("kept").result;
    expect(seen).toEqual(["kept"]);
  });

  test("a prompt that was sent before is cancelled once there is a connection again", async () => {
    const { session, cut, back } = await cutServer(patient);
    const stop = new AbortController();
    const turn = session.prompt("work", { signal: stop.signal });
    await until(() => session.state === "running");
    await cut();
    stop.abort(stopped);
    back();
    expect(await turn.result).toEqual({ status: "cancelled" });
  });
});

/** A server over lines that the test cuts, and a client that comes back when told. */
async function cutServer(agent: Agent) {
  const server = createServer({ agent, log: keptLog() });
  const home = server.createSession();
  onTestFinished(() => server.close());
  const time = fakeTiming();
  let line: ReturnType<typeof cutAt> | undefined;
  const session = await connect(
    () => {
      const { left, right } = linkedPair();
      server.connect(left, { session: home, graceMs: 30_000 });
      line = cutAt(right, 0, false);
      return line.channel;
    },
    { timing: time.timing },
  );
  return {
    session,
    async cut() {
      line?.cut();
      await until(() => session.connection === "lost");
    },
    back: () => time.fire(),
  };
}
