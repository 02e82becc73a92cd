import { describe, expect, test } from "vitest";
import type { ServerObserver } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { id, keptSession } from "../durable/crashing.js";
import { items, meetExtended, order } from "../extended/extended-client.js";
import { detailedLog } from "../journal-folder.js";
import { MemoryStore } from "../memory-store.js";
import { approvedTool, asks, callLine, scenario } from "../scenario.js";
import { stores, WORK_DIR } from "../stores.js";
import { until } from "../until.js";
import { noting } from "./observed.js";

/** A server that is observed, by a clock that stands still. */
function observed(options: Parameters<typeof scenario>[1] = {}, scripts: readonly string[] = []) {
  const clock = drivenClock();
  const observer = noting();
  const set = scenario(scripts, { attendance: "hold", clock, observe: [observer], ...options });
  return { ...set, clock, notes: observer.notes };
}

/** One that has asked a program's question, and the person who may answer it. */
async function asked(options: Parameters<typeof scenario>[1] = {}, more: object = {}) {
  const set = observed(options);
  const session = await set.server.openSession({ id, stay: true });
  const { client: program } = await meetExtended(set, { session }, { name: "program", question: false });
  const { client } = await meetExtended(set, { session });
  await program.call("ask", { key: "k", questions: order, wait: false, ...more });
  const question = await client.asked("QuestionRequest");
  set.notes.length = 0;
  set.clock.advance(90_000);
  return { ...set, session, client, program, question };
}

describe("the end of a request as observers are told it", () => {
  test("an answer of a person is told with the time that the question waited", async () => {
    const { client, question, notes } = await asked();
    await client.answer(question, { items });
    await client.answer(question, { items });
    expect(notes).toEqual(["question answered  by person, waited 90000"]);
  });

  test("a refusal by a person is told with its reason", async () => {
    const { client, question, notes } = await asked();
    await client.answer(question, { outcome: { status: "declined", reason: "dismissed" } });
    expect(notes).toEqual(["question declined dismissed by person, waited 90000"]);
  });

  test("a deadline that runs out is told as the deadline's doing", async () => {
    const { clock, notes } = await asked({}, { deadline: { ms: 100_000, on_expiry: "cancel" } });
    clock.advance(100_000);
    expect(notes).toEqual(["question expired deadline by deadline, waited 190000"]);
  });

  test("a question that its program takes back is told as the program's doing", async () => {
    const { program, notes } = await asked({}, { on_lost: "withdraw" });
    program.close();
    await until(() => notes.length > 0);
    expect(notes).toEqual(["question withdrawn agent by program, waited 90000"]);
  });

  test("the close of a server is told as a shutdown, and the session as closed after it", async () => {
    const { server, notes } = await asked();
    await server.close();
    expect(notes).toEqual(["question withdrawn shutdown by shutdown, waited 90000", "session closed, idle"]);
  });

  test("the close of a session is told as the server's doing", async () => {
    const { session, notes } = await asked();
    await session.close();
    expect(notes).toEqual([
      "question withdrawn session_closed by server, waited 90000",
      "session closed, idle",
    ]);
  });

  test("a cancelled turn is told as a person's doing", async () => {
    const set = observed({}, [asks(), "text: Then not."]);
    const { client } = await set.meet();
    await client.begin("QuestionRequest");
    set.notes.length = 0;
    await client.call("cancel", {});
    expect(set.notes).toEqual(["question withdrawn interrupted by person, waited 0"]);
  });

  test("a question that nobody could be asked ends without an opening, and waited for nobody", async () => {
    const set = observed({ attendance: "attended" }, [asks(), "text: I decide."]);
    const { client } = await set.meet({}, {});
    await client.call("prompt", { user_input: "go" });
    expect(set.notes).toEqual([
      "session opened, not kept, idle",
      "unopened question unavailable unsupported by server, waited not",
    ]);
  });

  test("an approval that a rule gives is told as a policy's doing", async () => {
    const script = [callLine("Shell", {}), "text: Done."];
    const set = observed({ yolo: true, tools: [approvedTool("Shell")] }, script);
    const { client } = await set.meet();
    await client.call("prompt", { user_input: "go" });
    expect(set.notes.slice(1)).toEqual(["unopened approval answered  by policy, waited not"]);
  });

  test("the result of a client's tool is told as a program's doing", async () => {
    const set = observed({}, [callLine("Weather", {}), "text: Sunny."]);
    const weather = { name: "Weather", description: "Tells it.", parameters: { type: "object" } };
    const { client } = set.connect();
    await client.call("initialize", { protocol_version: "1.10", external_tools: [weather] });
    const { asked, prompt } = await client.begin("ToolCallRequest");
    const return_value = { is_error: false, output: "sunny", message: "", display: [], extras: null };
    client.reply(asked, { tool_call_id: asked.id, return_value });
    await prompt;
    expect(set.notes.slice(1)).toEqual(["tool_call opened", "tool_call answered  by program, waited 0"]);
  });
});

