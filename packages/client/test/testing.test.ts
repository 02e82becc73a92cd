import type { AnswerItem } from "@askwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientHandlers, type ConnectOptions, connect, RequestSettled } from "../src/index.js";
import { type ScriptedServerOptions, scriptedServer } from "../src/testing.js";
import { fakeTiming } from "./extended-server.js";
import { person } from "./person.js";

const which = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
const b: AnswerItem = { question_id: "q1", selected: ["q1_o2"] };

/** A client with a person who answers when the test does, at a scripted server. */
async function meet(options: ConnectOptions = {}, serverOptions: ScriptedServerOptions = {}) {
  const server = scriptedServer(serverOptions);
  const { shown, handlers } = person();
  const time = fakeTiming();
  const told: string[] = [];
  const session = await connect(server.dial, {
    handlers: { ...handlers, event: ({ type }) => void told.push(type) } as ClientHandlers,
    timing: time.timing,
    ...options,
  });
  onTestFinished(() => session.close());
  return {
    server,
    shown,
    session,
    told,
    /** Resolves once so many requests were shown. */
    showing: (count: number) => expect.poll(() => shown.length).toBe(count),
    /** Opens a lost connection again. */
    async back() {
      await expect.poll(() => session.connection).toBe("lost");
      session.reconnect();
      await expect.poll(() => session.connection).toBe("connected");
    },
  };
}

