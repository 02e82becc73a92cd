import { linkedPair } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { type ConnectOptions, connect } from "../src/index.js";
import { dialable, extendedServer, greeting, server } from "./extended-server.js";
import { question, rawServer } from "./raw-server.js";

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

const nothing = {
  previews: false,
  notes: false,
  attachments: false,
  skip: false,
  deadline: false,
  fields: false,
  approval_options: false,
  edits: false,
};

describe("the features that a client declares (P-XCL-1, P-XNG-1, P-XNG-2)", () => {
  test("a client declares the profile with its revision, its own id, and no feature that it was not told that it shows", async () => {
    const { initialize } = await rawServer();
    expect(initialize).toMatchObject({
      params: { capabilities: expect.anything(), client: { name: "askwire-client" } },
    });
    const { askwire } = (initialize.params as { capabilities: { askwire: object } }).capabilities;
    expect(askwire).toEqual({ ...nothing, alive: true, revision: 3, client_id: uuid });
  });

  test("a client declares what it was told that it shows, under the id that it was given", async () => {
    const clientId = "7d0fd3f4-4a8c-4c6e-9d3c-0f8a5b1f2e11";
    const { initialize } = await extendedServer({ clientId, shows: { previews: true, skip: true } });
    expect(initialize.params.capabilities.askwire).toEqual({
      ...nothing,
      previews: true,
      skip: true,
      alive: true,
      revision: 3,
      client_id: clientId,
    });
    expect(initialize.params).not.toHaveProperty("session");
  });

  test("a client declares nothing of the profile where only the base profile is wanted", async () => {
    const { initialize } = await rawServer({ profile: "base", session: "s-1" });
    expect(initialize).toMatchObject({ params: { capabilities: { supports_question: false } } });
    const { capabilities, session } = initialize.params as Record<string, object>;
    expect(Object.keys(capabilities as object)).toEqual(["supports_question", "supports_plan_mode"]);
    expect(session).toBeUndefined();
  });

  test.each([
    [{ clientId: "not-a-uuid" }, "clientId: expected a UUID; leave it out, and the session has a new one"],
    [{ profile: "kimi" }, 'profile: expected "extended" or "base"'],
  ])(
    "a declaration is refused before anything is said if it is %o, with the option's name",
    async (options, message) => {
      const { left, right } = linkedPair();
      const said: string[] = [];
      const closed = new Promise<void>((resolve) => {
        right.listen({
          message: (text) => void said.push(text),
          oversized: () => void said.push("too much"),
          closed: () => resolve(),
        });
      });
      const refused = connect(left, options as ConnectOptions);
      await expect(refused).rejects.toMatchObject({ name: "LocalError", code: "BAD_MESSAGE", message });
      await closed;
      expect(said).toEqual([]);
    },
  );

  test("two sessions have two ids", async () => {
    const ids = await Promise.all(
      [rawServer(), rawServer()].map(async (raw) => {
        const { params } = (await raw).initialize as unknown as {
          params: { capabilities: { askwire: { client_id: string } } };
        };
        return params.capabilities.askwire.client_id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("where a client is attached (P-XAT-2, P-XAT-4)", () => {
  test("the place where a client is attached can be read, with the plan mode that holds there", async () => {
    const { session } = await extendedServer({}, { id: "s-7", plan_mode: true });
    expect([session.id, session.connection, session.status.plan_mode]).toEqual(["s-7", "connected", true]);
  });

  test("the attached client has the state that was reported last, also where an event has none", async () => {
    const { session, line, numbers } = await extendedServer();
    numbers.seq += 1;
    line.send({
      method: "event",
      params: { type: "StatusUpdate", payload: {}, seq: numbers.seq, state: "waiting" },
    });
    line.event("StatusUpdate");
    await line.settled();
    expect(session.state).toBe("waiting");
  });

  test("a client attaches to the session that it was told to attach to", async () => {
    const { initialize } = await extendedServer({ session: "s-1" });
    expect(initialize.params.session).toEqual({ id: "s-1" });
  });

  test("a client that is attached to another session than it asked for fails its connection", async () => {
    await expect(extendedServer({ session: "s-1" }, { id: "s-2" })).rejects.toMatchObject({
      code: "BAD_PEER",
      message: "the server does not go on with session s-1: it attached to s-2",
    });
  });

  test("a server that has no sessions to attach to is reported as such", async () => {
    await expect(rawServer({ session: "s-1" })).rejects.toMatchObject({
      code: "BAD_PEER",
      message: "the server does not go on with session s-1: it has no extended profile",
    });
  });

  test("a session that is not there is the server's error, and nothing is tried again", async () => {
    const { dial, nextLine } = dialable();
    const connected = connect(dial, { session: "s-1" });
    const line = await nextLine();
    line.fail((await line.next()).id, -32011);
    await expect(connected).rejects.toMatchObject({ name: "WireError", code: -32011 });
    await line.closed;
  });

  test("a server that speaks the profile and says nothing of the session is reported as having no sessions", async () => {
    const { dial, nextLine } = dialable();
    const connected = connect(dial);
    const line = await nextLine();
    const { session: _session, ...result } = greeting();
    line.reply((await line.next()).id, result);
    await expect(connected).rejects.toMatchObject({
      code: "BAD_PEER",
      message: 'malformed result of "initialize": session: expected object',
    });
    await line.closed;
  });
});

describe("with a server of the base profile", () => {
  test("a server whose revision is gone is taken for one of the base profile (P-XNG-1)", async () => {
    const { dial, nextLine } = dialable();
    const connected = connect(dial);
    const line = await nextLine();
    line.reply((await line.next()).id, greeting({}, { revision: 2 }));
    expect((await connected).id).toBeUndefined();
  });

  test("a session of a base server has no id, is answered in base words, and its end is its end (P-XNG-1)", async () => {
    const { dial, nextLine } = dialable();
    const connected = connect(dial, { handlers: { question: () => ({ answers: { "Which?": "A" } }) } });
    const line = await nextLine();
    line.reply((await line.next()).id, { protocol_version: "1.10", server, slash_commands: [] });
    const session = await connected;
    expect([session.id, session.state]).toEqual([undefined, undefined]);
    line.send({ method: "request", id: question.id, params: { type: "QuestionRequest", payload: question } });
    expect(await line.next()).toMatchObject({
      id: "r-1",
      result: { request_id: "r-1", answers: { "Which?": "A" } },
    });
    await line.cut(new Error("cut"));
    expect(await session.closed).toMatchObject({ message: "cut" });
    expect(session.connection).toBe("closed");
  });

  test("a context of a base server has no issues, and a touch does nothing", async () => {
    const seen: unknown[] = [];
    const { ask, next, settled } = await rawServer({
      handlers: {
        question(_view, context) {
          context.touch();
          seen.push(context.issues);
          return { declined: "discuss", note: "let us talk" };
        },
      },
    });
    ask("QuestionRequest", question);
    expect(await next()).toMatchObject({ id: "r-1", result: { request_id: "r-1", answers: {} } });
    await settled();
    expect(seen).toEqual([[]]);
  });
});

describe("messages that come with the introduction, in the same moment,", () => {
  test("a message that comes with the introduction is handled in its order once the introduction is read (P-XAT-5)", async () => {
    const seen: string[] = [];
    const { dial, nextLine, numbers } = dialable();
    const connected = connect(dial, {
      handlers: {
        event: ({ type }) => void seen.push(type),
        question: () => {
          seen.push("question");
          return "declined";
        },
      },
      onConnection: ({ state }) => void seen.push(state),
    });
    const line = await nextLine();
    const { id } = await line.next();
    line.reply(id, greeting({ seq: 4, pending: ["r-1"] }));
    numbers.seq = 4;
    line.askAgain("QuestionRequest", question);
    line.event("TurnBegin", { user_input: "theirs", turn_id: "t" });
    line.event("StepBegin", { n: 1 });
    await connected;
    expect(await line.next()).toMatchObject({ method: "answer" });
    expect(seen).toEqual(["connected", "question", "TurnBegin", "StepBegin"]);
  });

  test("a request that comes with the introduction is answered though the handler says afterwards that the person has begun (P-XDL-3)", async () => {
    const { dial, nextLine } = dialable();
    const connected = connect(dial, {
      handlers: {
        question: (_view, { touch }) => {
          queueMicrotask(touch);
          return "declined";
        },
      },
    });
    const line = await nextLine();
    const { id } = await line.next();
    line.reply(id, greeting({ pending: ["r-1"] }));
    const deadline = { at: "2026-01-01T00:00:30Z", remaining_ms: 30_000, on_expiry: "cancel" };
    line.ask("QuestionRequest", { ...question, deadline });
    await connected;
    expect(await line.next()).toMatchObject({ method: "answer" });
    await line.settled();
  });
});
