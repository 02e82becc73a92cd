import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { type ConnectionChange, connect } from "../src/index.js";
import { dialable, extendedServer, fakeTiming, greeting } from "./extended-server.js";
import { question } from "./raw-server.js";

describe("a connection that is lost is opened again (P-XCL-2)", () => {
  test("a lost connection is opened again with the same client, the session, its stream and the number of the last event", async () => {
    const { session, line, initialize, back } = await extendedServer({
      shows: { notes: true },
      tools: [{ name: "T", description: "", parameters: {}, run: () => "" }],
    });
    line.event("StepBegin", { n: 1 });
    line.event("StepBegin", { n: 2 });
    await line.settled();
    await line.cut();
    expect(session.connection).toBe("lost");
    const { initialize: again } = await back();
    expect(again.params).toEqual({
      ...initialize.params,
      session: { id: "s-1", stream: "st-1", after_seq: 2 },
    });
    expect(session.connection).toBe("connected");
  });

  test.each([
    [0, [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]],
    [0.999, [500, 1_000, 1_999, 3_998, 7_996, 15_992, 29_985, 29_985]],
  ])(
    "a lost connection is opened again after waits that grow, drawn from their upper half: %d",
    async (random, waits) => {
      const { dial, nextLine } = dialable();
      const time = fakeTiming(random);
      let up = true;
      const changes: ConnectionChange[] = [];
      const connected = connect(
        () => {
          if (!up) throw new Error("down");
          return dial();
        },
        { timing: time.timing, onConnection: (change) => void changes.push(change) },
      );
      const line = await nextLine();
      line.reply((await line.next()).id, greeting());
      const session = await connected;
      up = false;
      await line.cut();
      for (const wait of waits) {
        await Promise.resolve();
        await expect.poll(time.waits).toEqual([wait]);
        time.fire();
      }
      await expect.poll(() => changes.length).toBe(waits.length + 2);
      expect(changes.slice(0, 3)).toMatchObject([
        { state: "connected", reset: false },
        { state: "lost", cause: { message: "cut" }, retryInMs: waits[0] },
        { state: "lost", cause: { message: "down" }, retryInMs: waits[1] },
      ]);
      await session.close();
      expect([changes.at(-1), time.waits()]).toEqual([{ state: "closed" }, []]);
    },
  );

  test("the wait for another connection is short again once something new was heard", async () => {
    const { line, back, time } = await extendedServer();
    await line.cut();
    const { line: second } = await back();
    await second.cut();
    expect(time.waits()).toEqual([500]);
    const { line: third } = await back();
    third.event("StepBegin", { n: 1 });
    await third.settled();
    await third.cut();
    expect(time.waits()).toEqual([250]);
  });

  test("a connection is not opened again after an orderly end of the other side", async () => {
    const { session, line, time } = await extendedServer();
    line.end();
    expect(await session.closed).toBeUndefined();
    expect([session.connection, time.waits()]).toEqual(["closed", []]);
  });

  test("a connection is not opened again where the session is gone: the end says so", async () => {
    const { session, line, time, nextLine } = await extendedServer();
    await line.cut();
    time.fire();
    const second = await nextLine();
    second.fail((await second.next()).id, -32011);
    expect(await session.closed).toMatchObject({
      code: "REFUSED",
      message: "the server does not have the session any more: no -32011",
    });
    expect(time.waits()).toEqual([]);
  });

  test("a connection is not opened again to a server that no longer knows the profile, and sooner or later to one that is busy", async () => {
    const { session, line, time, nextLine } = await extendedServer();
    await line.cut();
    time.fire();
    const busy = await nextLine();
    busy.fail((await busy.next()).id, -32020);
    await expect.poll(time.waits).toEqual([500]);
    time.fire();
    const base = await nextLine();
    base.fail((await base.next()).id, -32601);
    expect(await session.closed).toMatchObject({ code: "BAD_PEER" });
  });

  test("a channel that was given open is not opened again", async () => {
    const { left, right } = linkedPair();
    left.listen({
      message(text) {
        const { id } = JSON.parse(text) as { id: string };
        left.send(JSON.stringify({ jsonrpc: "2.0", id, result: greeting() }));
      },
      oversized() {},
      closed() {},
    });
    const session = await connect(right);
    expect(session.id).toBe("s-1");
    left.close();
    expect(await session.closed).toBeUndefined();
  });

  test("a first connection that fails is reported, and not tried again", async () => {
    let dials = 0;
    const failing = connect(() => {
      dials += 1;
      return Promise.reject(new Error("nobody there"));
    });
    await expect(failing).rejects.toThrow("nobody there");
    expect(dials).toBe(1);
  });
});