describe.each(stores)("a request that is kept %s, as observers are told it", (_, store) => {
  test("a request that the next process goes on with is left by one and restored by the other, and never opened anew", async () => {
    const kept = keptSession(store());
    const before = noting();
    const first = kept.start([asks()], { observe: [before] });
    const { client } = await first.meet({ sessionId: id });
    await client.begin("QuestionRequest");
    await first.server.close();
    const ofRequests = (notes: readonly string[]) => notes.filter((note) => note.includes("question"));
    expect(ofRequests(before.notes)).toEqual(["question opened", "question left"]);

    const after = noting();
    const { client: next } = await kept.meet(["text: Red it is."], { observe: [after] });
    const again = await next.seen("QuestionRequest");
    next.reply(again, { request_id: again.id, answers: { "Which colour?": "Red" } });
    await next.seen("TurnEnd");
    expect(ofRequests(after.notes)).toEqual([
      "question restored",
      expect.stringMatching(/^question answered {2}by person, waited \d+$/),
    ]);
    expect(after.notes[0]).toBe("session opened, kept, idle");
  });
});

describe("an observer that fails", () => {
  const failing = { kinds: ["throws", "rejects"] as const };
  test.each(failing.kinds)(
    "an observer that %s harms no session, is told once in the log, and keeps no other from hearing",
    async (how) => {
      const fails = (): never => {
        throw new Error("the disk of the metrics is full");
      };
      const rejects = async () => fails();
      const call = (how === "throws" ? fails : rejects) as () => void;
      const bad: ServerObserver = { requestOpened: call, requestSettled: call, sessionOpened: call };
      const good = noting();
      const log = detailedLog();
      const set = observed({ observe: [bad, good], log });
      const session = await set.server.openSession({ id });
      const { client } = await meetExtended(set, { session });
      for (const key of ["k1", "k2"]) {
        await client.call("ask", { key, questions: order, wait: false, here: true });
      }
      const second = await client.asked("QuestionRequest", 2);
      expect((await client.answer(second, { items })).result).toMatchObject({
        outcome: { status: "answered" },
      });
      await set.server.close();
      expect(log.told.map(({ text }) => text)).toEqual([
        "an observer of the server failed; its next failures are not logged",
      ]);
      expect(good.notes).toHaveLength(6);
    },
  );

  test("an option that is no list is refused by its name", () => {
    const observe = noting() as never;
    expect(() => scenario([], { observe })).toThrow("createServer: observe: expected an array");
  });
});

describe("commits of a store", () => {
  test("each commit is told with its records and its time, and one that another process fences as such", async () => {
    const store = new MemoryStore();
    const set = await asked({ store: store.process(), workDir: WORK_DIR, log: detailedLog() });
    await set.client.answer(set.question, { items });
    expect(set.notes.join("\n")).toMatch(/^commit of \d+ kept in 0$/m);
    await store.take(id, { isForced: true });
    void set.program.call("ask", { key: "k2", questions: order, wait: false });
    await until(() => set.notes.some((note) => note.includes("fenced")));
    expect(set.notes.filter((note) => note.includes("fenced"))).toHaveLength(1);
    await set.server.close();
  });
});

describe("the readiness of a server", () => {
  test("a server is ready until it has as many sessions as it may have, and again once one has closed", async () => {
    const { server } = observed({ maxSessions: 1 });
    expect(await server.notReady()).toEqual([]);
    const session = server.createSession();
    expect(await server.notReady()).toEqual(["sessions"]);
    await session.close();
    expect(await server.notReady()).toEqual([]);
    await server.close();
    expect(await server.notReady()).toEqual(["stopping"]);
  });

  test("a store that fails, or is silent for 5 s, is named, and asked once for all who want to know", async () => {
    const store = new MemoryStore();
    const { server, clock } = observed({ store: store.process(), workDir: WORK_DIR });
    const calls: string[] = [];
    store.strikeCall = (call) => void calls.push(call);
    expect(await Promise.all([server.notReady(), server.notReady()])).toEqual([[], []]);
    expect(calls).toEqual(["list"]);
    store.strikeCall = () => {
      throw new Error("down");
    };
    expect(await server.notReady()).toEqual(["store"]);
    let release = () => {};
    store.strikeCall = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    const silent = server.notReady();
    await until(() => clock.waiting > 0);
    clock.advance(5_000);
    expect(await silent).toEqual(["store"]);
    release();
    store.strikeCall = () => {};
    await server.close();
  });
});
