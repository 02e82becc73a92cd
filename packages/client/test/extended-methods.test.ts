import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { connect } from "../src/index.js";
import { extendedServer, outcome } from "./extended-server.js";
import { person } from "./person.js";
import { question } from "./raw-server.js";

describe("a replay says of each message that it is one (P-XRP-1)", () => {
  test("replayed messages go to their own handlers, requests as such, while live events continue", async () => {
    const live: string[] = [];
    const { shown, handlers } = person();
    const { session, line } = await extendedServer({
      handlers: { ...handlers, event: ({ type }) => void live.push(type) },
    });
    const events: unknown[] = [];
    const requests: unknown[] = [];
    const replay = session.replay({
      event: (event) => void events.push(event),
      request: (request) => void requests.push(request),
    });
    const { id } = await line.next();
    const replayed = (type: string, payload: object) =>
      line.send({ method: "event", params: { type, payload, replayed: true } });
    replayed("TurnBegin", { user_input: "then" });
    replayed("QuestionRequest", question);
    line.event("Notification", {});
    replayed("QuestionRequest", { id: 7 });
    line.event("InteractionOpened", { request_id: "r-2", kind: "hook" });
    replayed("InteractionSettled", { request_id: "r-1", kind: "question", outcome });
    line.reply(id, { status: "finished", events: 3, requests: 1 });
    expect(await replay).toEqual({ status: "finished", events: 3, requests: 1 });
    expect(events).toMatchObject([
      { type: "TurnBegin" },
      { type: "unrecognized", payload: { type: "QuestionRequest" } },
      { type: "InteractionSettled" },
    ]);
    expect(requests).toMatchObject([{ type: "QuestionRequest", payload: { id: "r-1" } }]);
    expect([live, shown.length]).toEqual([["unrecognized", "InteractionOpened"], 0]);
  });

  test("marked messages outside of a replay are dropped", async () => {
    const live: string[] = [];
    const { line } = await extendedServer({ handlers: { event: ({ type }) => void live.push(type) } });
    line.send({ method: "event", params: { type: "TurnEnd", payload: {}, replayed: true } });
    await line.settled();
    expect(live).toEqual([]);
  });
});

describe("a person who does not want to be asked (P-XDN-1)", () => {
  test("a person says by a method that they do not want to be asked, and every client knows by the attach and the event", async () => {
    const told: unknown[] = [];
    const { session, line } = await extendedServer(
      { handlers: { event: (event) => void told.push(event) } },
      { do_not_ask: true },
    );
    expect(session.doNotAsk).toBe(true);
    const off = session.setDoNotAsk(false);
    const { id, method, params } = await line.next();
    expect([method, params]).toEqual(["set_do_not_ask", { enabled: false }]);
    line.event("DoNotAsk", { enabled: false, by: { name: "me", connection: "c" } });
    line.reply(id, { do_not_ask: false });
    expect([await off, session.doNotAsk]).toEqual([false, false]);
    line.event("DoNotAsk", { enabled: true });
    await line.settled();
    expect([session.doNotAsk, told.length]).toEqual([true, 2]);
  });

  test("the wish not to be asked is known again after a reset, by what the server says then", async () => {
    const { session, line, back } = await extendedServer({}, { do_not_ask: true });
    await line.cut();
    await back({ stream: "another" });
    expect(session.doNotAsk).toBe(false);
  });
});

describe("a list of commands that has changed (P-SLH-3)", () => {
  const review = { name: "review", description: "Review the changes", aliases: ["r"] };

  test("a list of commands that has changed takes the place of the handshake's, until the next handshake", async () => {
    const told: unknown[] = [];
    const { session, line, back } = await extendedServer({
      handlers: { event: ({ type }) => void told.push(type) },
    });
    const before = session.slashCommands;
    line.event("CommandsChanged", { slash_commands: [review] });
    await line.settled();
    expect([session.slashCommands, told]).toEqual([[review], ["CommandsChanged"]]);
    line.event("CommandsChanged", { slash_commands: "none" });
    await line.settled();
    expect(session.slashCommands).toEqual([review]);
    await line.cut();
    await back();
    expect(session.slashCommands).toEqual(before);
  });
});

