import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Log } from "../../src/index.js";
import { keepIn } from "../../src/index.js";
import { sessionFolder } from "../../src/journal/places.js";
import type { Devices, ListenOptions, NamedToken, NamedTokens } from "../../src/websocket.js";
import { everything } from "../extended/extended-client.js";
import { listeningExtended } from "../extended/extended-gateway.js";
import { messagesOf, temporaryFolder } from "../journal-folder.js";
import { asks } from "../scenario.js";
import { red } from "./gateway.js";

const redItems = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
const secret = () => randomBytes(32).toString("base64url");
const owner = { id: "local", name: "Olga", via: "local" };
const ann = { id: "Ann", name: "Ann", via: "token" };
const REFUSED = "403 the server cannot say who you are";

/** A log, and what it was told. */
function notedLog() {
  const told: string[] = [];
  const note = ({ error }: { readonly error?: string }) => void told.push(error ?? "");
  return { told, log: { debug: note, info: note, warn: note, error: note } as unknown as Log };
}

/** Tokens of persons in memory. */
function memoryTokens(known: ReadonlyMap<string, NamedToken>) {
  const watchers = new Set<(key: string) => void>();
  const tokens: NamedTokens = {
    match: (text) => known.get(text),
    watchRevoked(revoked) {
      watchers.add(revoked);
      return () => watchers.delete(revoked);
    },
  };
  const revoke = (key: string) => {
    for (const revoked of watchers) revoked(key);
  };
  return { tokens, revoke, watchers };
}

/** A gateway whose owner has prompted, with a token of Ann's and a trusted header. */
async function gatewayWithPersons(
  listen: ListenOptions = {},
  more: Parameters<typeof listeningExtended>[1] = {},
) {
  const token = secret();
  const known = new Map<string, NamedToken>([[token, { key: "ann-1", name: "Ann" }]]);
  const { tokens, revoke, watchers } = memoryTokens(known);
  const set = await listeningExtended([asks(), "text: done"], {
    ...more,
    listen: { tokens, owner: "Olga", answerToken: true, ...listen },
  });
  const first = await set.joinExtended("/wire", { name: "owner" });
  return { ...set, first, path: `/wire/${first.found.id}`, ann: { token }, revoke, watchers };
}

interface Listed {
  requests: { mine?: true; text: string }[];
  counts?: { all: number };
}

const principalOf = ({ found }: { found: object }) => (found as { principal?: unknown }).principal;

