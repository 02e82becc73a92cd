import type { ClaimResult, ListedRequest, Principal } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import type { ConnectOptions } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { type RawClient, rawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { stores } from "../stores.js";
import {
  approval,
  asking,
  everything,
  introduction,
  items,
  meetExtended,
  question,
} from "./extended-client.js";

const ann: Principal = { id: "ann", name: "Ann", via: "token" };
const ben: Principal = { id: "ben", name: "Ben", via: "token" };
const GRACE_MS = 30_000;
const claimMs = 120_000;

const iso = (ms: number) => new Date(ms).toISOString();

/** The claim that a client got for an answer. */
const claimed = async (client: RawClient, params: object) =>
  (await client.call("claim", params)).result as never as ClaimResult;

/** The clients that answer, as a client was told of them last. */
const answeringTold = (client: RawClient) =>
  client.received
    .filter(({ params }) => params?.type === "InteractionUpdated")
    .map(({ params }) => params?.payload.answering)
    .at(-1);

/** A server whose agent asks, with clients of several people. */
function team(make = () => [question()]) {
  const clock = drivenClock();
  const set = asking(make, { clock });
  const session = set.server.createSession();
  const options = (principal?: Principal): ConnectOptions => ({
    ...{ session, sessionMethods: true, graceMs: GRACE_MS },
    ...(principal !== undefined && { principal }),
  });
  return {
    ...set,
    ...{ clock, session },
    /** A client in the session. */
    join: (name: string, principal?: Principal) =>
      meetExtended(set, options(principal), { name, shows: { ...everything, presence: true } }),
    /** A client of the inbox, in no session. */
    async inbox(name: string, principal?: Principal) {
      const { left, right } = linkedPair();
      const make = () => set.server.createSession();
      const connected = set.server.connect(left, { ...options(principal), session: make });
      const client = rawClient(right);
      await client.call("initialize", { ...introduction({ name }), lobby: true });
      const rows = async () =>
        (await client.call("list_requests")).result?.requests as never as ListedRequest[];
      return { client, rows, closed: connected.closed };
    },
    /** A request that waits. */
    async asked(type = "QuestionRequest") {
      const met = await meetExtended(set, options(), { name: "agent-page" });
      void met.client.call("prompt", { user_input: "go" });
      return { ...met, asked: await met.client.asked(type) };
    },
  };
}

describe("a claim (P-XCM-1)", () => {
  test("a claim is told to all in the session and in lists, with its end, and as own to its holder alone", async () => {
    const { asked, join, inbox, session } = team();
    const { asked: request, client: page } = await asked();
    const reader = await join("reader", ben);
    const desk = await inbox("desk", ann);
    const to = { request_id: request.id, session_id: session.id };
    const claim = { until: iso(claimMs), remaining_ms: claimMs };
    const by = { name: "desk", connection: expect.any(String), principal: ann };
    expect(await claimed(desk.client, to)).toEqual({ by, ...claim, own: true });
    await reader.client.settled();
    for (const client of [page, reader.client]) expect(answeringTold(client)).toEqual([{ ...by, claim }]);
    const listed = { ...by, claim: { until: claim.until } };
    expect((await (await inbox("other", ben)).rows())[0]?.answering).toEqual([listed]);
    const own = { ...listed, claim: { ...listed.claim, own: true } };
    expect((await desk.rows())[0]?.answering).toEqual([own]);
    expect((await (await inbox("phone", ann)).rows())[0]?.answering).toEqual([own]);
  });

  test("a person who has taken a request at their desk has it on the phone that was paired for them", async () => {
    const { asked, inbox, session } = team();
    const { asked: request } = await asked();
    const [desk, phone] = [
      await inbox("desk", { id: "Ann", name: "Ann", via: "token" }),
      await inbox("phone", { id: "3k9f0a2c", name: "Ann", via: "device", device: "Chrome on Android" }),
    ];
    const to = { request_id: request.id, session_id: session.id };
    await claimed(desk.client, to);
    expect((await phone.rows())[0]?.answering).toMatchObject([{ name: "desk", claim: { own: true } }]);
    expect(await claimed(phone.client, to)).toMatchObject({ own: true });
    await phone.client.call("unclaim", to);
    expect((await desk.rows())[0]).not.toHaveProperty("answering");
  });

  test("a holder is named by another client of theirs in the session, which took nothing", async () => {
    const local: Principal = { id: "local", name: "root", via: "local" };
    const { asked, join, inbox, session } = team();
    const { asked: request, client: page } = await asked();
    await join("a-program-of-theirs", local);
    const desk = await inbox("desk", local);
    await claimed(desk.client, { request_id: request.id, session_id: session.id });
    await page.settled();
    expect(answeringTold(page)).toMatchObject([{ name: "desk" }]);
  });

  test("the first claim holds, and another person who claims is told whose it is", async () => {
    const { asked, join, clock } = team();
    const { asked: request } = await asked();
    const first = await join("first", ann);
    const second = await join("second", ben);
    await claimed(first.client, { request_id: request.id });
    clock.advance(1_000);
    expect(await claimed(second.client, { request_id: request.id })).toMatchObject({
      by: { principal: ann },
      remaining_ms: claimMs - 1_000,
      own: false,
    });
  });

  test("another person's answer counts while a request is taken (P-XCM-3)", async () => {
    const { asked, join, inbox } = team();
    const { asked: request } = await asked();
    const first = await join("first", ann);
    const second = await join("second", ben);
    await second.client.asked("QuestionRequest");
    await claimed(first.client, { request_id: request.id });
    const { result } = await second.client.answer(request, { items });
    expect(result).toMatchObject({ outcome: { status: "answered", principal: ben } });
    expect(await (await inbox("desk", ann)).rows()).toEqual([]);
  });

  test.each([
    ["after two minutes where it names no time", undefined, claimMs],
    ["after the time that it names", 5_000, 5_000],
  ])("a claim ends %s, and no sooner", async (_, ms, after) => {
    const { asked, join, clock } = team();
    const { asked: request, client: page } = await asked();
    const { client } = await join("first", ann);
    await claimed(client, { request_id: request.id, ...(ms !== undefined && { ms }) });
    clock.advance(after - 1);
    await page.settled();
    expect(answeringTold(page)).toHaveLength(1);
    clock.advance(1);
    await page.settled();
    expect(answeringTold(page)).toEqual([]);
  });

  test.each([
    ["the holder's touch", "touch", ann],
    ["the holder's claim", "claim", ann],
  ])("the time of a claim begins anew by %s", async (_, method, who) => {
    const { asked, join, clock } = team();
    const { asked: request } = await asked();
    const { client } = await join("first", who);
    await client.asked("QuestionRequest");
    await claimed(client, { request_id: request.id });
    clock.advance(100_000);
    await client.call(method, { request_id: request.id });
    clock.advance(100_000);
    const other = await join("other", ben);
    expect(await claimed(other.client, { request_id: request.id })).toMatchObject({
      by: { principal: ann },
      own: false,
    });
  });

  test("another person's touch makes a claim no longer", async () => {
    const { asked, join, clock } = team();
    const { asked: request } = await asked();
    const first = await join("first", ann);
    const second = await join("second", ben);
    await second.client.asked("QuestionRequest");
    await claimed(first.client, { request_id: request.id });
    clock.advance(100_000);
    await second.client.call("touch", { request_id: request.id });
    clock.advance(20_000);
    await second.client.settled();
    expect(answeringTold(second.client)).toEqual([expect.not.objectContaining({ claim: expect.anything() })]);
  });

  test("a person who has taken a request and begins to answer is named once", async () => {
    const { asked, join, inbox, session } = team();
    const { asked: request, client: page } = await asked();
    const desk = await inbox("desk", ann);
    await claimed(desk.client, { request_id: request.id, session_id: session.id });
    const { client } = await join("card", ann);
    await client.asked("QuestionRequest");
    await client.call("touch", { request_id: request.id });
    await page.settled();
    expect(answeringTold(page)).toMatchObject([{ name: "card", claim: { remaining_ms: claimMs } }]);
  });

  test("a person who has taken a request and begins to answer on two devices is named once", async () => {
    const { asked, join } = team();
    const { asked: request, client: page } = await asked();
    for (const name of ["desk", "phone"]) {
      const { client } = await join(name, ann);
      await client.asked("QuestionRequest");
      await client.call("touch", { request_id: request.id });
      if (name === "phone") await claimed(client, { request_id: request.id });
    }
    await page.settled();
    expect(answeringTold(page)).toMatchObject([{ name: "desk", claim: {} }]);
  });

  test("a client that joins later is told who has taken an open request", async () => {
    const { asked, join } = team();
    const { asked: request } = await asked();
    const first = await join("first", ann);
    await claimed(first.client, { request_id: request.id });
    const late = await join("late", ben);
    await late.client.asked("QuestionRequest");
    await late.client.settled();
    expect(answeringTold(late.client)).toMatchObject([{ principal: ann, claim: {} }]);
  });

  test.each([
    ["a time of none", { ms: 0 }, -32602],
    ["a time of more than half an hour", { ms: 1_800_001 }, -32602],
    ["a request that is not there", { request_id: "nothing" }, -32011],
    ["a session that is not there", { session_id: "nothing" }, -32011],
  ])("a claim of %s is refused", async (_, params, code) => {
    const { asked, join } = team();
    const { asked: request } = await asked();
    const { client } = await join("first", ann);
    expect((await client.call("claim", { request_id: request.id, ...params })).error?.code).toBe(code);
  });

  test("a claim on what is settled or of another session is refused as an answer would be", async () => {
    const { asked, join, server, connect } = team();
    const { asked: request } = await asked();
    const { client } = await join("first", ann);
    const there = { session: server.createSession(), sessionMethods: true };
    const other = await meetExtended({ connect }, there);
    const claim = { request_id: request.id };
    expect((await other.client.call("claim", claim)).error?.code).toBe(-32012);
    await client.asked("QuestionRequest");
    await client.answer(request, { items });
    expect((await client.call("claim", claim)).error).toMatchObject({ code: -32010, data: { outcome: {} } });
    expect((await client.call("unclaim", claim)).error?.code).toBe(-32010);
  });

  test("a client of the inbox has to name the session of the request that it takes", async () => {
    const { asked, inbox } = team();
    const { asked: request } = await asked();
    const { client } = await inbox("desk", ann);
    expect((await client.call("claim", { request_id: request.id })).error?.code).toBe(-32602);
  });

  test("a connection for answering only takes an approval", async () => {
    const { asked, connect, session } = team(() => [approval()] as never);
    const { asked: request } = await asked("ApprovalRequest");
    const met = await meetExtended({ connect }, { session, sessionMethods: true, role: "answer" });
    expect(await claimed(met.client, { request_id: request.id })).toMatchObject({ own: true });
  });
});

describe("the end of a claim (P-XCM-2)", () => {
  test("a request that its holder gives back can be taken by another person, and nobody else gives it back", async () => {
    const { asked, join, inbox } = team();
    const { asked: request, client: page } = await asked();
    const first = await join("first", ann);
    const second = await join("second", ben);
    await claimed(first.client, { request_id: request.id });
    expect((await second.client.call("unclaim", { request_id: request.id })).result).toEqual({});
    await page.settled();
    expect(answeringTold(page)).toHaveLength(1);
    expect((await first.client.call("unclaim", { request_id: request.id })).result).toEqual({});
    await page.settled();
    expect(answeringTold(page)).toEqual([]);
    expect((await (await inbox("desk", ann)).rows())[0]).not.toHaveProperty("answering");
    expect(await claimed(second.client, { request_id: request.id })).toMatchObject({ own: true });
  });

  test.each([
    ["a person", ann],
    ["a client without a person", undefined],
  ])("the claim of %s ends the grace after the last connection, and no sooner", async (_, who) => {
    const { asked, join, clock } = team();
    const { asked: request, client: page } = await asked();
    const { client, closed } = await join("first", who);
    await claimed(client, { request_id: request.id, ms: 600_000 });
    client.close();
    await closed;
    clock.advance(GRACE_MS - 1);
    await page.settled();
    expect(answeringTold(page)).toMatchObject([{ claim: {} }]);
    clock.advance(1);
    await page.settled();
    expect(answeringTold(page)).toEqual([]);
  });

  test("the claim of a person outlives one connection while another is there", async () => {
    const { asked, join, inbox, clock } = team();
    const { asked: request, client: page } = await asked();
    const { client, closed } = await join("card", ann);
    await inbox("desk", ann);
    await claimed(client, { request_id: request.id, ms: 600_000 });
    client.close();
    await closed;
    clock.advance(GRACE_MS);
    await page.settled();
    expect(answeringTold(page)).toMatchObject([{ name: "card", claim: {} }]);
  });

  test("a client that leaves after the only claim was answered leaves no timer behind", async () => {
    const { asked, join, clock } = team();
    const { asked: request } = await asked();
    const { client } = await join("first", ann);
    const { client: other, closed } = await join("second", ben);
    await client.asked("QuestionRequest");
    await claimed(client, { request_id: request.id });
    await client.answer(request, { items });
    await client.settled();
    const before = clock.waiting;
    other.close();
    await closed;
    expect(clock.waiting).toBeLessThanOrEqual(before);
  });

  test("a claim leaves no timer behind where its request is settled", async () => {
    const { asked, join, clock } = team();
    const { asked: request } = await asked();
    const { client } = await join("first", ann);
    await client.asked("QuestionRequest");
    const before = clock.waiting;
    await claimed(client, { request_id: request.id });
    expect(clock.waiting).toBe(before + 1);
    await client.answer(request, { items });
    await client.settled();
    expect(clock.waiting).toBeLessThanOrEqual(before);
  });
});

test("the claim of a client that is gone before its session is open ends after the grace too", async () => {
  const clock = drivenClock();
  const [, make] = stores.at(-1) as (typeof stores)[number];
  const set = scenario([], { ...make().options(), attendance: "hold", clock });
  const session = await set.server.openSession();
  const program = await meetExtended(set, { session, sessionMethods: true }, { name: "ci", question: false });
  const questions = [{ question: "Go?", options: [{ label: "Yes" }] }];
  const { result } = await program.client.call("ask", { key: "k", questions, wait: false });
  program.client.close();
  await program.closed;
  clock.advance(30_000);
  await expect.poll(() => set.server.sessions.size).toBe(0);
  const { left, right } = linkedPair();
  const connected = set.server.connect(left, {
    ...{ session: () => set.server.openSession() as never, sessionMethods: true, principal: ann },
    graceMs: GRACE_MS,
  });
  const client = rawClient(right);
  await client.call("initialize", { ...introduction({ name: "desk" }), lobby: true });
  const claim = { request_id: result?.request_id, session_id: session.id, ms: 600_000 };
  client.call("claim", claim).catch(() => {});
  client.close();
  await connected.closed;
  const taken = () => set.server.listRequests()[0]?.answering?.[0]?.name;
  await expect.poll(taken).toBe("desk");
  clock.advance(GRACE_MS);
  expect(taken()).toBeUndefined();
  await set.server.close();
});

test.each(stores)(
  "a parked request %s can be taken, stays in memory while it is, and is parked again afterwards",
  async (_, make) => {
    const clock = drivenClock();
    const set = scenario([], { ...make().options(), attendance: "hold", clock });
    /** A request of a program in a session that is parked. */
    async function asked() {
      const session = await set.server.openSession();
      const options = { session, sessionMethods: true };
      const { client, closed } = await meetExtended(set, options, { name: "ci", question: false });
      const questions = [{ question: "Go?", options: [{ label: "Yes" }] }];
      const { result } = await client.call("ask", { key: "k", questions, wait: false });
      client.close();
      await closed;
      return { request_id: result?.request_id, session_id: session.id };
    }
    const isHere = ({ session_id }: { session_id: string }) => set.server.sessions.has(session_id);
    const answering = () => set.server.listRequests().map((row) => row.answering?.[0]?.name);
    const taken = await asked();
    const free = await asked();
    clock.advance(30_000);
    await expect.poll(() => set.server.sessions.size).toBe(0);
    const { left, right } = linkedPair();
    const session = () => set.server.openSession() as never;
    set.server.connect(left, { session, sessionMethods: true, principal: ann });
    const client = rawClient(right);
    await client.call("initialize", { ...introduction({ name: "desk" }), lobby: true });
    expect(await claimed(client, taken)).toMatchObject({ own: true });
    await claimed(client, free);
    await client.call("unclaim", free);
    clock.advance(30_000);
    await expect.poll(() => isHere(free)).toBe(false);
    expect([isHere(taken), answering()]).toEqual([true, ["desk", undefined]]);
    clock.advance(90_000);
    expect(answering()).toEqual([undefined, undefined]);
    clock.advance(30_000);
    await expect.poll(() => isHere(taken)).toBe(false);
    expect(set.server.listRequests()).toMatchObject([{ state: "open" }, { state: "open" }]);
    await set.server.close();
  },
);
