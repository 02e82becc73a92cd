import type { Principal } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { ClientRole, Session } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { colour, scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { everything, meetExtended } from "./extended-client.js";

const token: Principal = { id: "Ann", name: "Ann", via: "token" };
const phone: Principal = { id: "3k9f0a2c", name: "Ann", via: "device", device: "Chrome on Android" };
const bob: Principal = { id: "Bob", name: "Bob", via: "token" };

/** Half an answer. */
const half = { items: [{ question_id: "q1", selected: ["q1_o2"], own_text: "or rather a" }] };

type Met = Awaited<ReturnType<typeof meetExtended>>["client"];

const keep = (client: Met, request_id: string, draft?: unknown) =>
  client.call("keep_draft", { request_id, ...(draft !== undefined && { draft }) });

/** The work of its person that a client reads; the error's code where it is refused. */
async function read(client: Met, request_id: string): Promise<unknown> {
  const { result, error } = await client.call("read_draft", { request_id });
  return error?.code ?? result;
}

/** A server with a program that asks, and clients of persons that are shown what it asks. */
function asking(options: Parameters<typeof scenario>[1] = {}) {
  const clock = drivenClock();
  const set = scenario([], { clock, attendance: "hold", ...options });
  const session = set.server.createSession({ stay: true });
  const at = (principal: Principal | undefined, role?: ClientRole, where: Session = session) =>
    meetExtended(set, {
      session: where,
      ...(principal && { principal }),
      ...(role && { role }),
    });
  return {
    ...set,
    ...{ clock, session, at },
    client: async (...who: Parameters<typeof at>) => (await at(...who)).client,
    /** Asks as a program, and gives the id of the request. */
    async ask(key = "k", where: Session = session) {
      const { client } = await meetExtended(set, { session: where }, { question: false, shows: everything });
      const { result } = await client.call("ask", { key, questions: [colour], wait: false });
      return result?.request_id as string;
    },
  };
}

describe("unsent work follows its person (P-XDR-1, P-XDR-2)", () => {
  test.each([
    ["a token and a paired device", token, phone],
    ["two connections with one token", token, token],
    ["the user of the machine and their device", { id: "local", name: "Ann", via: "local" } as const, phone],
    [
      "two logins at one proxy",
      { id: "ann@x", name: "Ann", via: "header" } as const,
      { id: "ann@x", name: "Ann A.", via: "header" } as const,
    ],
  ])("%s show the same unsent work, and its age", async (_, one, other) => {
    const { clock, client, ask } = asking();
    const [laptop, mobile] = [await client(one), await client(other)];
    const request = await ask();
    expect((await keep(laptop, request, half)).result).toEqual({});
    clock.advance(2_000);
    expect(await read(mobile, request)).toEqual({ draft: half, age_ms: 2_000 });
    const rest = { items: [{ question_id: "q1", selected: [] }], discuss: "why any?" };
    await keep(mobile, request, rest);
    expect(await read(laptop, request)).toEqual({ draft: rest, age_ms: 0 });
    await keep(laptop, request);
    expect(await read(mobile, request)).toEqual({});
  });

  test.each([
    ["another person", bob],
    ["somebody of the same name at a proxy", { ...token, via: "header" } as const],
    ["a device of another person, under the id of this one's", { ...phone, name: "Bob" }],
    ["nobody whom the door knows", undefined],
    [
      "a device that is nobody's, whose kind stands for a name",
      { id: "d2", name: "Ann", via: "device" } as const,
    ],
  ])("%s reads nothing of it, and erases nothing", async (_, stranger) => {
    const { client, ask, server } = asking();
    const [ann, other] = [await client(token), await client(stranger)];
    const request = await ask();
    await keep(ann, request, half);
    expect(await read(other, request)).toEqual({});
    expect((await keep(other, request)).error).toBeUndefined();
    expect(await read(ann, request)).toEqual({ draft: half, age_ms: 0 });
    const shown = [other.received, server.listRequests(), server.listSessions()];
    expect(JSON.stringify(shown)).not.toContain("or rather");
  });

  test("a server says that it keeps unsent work to a person it knows, and to nobody else (P-XNG-2)", async () => {
    const set = asking();
    const declared = async (principal: Principal | undefined) => {
      const { client } = set.connect({ session: set.session, ...(principal && { principal }) });
      const { result } = await client.call("initialize", {
        protocol_version: "1.10",
        client: { name: "raw" },
        capabilities: { supports_question: true, askwire: { revision: 3 } },
      });
      return (result as { capabilities: { askwire: { drafts?: true } } }).capabilities.askwire.drafts;
    };
    expect([await declared(token), await declared(undefined)]).toEqual([true, undefined]);
  });

  test("a client for answering only keeps and reads the work of its person too (P-XRL-2)", async () => {
    const { client, ask } = asking();
    const passed = await client(token, "answer");
    const request = await ask();
    await keep(passed, request, half);
    expect(await read(passed, request)).toMatchObject({ draft: half });
  });

  test("a base client is answered that there is no such method (P-XNG-4)", async () => {
    const { meet, session } = asking();
    const { client } = await meet({ session, principal: token });
    const codes = ["keep_draft", "read_draft"].map(
      async (method) => (await client.call(method, { request_id: "r" })).error?.code,
    );
    expect(await Promise.all(codes)).toEqual([-32601, -32601]);
  });
});

describe("unsent work of what a client cannot answer (P-XDR-1)", () => {
  test("unsent work on an unknown, a settled and another session's request is refused as an answer is", async () => {
    const { client, ask, server } = asking();
    const [ann, other] = [await client(token), server.createSession({ stay: true })];
    const [request, away] = [await ask(), await ask("k", other)];
    await ann.answer({ id: request }, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    for (const [id, code] of [
      ["nothing", -32011],
      [request, -32010],
      [away, -32012],
    ] as const) {
      expect((await keep(ann, id, half)).error?.code).toBe(code);
      expect(await read(ann, id)).toBe(code);
    }
  });

  test("unsent work by a client that cannot show the question is refused", async () => {
    const set = asking();
    const { client } = await meetExtended(
      set,
      { session: set.session, principal: token },
      { question: false, shows: {} },
    );
    const request = await set.ask();
    expect((await keep(client, request, half)).error?.code).toBe(-32014);
    expect(await read(client, request)).toBe(-32014);
  });
});

describe("what is kept of unsent work (P-XDR-2, P-XDR-3)", () => {
  test("pictures are not kept, and no member that this server does not know", async () => {
    const { client, ask } = asking();
    const ann = await client(token);
    const request = await ask();
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const [item] = half.items;
    await keep(ann, request, { items: [{ ...item, attachments: [picture], newer: 1 }], more: "x" });
    expect(await read(ann, request)).toEqual({ draft: half, age_ms: 0 });
  });

  test.each([
    [
      "the answer of somebody else",
      (other: Met, id: string) =>
        other.answer({ id }, { items: [{ question_id: "q1", selected: ["q1_o1"] }] }),
    ],
    ["a decline", (other: Met, id: string) => other.answer({ id }, { outcome: { status: "declined" } })],
    ["the end of the session", async (_other: Met, _id: string, end: () => Promise<void>) => end()],
  ])("%s erases the work of everybody on the request, and frees its room", async (_, end) => {
    const { client, ask, server } = asking({ maxOpenRequests: 100 });
    const away = server.createSession({ stay: true });
    const ann = await client(token);
    const ids: string[] = [];
    for (let n = 0; n < 64; n += 1) ids.push(await ask(`k${n}`));
    const [first = "", ...more] = ids;
    for (const id of [first, ...more.slice(1)]) await keep(ann, id, half);
    const [elsewhere, other] = [await client(token, undefined, away), await client(bob, undefined, away)];
    const request = await ask("away", away);
    for (const one of [elsewhere, other]) await keep(one, request, half);
    await end(other, request, () => away.close());
    await keep(ann, more[0] ?? "", half);
    expect(await read(ann, first)).toMatchObject({ draft: half });
  });

  test("a draft beyond 16,384 characters is refused, and the one before it stays", async () => {
    const { client, ask } = asking();
    const ann = await client(token);
    const request = await ask();
    await keep(ann, request, half);
    const fits = { discuss: "x".repeat(16_384 - JSON.stringify({ discuss: "" }).length) };
    const { error } = await keep(ann, request, { discuss: `${fits.discuss}x` });
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("draft: expected at most 16384 characters, got 16385"),
    });
    expect(await read(ann, request)).toMatchObject({ draft: half });
    expect((await keep(ann, request, fits)).error).toBeUndefined();
  });

  test.each([
    ["no object", "half"],
    ["items that are no list", { items: {} }],
    ["an item without its choices", { items: [{ question_id: "q1" }] }],
    ["words that are a number", { feedback: 7 }],
  ])("a draft of another shape, %s, is refused", async (_, draft) => {
    const { client, ask } = asking();
    const ann = await client(token);
    const request = await ask();
    expect((await keep(ann, request, draft)).error?.code).toBe(-32602);
    expect(await read(ann, request)).toEqual({});
  });

  test("the 65th draft of a person displaces the one of theirs that was changed longest ago, and nobody else's", async () => {
    const { client, ask } = asking({ maxOpenRequests: 100 });
    const [ann, other] = [await client(token), await client(bob)];
    const ids: string[] = [];
    for (let n = 0; n < 65; n += 1) ids.push(await ask(`k${n}`));
    const [first = "", second = "", ...more] = ids;
    await keep(other, first, half);
    for (const id of [first, second]) await keep(ann, id, half);
    await keep(ann, first, half);
    for (const id of more) await keep(ann, id, half);
    expect(await read(ann, second)).toEqual({});
    for (const [who, id] of [
      [ann, first],
      [ann, ids.at(-1) ?? ""],
      [other, first],
    ] as const)
      expect(await read(who, id)).toMatchObject({ draft: half });
  });
});