describe("who a connection is let in as (P-WHO-3, P-WHO-4)", () => {
  test("an answer names the person of the token, whatever the client calls itself, to everybody and in the history", async () => {
    const { first, path, ann: how, joinExtended } = await gatewayWithPersons();
    const client = await joinExtended(path, { name: "Olga", principal: owner } as object, how);
    expect([principalOf(first), principalOf(client)]).toEqual([owner, ann]);
    const { prompt } = await first.begun("QuestionRequest");
    const asked = await client.asked("QuestionRequest");
    const { result } = await client.answer(asked, redItems);
    expect(result?.outcome).toMatchObject({ client: { name: "Olga" }, principal: ann });
    await prompt;
    const [settled] = first.events("InteractionSettled");
    expect(settled?.payload.outcome).toMatchObject({ status: "answered", principal: ann });
    const late = await joinExtended(path, { shows: { history: true } }, how);
    await late.seen("HistoryEnd");
    expect(late.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ principal: ann });
  });

  test("a base client is told of no person, and others are told who answered on it", async () => {
    const { first, server, ann: how, join } = await gatewayWithPersons();
    const base = await join(server.sessions.get(first.found.id) as never, how);
    const { prompt } = await first.begun("QuestionRequest");
    base.reply(await base.seen("QuestionRequest"), red((await base.seen("QuestionRequest")).id));
    await prompt;
    expect(first.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ principal: ann });
    expect(JSON.stringify(base.received)).not.toContain("principal");
  });

  test("a client that states its person in an answer is refused, and may answer without", async () => {
    const { first } = await gatewayWithPersons();
    const { asked } = await first.begun("QuestionRequest");
    const outcome = { status: "answered", principal: ann };
    expect((await first.answer(asked, { outcome, ...redItems })).error).toMatchObject({
      code: -32014,
      message: "outcome.principal is the server's to say",
    });
    expect((await first.answer(asked, redItems)).result?.outcome).toMatchObject({ principal: owner });
  });

  test("the shared token for answering names nobody, and the own token does not behind a proxy", async () => {
    const { gateway, path, joinExtended } = await gatewayWithPersons();
    const shared = await joinExtended(path, {}, { token: gateway.answerToken ?? "" });
    expect(shared.found).not.toHaveProperty("principal");
    const passedOn = await joinExtended(path, {}, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(passedOn.found).not.toHaveProperty("principal");
  });

  test("a person's connections end once the token is revoked, and nobody else's", async () => {
    const { first, path, ann: how, joinExtended, revoke, gateway, watchers } = await gatewayWithPersons();
    const client = await joinExtended(path, {}, how);
    revoke("ann-1");
    expect(await client.ended).toBe("4401 the token was revoked or renewed");
    expect((await first.call("initialize", { protocol_version: "1.10" })).error).toBeUndefined();
    await gateway.close();
    expect(watchers.size).toBe(0);
  });

  test("a device is its person's, beside its own name, and its own name alone where no person was given", async () => {
    const tokens = { phone: secret(), old: secret(), odd: secret() };
    const name = "Firefox on Android";
    const known = new Map([
      [tokens.phone, { id: "d1", name, person: "Ann" }],
      [tokens.old, { id: "d2", name }],
      [tokens.odd, { id: "d3", name: "\u0085\u202eevil" }],
    ]);
    const devices: Devices = {
      match: (token) => known.get(token),
      pair: () => undefined,
      watchRevoked: () => () => {},
    };
    const { path, joinExtended } = await gatewayWithPersons({ devices });
    const who = async (token: string) => principalOf(await joinExtended(path, {}, { token }));
    expect(await who(tokens.phone)).toEqual({ id: "d1", name: "Ann", via: "device", device: name });
    expect(await who(tokens.old)).toEqual({ id: "d2", name, via: "device" });
    expect(await who(tokens.odd)).toBeUndefined();
  });

  test("a client that prompts, wants no questions or is at one is named with its person: live, in lists, the journal and its replay (P-WHO-7)", async () => {
    const place = { share: temporaryFolder(), workDir: "/work/shop" };
    const keep = keepIn(place);
    const { first, path, ann: how, joinExtended, server } = await gatewayWithPersons({}, { keep });
    const shows = { ...everything, presence: true };
    const client = await joinExtended(path, { name: "Olga", shows }, how);
    const byAnn = { name: "Olga", connection: expect.any(String), principal: ann };
    const prompt = client.call("prompt", { user_input: "go" });
    const { id } = await first.asked("QuestionRequest");
    await client.asked("QuestionRequest");
    await client.call("touch", { request_id: id });
    expect((await first.seen("InteractionUpdated")).params?.payload.answering).toEqual([byAnn]);
    const { requests } = (await first.call("list_requests")).result as { requests: object[] };
    expect(requests).toMatchObject([{ request_id: id, answering: [byAnn] }]);
    await client.call("set_do_not_ask", { enabled: true });
    await prompt;
    const told = { TurnBegin: byAnn, DoNotAsk: byAnn, TurnEnd: byAnn };
    for (const [type, by] of Object.entries(told)) {
      expect((await first.seen(type)).params?.payload.by).toEqual(by);
      expect(client.events(type)[0]?.payload.by).toEqual(by);
    }
    await server.close();
    const records = messagesOf(sessionFolder({ ...place, id: first.found.id }));
    for (const type of ["TurnOpened", "DoNotAsk"])
      expect(records.find((record) => record.type === type)?.payload.by).toEqual(byAnn);

    const next = await listeningExtended([], { keep });
    next.server.createSession({ id: first.found.id });
    const later = await next.joinExtended(path, { shows: { history: true } });
    await later.seen("HistoryEnd");
    for (const [type, by] of Object.entries(told)) expect(later.events(type)[0]?.payload.by).toEqual(by);
  });

  test("a client's own word of who it is for is told nowhere, and a base client is told of nobody", async () => {
    const { first, server, gateway, path, join, joinExtended } = await gatewayWithPersons();
    const shared = { token: gateway.answerToken ?? "" };
    const shows = { ...everything, presence: true };
    const client = await joinExtended(path, { name: "Ann", shows, principal: ann } as object, shared);
    const base = await join(server.sessions.get(first.found.id) as never);
    const { prompt } = await first.begun("QuestionRequest");
    const { id } = await client.asked("QuestionRequest");
    await client.call("touch", { request_id: id });
    const { answering } = (await first.seen("InteractionUpdated")).params?.payload ?? {};
    expect(answering).toEqual([{ name: "Ann", connection: expect.any(String) }]);
    await client.answer({ id } as never, redItems);
    await prompt;
    expect(JSON.stringify(base.received)).not.toContain("principal");
  });

  test("a person is kept with the answer, and told by the next process", async () => {
    const place = { share: temporaryFolder(), workDir: "/work/shop" };
    const keep = keepIn(place);
    const { first, path, ann: how, joinExtended, server } = await gatewayWithPersons({}, { keep });
    const client = await joinExtended(path, {}, how);
    const { prompt } = await first.begun("QuestionRequest");
    await client.answer(await client.asked("QuestionRequest"), redItems);
    await prompt;
    await server.close();
    const { id } = first.found;
    const settled = messagesOf(sessionFolder({ ...place, id })).find(
      ({ type }) => type === "InteractionSettled",
    );
    expect(settled?.payload.outcome).toMatchObject({ principal: ann });

    const next = await listeningExtended([], { keep });
    const session = next.server.createSession({ id });
    const later = await next.joinExtended(`/wire/${session.id}`, { shows: { history: true } });
    await later.seen("HistoryEnd");
    expect(later.events("InteractionSettled")[0]?.payload.outcome).toMatchObject({ principal: ann });
  });
});