describe("the sessions of a server (P-XSE-1 to P-XSE-3)", () => {
  test("the kept sessions of a server are listed by pages (P-XSE-7)", async () => {
    const { session, line } = await extendedServer({}, {}, { kept_sessions: true });
    const row = { id: "s-1", state: "kept", connections: 0, title: "Build the shop" };
    const first = session.listKeptSessions({ limit: 1 });
    const asked = await line.next();
    expect([asked.method, asked.params]).toEqual(["list_sessions", { state: "kept", limit: 1 }]);
    line.reply(asked.id, { sessions: [row], next: "[0]" });
    expect(await first).toEqual({ sessions: [row], next: "[0]" });
    await expect(session.listKeptSessions({ limit: 0 })).rejects.toThrow(/listKeptSessions: limit/);
  });

  test("a server that does not say that it lists kept sessions is asked for none", async () => {
    const { session } = await extendedServer();
    expect(await session.listKeptSessions()).toEqual({ sessions: [] });
  });

  test("the sessions of a server are listed, made and closed", async () => {
    const { session, line } = await extendedServer();
    const made = { id: "s-2", state: "idle", connections: 0 };
    const all = session.listSessions();
    line.reply((await line.next()).id, { sessions: [made] });
    expect(await all).toEqual([made]);
    const one = session.createSession();
    expect(await line.next()).toMatchObject({ method: "create_session", id: "3" });
    line.reply("3", { session: made });
    expect(await one).toEqual(made);
    const gone = session.closeSession("s-2");
    expect(await line.next()).toMatchObject({ method: "close_session", params: { session_id: "s-2" } });
    line.fail("4", -32011);
    await expect(gone).rejects.toMatchObject({ code: -32011 });
  });
});

describe("a code for a device (P-DEV-7, P-DEV-8)", () => {
  const made = { code: "K7QMD-X2PFA", address: "https://ask.example", expires_in_ms: 600_000 };
  const phone = { id: "d0", name: "Chrome on Android" };

  test("a code for a device is made, and its end says which device used it (P-DEV-7, P-DEV-8)", async () => {
    const { session, line } = await extendedServer();
    const code = session.createPairingCode({ role: "answer" });
    const asked = await line.next();
    expect([asked.method, asked.params]).toEqual(["create_pairing_code", { role: "answer" }]);
    line.reply(asked.id, made);
    expect(await code).toEqual(made);
    const used = session.awaitPairing(made.code);
    const waits = await line.next();
    expect([waits.method, waits.params]).toEqual(["await_pairing", { code: made.code }]);
    line.reply(waits.id, { device: phone });
    expect(await used).toEqual(phone);
    await expect(session.createPairingCode({ role: "owner" as never })).rejects.toThrow(
      /createPairingCode: role/,
    );
  });

  test("a wait for a device ends the code once it is given up", async () => {
    const { session, line } = await extendedServer();
    const gone = new AbortController();
    const used = session.awaitPairing(made.code, { signal: gone.signal });
    const { id } = await line.next();
    gone.abort();
    expect(await line.next()).toMatchObject({ method: "$/cancelRequest", params: { id } });
    line.reply(id, {});
    expect(await used).toBeUndefined();
  });
});

test.each([
  [{ approval: { action: "a", description: "d", personOnly: true } }, 'did you mean "person_only"'],
  [{ approval: { action: "a", description: "d", optoins: [] } }, 'did you mean "options"'],
  [{ approval: { action: "a", description: "d", edit: { content: "a", check: () => "" } } }, "check"],
  [
    { questions: [{ question: "How many?", field: { type: "integer", min: 3 } }] },
    'field: unknown option "min"',
  ],
  [
    { questions: [{ question: "How many?", field: { type: "integer", bounds: { minimum: 3 } } }] },
    'bounds: unknown option "minimum"',
  ],
  [{ questions: [{ question: "Which?", options: ["Red"] }] }, "{ label: "],
  [{ questions: ["Which?"] }, "{ question: "],
])(
  "an ask with a misspelt or misplaced member asks nobody, and says what was meant: %j",
  async (init, meant) => {
    const { session } = await extendedServer();
    await expect(session.ask(init as never)).rejects.toThrow(meant);
  },
);

test.each([
  [{ question: () => "SQLite" }, "question: expected it within handlers"],
  [{ shows: { preview: true } }, 'shows: unknown option "preview": did you mean "previews"?'],
])(
  "a connection with a misplaced or misspelt option is refused, and says what was meant: %j",
  async (options, meant) => {
    const { left } = linkedPair();
    await expect(connect(left, options as never)).rejects.toThrow(meant);
  },
);