describe.each(stores)("unsent work in a session that is kept %s", (_, makeStore) => {
  test("unsent work outlives the parking of its session, and nothing of it is written down (P-SES-7, P-XDR-3)", async () => {
    const store = makeStore();
    const clock = drivenClock();
    const id = "7b0d5f1e-5f0a-4c53-9d3f-0d6f6a4f2f10";
    const set = scenario([], { ...store.options(), attendance: "hold", clock });
    const session = await set.server.openSession({ id });
    const { client, closed } = await meetExtended(set, { session, principal: token });
    const asked = await client.call("ask", { key: "k", questions: [colour], wait: false, here: true });
    const request = asked.result?.request_id as string;
    await client.asked("QuestionRequest");
    await keep(client, request, half);
    client.close();
    await closed;
    clock.advance(30_000);
    await expect.poll(() => set.server.sessions.size).toBe(0);
    const there = await set.server.sessionAt(id);
    if (there === undefined) throw new Error("there is no such session");
    const { client: mobile } = await meetExtended(set, { session: there, principal: phone });
    await mobile.asked("QuestionRequest");
    expect(await read(mobile, request)).toMatchObject({ draft: half });
    await mobile.answer({ id: request }, { items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    expect(await read(mobile, request)).toBe(-32010);
    await set.server.close();
    expect((await store.lines(id)).join()).not.toContain("or rather");
  });
});