describe("a program that embeds the gateway says who somebody is (P-WHO-3)", () => {
  const bob = { id: "42", name: "Bob", via: "header" } as const;
  const withCookie = (cookie?: string) => ({
    token: null,
    ...(cookie !== undefined && { headers: { cookie } }),
  });

  test("the person that the program finds for a request is let in by that name and role", async () => {
    const { path, joinExtended, open } = await gatewayWithPersons({
      authenticate: ({ headers }) =>
        headers.cookie === "s=bob" ? { principal: bob, role: "answer" } : undefined,
    });
    const client = await joinExtended(path, {}, withCookie("s=bob"));
    expect(client.found).toMatchObject({ principal: bob, role: "answer" });
    expect(await (await open(path, withCookie("s=eve"))).ended).toBe("4401 the token is missing or wrong");
    expect(await (await open(path, withCookie())).ended).toBe("4401 the token is missing or wrong");
  });

  test.each([
    [
      "of 10 kB",
      { ...bob, name: "B".repeat(10_240) },
      "authenticate: principal: name: expected 1 to 200 characters",
    ],
    [
      "with a control",
      { ...bob, id: "b\u0007" },
      "authenticate: principal: id: expected 1 to 200 characters",
    ],
    [
      "that turns the text around",
      { ...bob, name: "\u202eboB" },
      "principal: name: expected 1 to 200 characters",
    ],
    ["of another way", { ...bob, via: "guess" }, 'principal: via: expected "token"'],
    ["without a name", { id: "42", via: "header" }, "principal: name: expected 1 to 200 characters"],
  ])(
    "a person %s is refused before the upgrade, with the reason in the log alone",
    async (_, principal, why) => {
      const { log, told } = notedLog();
      const { path, refused } = await gatewayWithPersons({
        ...{ log, authenticate: () => ({ principal: principal as never }) },
      });
      expect(await refused(path, withCookie())).toBe(REFUSED);
      expect(told.join()).toContain(why);
    },
  );

  test("an exception of the program refuses the connection, and the gateway goes on", async () => {
    const { log, told } = notedLog();
    const { path, refused, joinExtended } = await gatewayWithPersons({
      log,
      authenticate() {
        throw new Error("no database");
      },
    });
    expect(await refused(path, withCookie())).toBe(REFUSED);
    expect(told.join()).toContain("no database");
    expect(principalOf(await joinExtended(path))).toEqual(owner);
  });

  test.each([
    ["a promise", async () => ({ key: "k", name: "Ann" })],
    ["a role that there is not", () => ({ key: "k", name: "Ann", role: "all" })],
    ["an object without a key", () => ({ name: "Ann" })],
    [
      "an exception",
      () => {
        throw new Error("no database");
      },
    ],
  ])("nobody is let in by %s of the program's tokens, and the gateway goes on", async (_, match) => {
    const tokens = { match: match as never, watchRevoked: () => () => {} };
    const { path, refused, joinExtended } = await gatewayWithPersons({ tokens, log: notedLog().log });
    expect(await refused(path, { token: secret() })).toBe(REFUSED);
    expect(principalOf(await joinExtended(path))).toEqual(owner);
  });

  test("a token that the program's database does not know, and says so by null, is a wrong one", async () => {
    const tokens = { match: () => null as never, watchRevoked: () => () => {} };
    const { path, open } = await gatewayWithPersons({ tokens });
    expect(await (await open(path, { token: secret() })).ended).toBe("4401 the token is missing or wrong");
  });

  test.each(["via", "x-real-ip", "x-forwarded-host", "forwarded"])(
    "the server's own token is nobody's where the header %s shows a proxy",
    async (header) => {
      const { path, joinExtended } = await gatewayWithPersons();
      const client = await joinExtended(path, {}, { headers: { [header]: "1.1 proxy" } });
      expect(principalOf(client)).toBeUndefined();
    },
  );
});