describe("closing in every state", () => {
  test("closing ends everything as the connection is being lost", async () => {
    const { session, line, time } = await extendedServer();
    void line.cut();
    await session.close();
    expect([session.connection, time.waits()]).toEqual(["closed", []]);
  });

  test("closing ends everything while the connection is lost", async () => {
    const { session, line, time } = await extendedServer();
    await line.cut();
    const turn = session.prompt("go");
    await session.close();
    expect(await session.closed).toBeUndefined();
    await expect(turn.result).rejects.toMatchObject({ code: "CLOSED" });
    await expect(session.prompt("again").result).rejects.toMatchObject({ code: "CLOSED" });
    await expect(session.cancel()).rejects.toMatchObject({ code: "CLOSED" });
    expect([session.connection, time.waits()]).toEqual(["closed", []]);
  });

  test("closing ends everything while a connection is being opened, which is closed when it comes", async () => {
    const first = dialable();
    const second = dialable();
    let given: (() => void) | undefined;
    const aborted: boolean[] = [];
    const time = fakeTiming();
    let dials = 0;
    const connected = connect(
      (signal) => {
        dials += 1;
        if (dials === 1) return first.dial();
        signal.addEventListener("abort", () => void aborted.push(true));
        return new Promise((resolve) => {
          given = () => resolve(second.dial());
        });
      },
      { timing: time.timing },
    );
    const line = await first.nextLine();
    line.reply((await line.next()).id, greeting());
    const session = await connected;
    await line.cut();
    time.fire();
    await session.close();
    await expect.poll(() => [aborted, time.waits()]).toEqual([[true], []]);
    given?.();
    await (await second.nextLine()).closed;
  });

  test("closing ends everything while the server has not answered initialize", async () => {
    const { session, line, time, nextLine } = await extendedServer();
    await line.cut();
    time.fire();
    const second = await nextLine();
    await second.next();
    await session.close();
    await second.closed;
    expect(time.waits()).toEqual([]);
  });

  test("closing ends everything from within the handler that is told of the loss", async () => {
    const states: string[] = [];
    const { session, line, time } = await extendedServer({
      onConnection({ state }) {
        states.push(state);
        if (state === "lost") void session.close();
      },
    });
    await line.cut();
    await session.closed;
    expect([states, time.waits()]).toEqual([["connected", "lost", "closed"], []]);
  });

  test("a handler of the end that fails is reported", async () => {
    const problems: string[] = [];
    await extendedServer({
      onConnection() {
        throw new Error("no lamp");
      },
      onProblem: (problem) => void problems.push(problem),
    });
    expect(problems).toEqual(["connection handler: connected: Error: no lamp"]);
  });
});

test("an opening that hangs is given up after the time for initialize, and tried again", async () => {
  const { dial, nextLine } = dialable();
  const time = fakeTiming();
  let hang = false;
  let aborted = false;
  const connected = connect(
    (signal) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      return hang ? new Promise(() => {}) : dial();
    },
    { timing: time.timing, initializeTimeoutMs: 700 },
  );
  const line = await nextLine();
  line.reply((await line.next()).id, greeting());
  const session = await connected;
  hang = true;
  await line.cut();
  time.fire();
  expect(time.waits()).toEqual([700]);
  time.fire();
  await expect.poll(time.waits).toEqual([500]);
  expect(aborted).toBe(true);
  await session.close();
});