describe.each(["extended", "base"] as const)("a scripted server of the %s profile", (profile) => {
  test("a question is shown, and its answer is read by ids", async () => {
    const { server, shown, showing } = await meet({}, { profile });
    const id = server.ask(which);
    await showing(1);
    expect(shown[0]?.view).toMatchObject({ id, questions: [which] });
    shown[0]?.answer({ items: [b] });
    await expect
      .poll(server.answers.bind(server))
      .toMatchObject([
        { request_id: id, became: "taken", said: { outcome: { status: "answered" }, items: [b] } },
      ]);
  });

  test("a test waits for the answer to a question, and no longer than until it ends in another way", async () => {
    const { server, shown, showing } = await meet({}, { profile });
    const id = server.ask(which);
    const taken = server.taken(id);
    await showing(1);
    shown[0]?.answer({ items: [b] });
    expect((await taken).said.items).toEqual([b]);
    const other = server.ask(which);
    const never = server.taken(other);
    server.settle(other, { status: "expired", reason: "deadline" });
    await expect(never).rejects.toThrow(`taken: ${other} has no answer of the client: expired`);
    await expect(server.taken(server.ask(which), 10)).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  test("an approval is shown, and its answer has the person's words", async () => {
    const { server, shown, showing } = await meet({}, { profile });
    const id = server.approve({ description: "Delete it", action: "delete" });
    await showing(1);
    expect(shown[0]?.view).toMatchObject({ id, description: "Delete it", action: "delete" });
    shown[0]?.answer({ response: "reject", feedback: "no" });
    await expect
      .poll(server.answers.bind(server))
      .toMatchObject([{ request_id: id, became: "taken", said: { response: "reject", feedback: "no" } }]);
  });

  test("an approval that another client gives is taken from the person, and told with the other's answer", async () => {
    const { server, shown, showing, told } = await meet({}, { profile });
    const id = server.approve({ description: "Delete it" });
    await showing(1);
    server.settle(id, { status: "answered", response: { response: "approve_for_session" } });
    await expect.poll(() => shown[0]?.context.signal.aborted).toBe(true);
    await expect.poll(() => told).toContain("ApprovalResponse");
  });

  test("a declined question is an answer without items", async () => {
    const { server, shown, showing } = await meet({}, { profile });
    server.ask("Why?");
    await showing(1);
    shown[0]?.answer("declined");
    await expect
      .poll(server.answers.bind(server))
      .toMatchObject([{ became: "taken", said: { outcome: { status: "declined", reason: "dismissed" } } }]);
  });

  test("a question that was asked before the client came is shown once it has", async () => {
    const server = scriptedServer({ profile });
    server.ask(which);
    const { shown, handlers } = person();
    const session = await connect(server.dial, { handlers });
    onTestFinished(() => session.close());
    await expect.poll(() => shown.length).toBe(1);
  });

  test("a client that declares other offers is asked no open question again", async () => {
    const { server, shown, showing, session } = await meet({}, { profile });
    server.ask(which);
    await showing(1);
    await session.declare({ planMode: true });
    server.ask("And this?");
    await showing(2);
    expect(shown[1]?.view).toMatchObject({ questions: [{ question: "And this?" }] });
  });

  test("a turn has what the server says until it ends it", async () => {
    const { server, session } = await meet({}, { profile });
    const turn = session.prompt("Set up");
    await expect.poll(() => server.prompts()).toEqual(["Set up"]);
    server.say("Hello ");
    server.say("there");
    server.end();
    let text = "";
    for await (const { type, payload } of turn) {
      if (type === "ContentPart" && payload.type === "text") text += payload.text;
    }
    expect(text).toBe("Hello there");
    expect(await turn.result).toEqual({ status: "finished" });
  });

  test("a cancelled turn ends as cancelled, and takes its question away", async () => {
    const { server, session, shown, showing } = await meet({}, { profile });
    const turn = session.prompt("Set up");
    await expect.poll(() => server.prompts().length).toBe(1);
    server.ask(which);
    await showing(1);
    await session.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    expect(shown[0]?.context.signal.aborted).toBe(true);
  });

  test("a question that another client answers is taken from the person", async () => {
    const { server, shown, showing } = await meet({}, { profile });
    const id = server.ask(which);
    await showing(1);
    server.settle(id);
    await expect.poll(() => shown[0]?.context.signal.aborted).toBe(true);
    expect(() => server.settle(id)).toThrow(`settle: ${id} is no open request`);
  });
});

describe("faults of the extended profile", () => {
  test("a question that a client leaves to another one ends with the other's name", async () => {
    const { server, shown, showing } = await meet();
    const id = server.ask(which);
    await showing(1);
    server.settle(id, { status: "answered", client: "phone" });
    await expect.poll(() => shown[0]?.context.signal.reason).toBeInstanceOf(RequestSettled);
    expect(shown[0]?.context.signal.reason.outcome).toMatchObject({ client: { name: "phone" } });
  });

  test("an answer that comes after another client's is late, and changes nothing", async () => {
    const { server, shown, showing, session } = await meet();
    const id = server.ask(which);
    await showing(1);
    const release = server.hold();
    shown[0]?.answer({ items: [b] });
    await expect.poll(() => session.outbox.current().length).toBe(1);
    server.settle(id);
    release();
    await expect.poll(() => server.answers().map(({ became }) => became)).toEqual(["late"]);
    await expect.poll(() => session.outbox.current().length).toBe(0);
  });

  test("a refused answer is put to the person again with its issues", async () => {
    const { server, shown, showing } = await meet();
    server.ask(which);
    await showing(1);
    const issue = { question_id: "q1", code: "field", message: "not today" };
    server.refuse([issue]);
    shown[0]?.answer({ items: [b] });
    await showing(2);
    expect(shown[1]?.context.issues).toEqual([issue]);
    shown[1]?.answer({ items: [b] });
    await expect.poll(() => server.answers().map(({ became }) => became)).toEqual(["refused", "taken"]);
  });

  test("an answer that does not fit its question is refused as a real server refuses it", async () => {
    const { server, shown, showing } = await meet();
    server.ask({ ...which, own_text: false });
    await showing(1);
    shown[0]?.answer({ items: [{ question_id: "q1", selected: [], own_text: "C" }] });
    await showing(2);
    expect(shown[1]?.context.issues).toMatchObject([{ question_id: "q1" }]);
  });

  test("an answer that is lost with its connection is sent again by the next one", async () => {
    const { server, shown, showing, back } = await meet();
    server.ask(which);
    await showing(1);
    server.dropAtAnswer("before");
    shown[0]?.answer({ items: [b] });
    await back();
    await expect.poll(() => server.answers().map(({ became }) => became)).toEqual(["lost", "taken"]);
    expect(shown).toHaveLength(1);
  });

  test("an answer whose reply is lost counts once", async () => {
    const { server, shown, showing, back, session } = await meet();
    server.ask(which);
    await showing(1);
    server.dropAtAnswer("after");
    shown[0]?.answer({ items: [b] });
    await back();
    await expect.poll(() => session.state).toBe("idle");
    expect(server.answers().map(({ became }) => became)[0]).toBe("taken");
    expect(server.answers().filter(({ became }) => became === "taken")).toHaveLength(1);
  });

  test("what happened while the connection was lost comes afterwards, once", async () => {
    const { server, told, shown, showing, back } = await meet();
    server.say("one");
    server.ask(which);
    await showing(1);
    server.drop();
    server.say("two");
    server.settle(server.ask("Over by then?"));
    server.ask("And this?");
    await back();
    await showing(2);
    expect(shown[1]?.view).toMatchObject({ questions: [{ question: "And this?" }] });
    expect(told.filter((type) => type === "ContentPart")).toHaveLength(2);
  });

  test("a slow server leaves an answer on its way until it is let go", async () => {
    const { server, shown, showing, session } = await meet();
    server.ask(which);
    await showing(1);
    const release = server.hold();
    shown[0]?.answer({ items: [b] });
    await expect.poll(() => session.outbox.current().length).toBe(1);
    expect(server.answers()).toEqual([]);
    release();
    await expect.poll(() => server.answers().length).toBe(1);
    await expect.poll(() => session.outbox.current().length).toBe(0);
  });

  test("questions that do not fit the protocol are an error of the test", () => {
    const server = scriptedServer();
    expect(() => server.ask({ question: 1 } as never)).toThrow("ask: questions[0].question: expected string");
    expect(() => server.end()).toThrow("end: the client has not prompted");
  });

  test("a server of the base profile says that it cannot refuse", () => {
    expect(() => scriptedServer({ profile: "base" }).refuse([])).toThrow("has no reply");
  });
});