describe("a header of a proxy that is trusted (P-WHO-5)", () => {
  const from = (...addresses: string[]) => ({
    trustHeader: { header: "X-Forwarded-Email", from: addresses },
  });
  const says = (...values: string[]) => ({
    token: null,
    headers: { "x-forwarded-email": values as never },
  });
  const zoe = "zoë@corp.example";
  const sent = Buffer.from(zoe).toString("latin1");
  const byHeader = { id: zoe, name: zoe, via: "header" };

  test.each([["127.0.0.1"], ["::ffff:127.0.0.1"], ["127.0.0.0/8"], ["10.0.0.1"]])(
    "an address in %s is trusted if it is the proxy's, and no other",
    async (address) => {
      const { path, joinExtended, open } = await gatewayWithPersons(from(address));
      if (address !== "10.0.0.1")
        return expect(principalOf(await joinExtended(path, {}, says(sent)))).toEqual(byHeader);
      expect(await (await open(path, says(sent))).ended).toBe("4401 the token is missing or wrong");
      // With another credential the header of a stranger names nobody: it shows only that a proxy is between.
      expect(principalOf(await joinExtended(path, {}, { headers: says(sent).headers }))).toBeUndefined();
    },
  );

  test("a header names who acts, and a token what they may do", async () => {
    const { gateway, path, ann: how, joinExtended } = await gatewayWithPersons(from("127.0.0.1"));
    const { headers } = says(sent);
    expect(principalOf(await joinExtended(path, {}, { ...how, headers }))).toEqual(byHeader);
    const shared = await joinExtended(path, {}, { token: gateway.answerToken ?? "", headers });
    expect(shared.found).toMatchObject({ principal: byHeader, role: "answer" });
    // The own token through the proxy is not that of somebody at this machine.
    expect(await joinExtended(path)).not.toHaveProperty("found.principal");
  });

  test("a header may let in those who only answer", async () => {
    const { path, joinExtended } = await gatewayWithPersons({
      trustHeader: { header: "X-Forwarded-Email", from: ["127.0.0.1"], role: "answer" },
    });
    expect((await joinExtended(path, {}, says(sent))).found).toMatchObject({ role: "answer" });
  });

  test.each([
    ["twice", ["ann", "bob"], "was sent 2 times: send one"],
    ["that is empty", [""], "expected a name, not an empty one"],
    ["of 10 kB", ["a".repeat(10_240)], "expected at most 200 characters, not 10240"],
    ["with a tab", ["a\tb"], "expected no control characters"],
    ["with a mark of direction", [Buffer.from("a\u202eb").toString("latin1")], "marks of direction"],
    [
      "that ends with what nobody sees",
      [Buffer.from("Ann\u200b").toString("latin1")],
      "invisible characters",
    ],
    ["of a joiner alone", [Buffer.from("\u200d").toString("latin1")], "invisible characters"],
    ["that is no UTF-8", ["\u00e9"], "expected UTF-8"],
  ])("a header %s is refused with the reason, with the token too", async (_, values, why) => {
    const { gateway, path, refused } = await gatewayWithPersons(from("127.0.0.1"));
    for (const token of [null, gateway.token])
      expect(await refused(path, { ...says(...values), token })).toMatch(
        new RegExp(`^403 the header x-forwarded-email:? .*${why}`),
      );
  });

  const withGroups = {
    trustHeader: { header: "X-Forwarded-Email", from: ["127.0.0.1"], groupsHeader: "X-Forwarded-Groups" },
  };
  const inGroups = (...groups: string[]) => ({
    token: null,
    headers: { ...says(sent).headers, "x-forwarded-groups": groups as never },
  });
  const paying = {
    key: "k",
    questions: [{ question: "Pay?", options: [{ label: "Yes" }, { label: "No" }] }],
  };

  test("the groups that a proxy names are roles, by which a request finds those who may answer (P-XTO-4)", async () => {
    const { path, joinExtended, first } = await gatewayWithPersons(withGroups);
    const has = await joinExtended(path, { name: "has" }, inGroups("staff, payments ,"));
    const lacks = await joinExtended(path, { name: "lacks" }, inGroups("staff"));
    const asked = first.call("ask", { ...paying, to: { roles: ["payments"] } });
    const request = await has.asked("QuestionRequest");
    const items = [{ question_id: "q1", selected: ["q1_o1"] }];
    expect((await lacks.answer(request, { items })).error?.code).toBe(-32014);
    await has.answer(request, { items });
    expect((await asked).result).toMatchObject({ outcome: { principal: byHeader } });
  });

  test("groups that a stranger sends, or that come without the option, are nobody's roles", async () => {
    const { path, joinExtended, first, ann: how } = await gatewayWithPersons(from("10.0.0.1"));
    const { headers } = inGroups("payments");
    const stranger = await joinExtended(path, { name: "stranger" }, { ...how, headers });
    void first.call("ask", { ...paying, to: { roles: ["payments"] } });
    await stranger.settled();
    expect(stranger.requests()).toEqual([]);
  });

  test.each([
    ["twice", ["payments", "leads"], "was sent 2 times: send one"],
    [
      "of 101 groups",
      [Array.from({ length: 101 }, (_, n) => `g${n}`).join(",")],
      "at most 100 groups, not 101",
    ],
    ["with a group of 201 characters", ["a".repeat(201)], "at most 200 characters, not 201"],
    ["that is no UTF-8", ["\u00e9"], "expected UTF-8"],
  ])("a header of groups %s is refused with the reason", async (_, groups, why) => {
    const { path, refused } = await gatewayWithPersons(withGroups);
    expect(await refused(path, inGroups(...groups))).toMatch(
      new RegExp(`^403 the header x-forwarded-groups:? .*${why}`),
    );
  });

  test("a trusted header opens no way for a foreign page", async () => {
    const { path, refused } = await gatewayWithPersons(from("127.0.0.1"));
    const headers = { ...says(sent).headers, origin: "https://evil.example" };
    expect(await refused(path, { token: null, headers })).toContain(
      "403 origin https://evil.example is foreign",
    );
  });

  test.each([
    [{ header: "x-user", from: [] }, "from: expected the address of the proxy"],
    [{ header: "x-user", from: ["corp.example"] }, "corp.example: expected an address or a range"],
    [{ header: "x-user", from: ["10.0.0.0/33"] }, "10.0.0.0/33: expected an address or a range"],
    [{ header: "x user", from: ["10.0.0.1"] }, "header: expected the name of a header"],
    [{ header: "Authorization", from: ["10.0.0.1"] }, "header: expected the name of a header"],
    [{ header: "x-user", from: ["10.0.0.1"], groupsHeader: "cookie" }, "groupsHeader: expected the name"],
    [
      { header: "x-user", from: ["10.0.0.1"], groupsHeader: "X-User" },
      "groupsHeader: expected another header",
    ],
  ])("a trusted header %o is refused when the gateway is made", async (trustHeader, why) => {
    await expect(gatewayWithPersons({ trustHeader })).rejects.toThrow(why);
  });
});