describe("a connection that is out of step", () => {
  const seen = () => {
    const events: unknown[] = [];
    return {
      events,
      handlers: { event: ({ payload }: { payload: unknown }) => void events.push(payload) },
    };
  };

  test("an event whose number is not the next is a hole: it comes again after the last (P-XCL-4)", async () => {
    const { events, handlers } = seen();
    const problems: string[] = [];
    const { line, back, numbers } = await extendedServer({
      handlers,
      onProblem: (problem) => void problems.push(problem),
    });
    line.event("StepBegin", { n: 1 });
    line.event("StepBegin", { n: 3 }, 3);
    line.event("StepBegin", { n: 4 });
    await line.closed;
    expect(problems).toEqual(["out of step with the server: message 3 came after message 1"]);
    const { line: second, initialize } = await back();
    expect(initialize.params.session).toMatchObject({ after_seq: 1 });
    numbers.seq = 1;
    for (const n of [2, 3, 4]) second.event("StepBegin", { n });
    await second.settled();
    expect(events).toEqual([1, 2, 3, 4].map((n) => ({ n })));
  });

  test("a hole that stays one is asked about five times, then the conversation continues with what comes (P-XCL-4)", async () => {
    const { events, handlers } = seen();
    const { session, line: first, back, numbers } = await extendedServer({ handlers });
    let line = first;
    for (let time = 1; time <= 5; time += 1) {
      line.event("StepBegin", { n: 2 }, 2);
      await line.closed;
      ({ line } = await back());
    }
    line.event("StepBegin", { n: 2 }, 2);
    numbers.seq = 2;
    line.event("StepBegin", { n: 3 });
    await line.settled();
    expect([session.connection, events]).toEqual(["connected", [{ n: 2 }, { n: 3 }]]);
  });

  test("an event that the client has had is dropped (P-XCL-4)", async () => {
    const { events, handlers } = seen();
    const { line } = await extendedServer({ handlers });
    line.event("StepBegin", { n: 1 });
    line.event("StepBegin", { n: 1 }, 1);
    line.event("StepBegin", { n: 2 });
    await line.settled();
    expect(events).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("a request after an event that did not come is a hole (P-XAT-3)", async () => {
    const { line, numbers, session } = await extendedServer({ handlers: { question: () => "declined" } });
    numbers.seq = 5;
    line.ask("QuestionRequest", question);
    await line.closed;
    expect(session.connection).toBe("lost");
  });

  test("a sign of life after an event that did not come shows a hole, else there is none (P-XAT-9)", async () => {
    const { line, session } = await extendedServer();
    line.send({ method: "alive", params: { seq: 0 } });
    await line.settled();
    expect(session.connection).toBe("connected");
    line.send({ method: "alive", params: { seq: 1 } });
    await line.closed;
    expect(session.connection).toBe("lost");
  });

  test("a conversation on a channel that was given open continues after a hole with what comes, and says so", async () => {
    const { dial, nextLine } = dialable();
    const problems: string[] = [];
    const { events, handlers } = seen();
    const connected = connect(dial(), { handlers, onProblem: (problem) => void problems.push(problem) });
    const line = await nextLine();
    line.reply((await line.next()).id, greeting());
    await connected;
    line.event("StepBegin", { n: 3 }, 3);
    line.event("StepBegin", { n: 4 });
    await line.settled();
    expect([events.length, problems.length]).toEqual([2, 1]);
  });

  test("silence is noticed also where it lasted before the introduction, as long as that may take", async () => {
    const time = fakeTiming();
    const { dial, nextLine } = dialable();
    const connected = connect(dial, { timing: time.timing, initializeTimeoutMs: 600_000 });
    const line = await nextLine();
    const hello = await line.next();
    for (let looks = 0; looks < 8; looks++) time.fire(10_000);
    line.reply(hello.id, greeting());
    const session = await connected;
    for (let looks = 0; looks < 4; looks++) time.fire(10_000);
    expect(session.connection).toBe("connected");
    time.fire(10_000);
    expect(session.connection).toBe("lost");
  });

  test("silence for 40 s has the connection opened again, and what is heard puts that off (P-XCL-5)", async () => {
    const { session, line, time } = await extendedServer();
    for (let looks = 0; looks < 4; looks++) time.fire();
    await line.settled();
    for (let looks = 0; looks < 4; looks++) time.fire();
    expect([session.connection, time.waits()]).toEqual(["connected", [10_000]]);
    time.fire();
    expect([session.connection, time.waits()]).toEqual(["lost", [250]]);
    await line.closed;
  });
});