describe("the requests of a person (P-XRQ-5)", () => {
  type Client = Awaited<ReturnType<typeof gatewayWithPersons>>["first"];
  const list = async (client: Client, wanted: object) =>
    (await client.call("list_requests", wanted)).result as never as Listed;

  test("requests of a session are theirs who began its last turn, and nobody else's", async () => {
    const { first, ann: how, joinExtended, server } = await gatewayWithPersons();
    const ann = await joinExtended("/wire", { name: "ann" }, how);
    await first.begun("QuestionRequest");
    expect((await list(ann, { mine: true, counts: true })).counts?.all).toBe(0);
    expect((await list(ann, {})).requests.map(({ mine }) => mine)).toEqual([undefined]);
    const own = await list(first, { mine: true, counts: true });
    expect([own.requests.map(({ mine }) => mine), own.counts?.all]).toEqual([[true], 1]);
    const watched = (await first.call("watch_requests")).result as never as Listed;
    expect(watched.requests.map(({ mine }) => mine)).toEqual([true]);
    const others = (await ann.call("watch_requests")).result as never as Listed;
    expect(others.requests.map(({ mine }) => mine)).toEqual([undefined]);
    await server.close();
  });

  test("a question of a program becomes theirs who then begins a turn, and those who watch are told", async () => {
    const { first, path, ann: how, joinExtended } = await gatewayWithPersons();
    const ann = await joinExtended(path, { name: "ann" }, how);
    await ann.call("watch_requests");
    const questions = [{ question: "Deploy?", options: [{ label: "Yes" }] }];
    await first.call("ask", { key: "k", questions, wait: false });
    const told = () =>
      ann.received
        .filter(({ method }) => method === "requests_changed")
        .flatMap(({ params }) => (params as never as Listed).requests);
    await expect.poll(told).toMatchObject([{ text: "Deploy?" }]);
    expect(told()[0]?.mine).toBeUndefined();
    void ann.call("prompt", { user_input: "Paint" });
    await expect.poll(() => told().find(({ text, mine }) => text === "Deploy?" && mine)).toBeDefined();
    expect((await list(ann, { mine: true })).requests.map(({ text }) => text)).toContain("Deploy?");
    expect((await list(first, { mine: true })).requests).toEqual([]);
  });

  test("a client whom the door does not know is refused what is theirs, or told of others' requests", async () => {
    const { first, joinExtended } = await gatewayWithPersons({ owner: undefined } as never);
    await first.begun("QuestionRequest");
    const other = await joinExtended("/wire", { name: "other" });
    for (const client of [first, other])
      expect(await list(client, { mine: true, counts: true })).toMatchObject({
        requests: [],
        counts: { all: 0 },
      });
  });
});
