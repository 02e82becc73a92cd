import type { ListedRequest, Principal } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { ConnectOptions, ServerOptions } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import type { Message, RawClient } from "../raw-client.js";
import { roleBook } from "../role-book.js";
import { approval, asking, everything, items, meetExtended, order, question } from "./extended-client.js";

const ann: Principal = { id: "Ann", name: "Ann", via: "token" };
const ben: Principal = { id: "Ben", name: "Ben", via: "token" };
const local: Principal = { id: "local", name: "root", via: "local" };
const payments = { roles: ["payments"] };
const NOT_ALLOWED = -32014;

/** A server whose session several people are in, and a program that asks them. */
async function desk(options: Partial<ServerOptions> = {}) {
  const clock = drivenClock();
  const roles = roleBook();
  const set = asking(() => [question({ to: payments })], { attendance: "hold", clock, roles, ...options });
  const session = set.server.createSession();
  const join = async (name: string, principal?: Principal, more: ConnectOptions = {}, shows = {}) => {
    const how = { session, sessionMethods: true, graceMs: 30_000, ...more };
    const said = { name, shows: { ...everything, presence: true, ...shows } };
    return (await meetExtended(set, { ...how, ...(principal && { principal }) }, said)).client;
  };
  const program = (await meetExtended(set, { session }, { name: "deployer", question: false })).client;
  let key = 0;
  const ask = (more: object) => {
    key += 1;
    return program.call("ask", { key: `k${key}`, questions: order, ...more });
  };
  return { ...set, session, clock, roles, join, program, ask };
}

const opened = (client: RawClient) =>
  client.received
    .filter(({ params }) => params?.type === "InteractionOpened")
    .map(({ params }) => params?.payload);
const idOf = (client: RawClient) => opened(client).at(-1)?.request_id as string;
const outcomeOf = (message: Message) => message.result?.outcome as Record<string, unknown>;
const rowsOf = async (client: RawClient, wanted: object = {}) =>
  (await client.call("list_requests", wanted)).result?.requests as ListedRequest[];

describe("a request that is for a role (P-XTO-1)", () => {
  test("only those who have the role are sent it, and the others that it is there, and for whom", async () => {
    const { join, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    const [has, lacks, unknown] = [await join("a", ann), await join("b", ben), await join("c")];
    void ask({ to: payments, exclusive: true });
    expect((await has.asked("QuestionRequest")).params?.payload).toMatchObject({
      to: payments,
      exclusive: true,
    });
    for (const client of [lacks, unknown]) {
      await client.settled();
      expect(client.requests()).toEqual([]);
      expect(opened(client)).toEqual([{ request_id: idOf(client), kind: "question", to: payments }]);
    }
  });

  test("an answer, a touch and a claim of anybody else are refused in words that say for whom it is, and one of theirs counts", async () => {
    const { join, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    const asked = ask({ to: { ...payments, principals: ["Eve"] } });
    const [has, lacks] = [await join("a", ann), await join("b", ben)];
    const request = await has.asked("QuestionRequest");
    const id = { request_id: request.id };
    const refusals = [
      await lacks.answer(request, { items }),
      await lacks.call("touch", id),
      await lacks.call("claim", id),
    ];
    for (const { error } of refusals) {
      expect(error?.code).toBe(NOT_ALLOWED);
      expect(error?.message).toContain("for the role payments or Eve");
    }
    expect(await rowsOf(has)).toMatchObject([{ request_id: request.id }]);
    expect((await has.answer(request, { items })).result).toMatchObject({ outcome: { principal: ann } });
    expect(outcomeOf(await asked)).toMatchObject({ status: "answered", principal: ann });
  });

  test("an answer that was refused is refused again under its id, and changes nothing", async () => {
    const { join, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    void ask({ to: payments });
    const [has, lacks] = [await join("a", ann), await join("b", ben)];
    const request = await has.asked("QuestionRequest");
    const said = { answer_id: "one", items };
    const replies = [await lacks.answer(request, said), await lacks.answer(request, said)];
    expect(replies.map(({ error }) => error?.code)).toEqual([NOT_ALLOWED, NOT_ALLOWED]);
    expect(await rowsOf(has)).toHaveLength(1);
  });

  test.each([
    ["the server's own token", undefined],
    ["the user of the machine", local],
  ])("%s may not answer it without the role", async (_, principal) => {
    const { join, ask } = await desk();
    void ask({ to: payments });
    const client = await join("own", principal);
    await client.settled();
    expect((await client.answer({ id: idOf(client) }, { items })).error?.code).toBe(NOT_ALLOWED);
  });

  test("a client that names itself as a person is nobody, and a person is named by the door alone", async () => {
    const { join, ask } = await desk();
    void ask({ to: { principals: ["Ann"] } });
    const [named, real] = [await join("Ann"), await join("browser", ann)];
    const request = await real.asked("QuestionRequest");
    expect((await named.answer(request, { items })).error?.code).toBe(NOT_ALLOWED);
    expect(named.requests()).toEqual([]);
  });

  test.each<[string, Principal, boolean]>([
    ["a paired device of a person", { id: "3k9f", name: "Ann", via: "device", device: "Phone" }, true],
    ["a device of nobody whose kind is the name", { id: "3k9f", name: "Ann", via: "device" }, false],
    ["the user of the machine", { id: "local", name: "Ann", via: "local" }, true],
    ["a person of a proxy, by the id", { id: "Ann", name: "Ann Lee", via: "header" }, true],
    ["a person of a proxy who shows that name", { id: "x1", name: "Ann", via: "header" }, false],
  ])("%s is told by the words of the door (P-XTO-1)", async (_, principal, isAsked) => {
    const { join, ask } = await desk();
    const client = await join("any", principal);
    void ask({ to: { principals: ["Ann"] } });
    await client.settled();
    expect(client.requests().length).toBe(isAsked ? 1 : 0);
  });

  test.each([
    ["nobody", {}, "to: expected roles or principals"],
    ["a member that is not known", { ...payments, teams: ["red"] }, "teams"],
    ["a name of controls", { roles: ["pay\u0007"] }, "to.roles[0]"],
    ["a blank name", { principals: ["  "] }, "to.principals[0]"],
  ])("an ask to %s is refused with the place", async (_, to, place) => {
    const { ask } = await desk();
    const { error } = await ask({ to });
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(place);
  });

  test("other people under the key of an ask are another request (P-XTO-7)", async () => {
    const { program, session } = await desk();
    void program.call("ask", { key: "k", questions: order, to: payments });
    const { error } = await program.call("ask", { key: "k", questions: order, to: { roles: ["leads"] } });
    expect(error?.message).toContain("other people");
    expect(session.pending).toHaveLength(1);
  });
});

describe("attendance and policies of a request that is for a role (P-XTO-2, P-XTO-3)", () => {
  test("where nobody of the addressees is there, it ends as unattended, and says whom it was for", async () => {
    const { join, ask } = await desk({ attendance: "attended" });
    await join("b", ben);
    expect(outcomeOf(await ask({ to: payments }))).toMatchObject({
      status: "unavailable",
      reason: "unattended",
      note: "it was for the role payments, and nobody of them is here",
    });
  });

  test("where an addressee is there and cannot show it, it ends as unsupported", async () => {
    const { server, session, connect, ask, roles } = await desk({ attendance: "attended" });
    roles.grant("Ann", "payments");
    await meetExtended({ connect }, { session, principal: ann }, { question: false });
    expect(outcomeOf(await ask({ to: payments }))).toMatchObject({ reason: "unsupported" });
    expect(server.listRequests()).toEqual([]);
  });

  test("no policy approves it, and no approval that others gave for the session", async () => {
    const { join, program, roles, session } = await desk();
    roles.grant("Ann", "payments");
    const [has, lacks] = [await join("a", ann), await join("b", ben)];
    const pay = { action: "pay", description: "Pay 100" };
    const asked = program.call("ask", { key: "all", approval: pay });
    await lacks.answer(await lacks.asked("ApprovalRequest"), { response: "approve_for_session" });
    expect((await asked).result).toMatchObject({ response: "approve_for_session" });
    session.yolo = true;
    const forRole = program.call("ask", { key: "role", approval: pay, to: payments });
    const request = await has.asked("ApprovalRequest", 2);
    expect(session.pending).toHaveLength(1);
    await has.answer(request, { response: "reject", feedback: "no" });
    expect((await forRole).result).toMatchObject({ response: "reject", outcome: { principal: ann } });
  });

  test("an approval for the session by somebody else settles none that is open for a role", async () => {
    const { join, program, roles, session } = await desk();
    roles.grant("Ann", "payments");
    const [, lacks] = [await join("a", ann), await join("b", ben)];
    const pay = { action: "pay", description: "Pay 100" };
    void program.call("ask", { key: "role", approval: pay, to: payments });
    void program.call("ask", { key: "all", approval: pay });
    await lacks.answer(await lacks.asked("ApprovalRequest"), { response: "approve_for_session" });
    expect(session.pending.map(({ kind }) => kind)).toEqual(["approval"]);
  });

  test("an agent's approval and question are for a role as those of a program are", async () => {
    const made = () => [question({ to: { principals: ["Ben"] } }), approval()];
    const roles = roleBook();
    const set = asking(made, { roles });
    const session = set.server.createSession();
    const join = (name: string, principal: Principal) => meetExtended(set, { session, principal }, { name });
    const [{ client: one }, { client: two }] = [await join("a", ann), await join("b", ben)];
    void one.call("prompt", { user_input: "go" });
    await two.asked("QuestionRequest");
    expect(one.requests().map(({ params }) => params?.type)).toEqual(["ApprovalRequest"]);
  });

  test("words in a running turn answer a question only if an addressee says them (P-DIA-7)", async () => {
    const dialect = { name: "steered", pending: "queue", steersAnswer: true } as const;
    const questions = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
    const made = () => [question({ questions, to: payments, native: { dialect, input: null } })];
    const roles = roleBook();
    roles.grant("Ann", "payments");
    const set = asking(made, { roles });
    const session = set.server.createSession();
    const join = async (name: string, principal: Principal) =>
      (await meetExtended(set, { session, principal }, { name })).client;
    const [has, lacks] = [await join("a", ann), await join("b", ben)];
    const prompt = lacks.call("prompt", { user_input: "go" });
    const request = await has.asked("QuestionRequest");
    await lacks.call("steer", { user_input: "Green" });
    expect(session.pending.map(({ id }) => id)).toEqual([request.id]);
    await has.call("steer", { user_input: "Blue" });
    expect(session.pending).toEqual([]);
    expect((await prompt).result).toMatchObject({ status: "finished" });
  });
});

describe("roles that change while a request is open (P-XTO-2)", () => {
  test("a role that is granted shows the request, one that is taken away takes it, and a later answer is refused", async () => {
    const { join, ask, roles } = await desk();
    void ask({ to: payments });
    const client = await join("a", ann);
    await client.settled();
    expect(client.requests()).toEqual([]);
    roles.grant("Ann", "payments");
    const request = await client.asked("QuestionRequest");
    client.story();
    roles.revoke("Ann");
    await client.settled();
    expect(opened(client).at(-1)).toEqual({ request_id: request.id, kind: "question", to: payments });
    expect((await client.answer(request, { items })).error?.code).toBe(NOT_ALLOWED);
    roles.grant("Ann", "payments");
    await client.asked("QuestionRequest", 2);
    expect((await client.answer(request, { items })).result).toMatchObject({
      outcome: { status: "answered" },
    });
  });

  test("a client that comes back without the role is told that its request is for others, and is sent it once the role is back", async () => {
    const { server, session, connect, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    void ask({ to: payments });
    const shows = { ...everything, client_id: "11111111-1111-4111-8111-111111111111" };
    const how = { session, principal: ann, graceMs: 30_000 };
    const first = await meetExtended({ connect }, how, { shows });
    const request = await first.client.asked("QuestionRequest");
    const { stream } = first.found;
    first.client.close();
    await first.closed;
    roles.revoke("Ann");
    const after_seq = first.client
      .events()
      .reduce((last, { seq = last }) => Math.max(last, seq), first.found.seq);
    const again = { shows, session: { id: session.id, stream, after_seq } };
    const { client } = await meetExtended({ connect }, how, again);
    await client.settled();
    expect(client.requests()).toEqual([]);
    expect(opened(client)).toEqual([{ request_id: request.id, kind: "question", to: payments }]);
    roles.grant("Ann", "payments");
    await client.asked("QuestionRequest");
    expect(server.listRequests()).toHaveLength(1);
  });

  test("a claim ends with the role of its holder", async () => {
    const { join, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    roles.grant("Ben", "payments");
    void ask({ to: payments });
    const [first, second] = [await join("a", ann), await join("b", ben)];
    const request = await first.asked("QuestionRequest");
    await first.call("claim", { request_id: request.id });
    roles.revoke("Ann");
    expect((await second.call("claim", { request_id: request.id })).result).toMatchObject({ own: true });
  });

  test("where the last addressee of an attended session loses the role, the request ends as unattended", async () => {
    const { join, ask, roles } = await desk({ attendance: "attended" });
    roles.grant("Ann", "payments");
    const client = await join("a", ann);
    const asked = ask({ to: payments });
    await client.asked("QuestionRequest");
    roles.revoke("Ann");
    expect(outcomeOf(await asked)).toMatchObject({
      reason: "unattended",
      note: expect.stringContaining("payments"),
    });
  });

  test("an answer of a base client whose person has lost the role counts for nothing", async () => {
    const roles = roleBook();
    roles.grant("Ann", "payments");
    const set = asking(() => [question({ to: payments })], { attendance: "hold", roles });
    const session = set.server.createSession();
    const { client } = set.connect({ session, principal: ann });
    await client.call("initialize", { protocol_version: "1.10", capabilities: { supports_question: true } });
    const { asked } = await client.begin("QuestionRequest");
    roles.revoke("Ann");
    client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "Red" } });
    await client.settled();
    expect(set.opened[0]?.resolved).toBe(false);
  });
});

describe("lists of requests that are for some people (P-XTO-4)", () => {
  test("rows say for whom a request is, whether it is for this person, and whether they may answer it", async () => {
    const { join, ask, roles, clock } = await desk();
    const [has, sees, other] = [await join("a", ann), await join("b", ben), await join("c", local)];
    roles.grant("Ann", "payments");
    roles.grant("Ben", "payments", "see");
    void ask({ to: payments, exclusive: true, escalate: [{ after_ms: 60_000, to: { roles: ["leads"] } }] });
    await other.settled();
    // Of two rows of one time, the ids decide which comes first.
    clock.advance(1);
    void ask({});
    const row = { to: payments, exclusive: true, escalates_at: new Date(60_000).toISOString() };
    expect(await rowsOf(has)).toMatchObject([{ ...row, to_me: true }, {}]);
    expect(await rowsOf(sees)).toMatchObject([{ ...row, to_me: true, may_answer: false }, {}]);
    expect(await rowsOf(other)).toMatchObject([{ ...row, may_answer: false }, {}]);
    expect((await rowsOf(has))[0]).not.toHaveProperty("may_answer");
    expect((await rowsOf(other))[0]).not.toHaveProperty("to_me");
    expect((await rowsOf(has))[1]).not.toHaveProperty("to_me");
    expect(sees.requests()).toHaveLength(1);
  });

  test("`to_me` gives and counts the requests of this person alone, and none where the door knows nobody", async () => {
    const { join, ask, roles } = await desk();
    roles.grant("Ann", "payments");
    void ask({ to: payments });
    void ask({});
    const [has, other, nobody] = [await join("a", ann), await join("b", ben), await join("c")];
    const numbers = async (client: RawClient) => {
      const { result } = await client.call("list_requests", { to_me: true, counts: true });
      const { requests, counts } = result as { requests: unknown[]; counts: { all: number } };
      return [requests.length, counts.all];
    };
    expect(await numbers(has)).toEqual([1, 1]);
    expect(await numbers(other)).toEqual([0, 0]);
    expect(await numbers(nobody)).toEqual([0, 0]);
  });

  test("a watch is told rows anew where the roles of its person change", async () => {
    const { join, ask, roles, clock } = await desk();
    void ask({ to: payments });
    const client = await join("a", ann);
    const { result } = await client.call("watch_requests");
    expect(result?.requests).toMatchObject([{ may_answer: false }]);
    roles.grant("Ann", "payments");
    await client.settled();
    clock.advance(100);
    await client.settled();
    const changed = client.received.filter(({ method }) => method === "requests_changed").at(-1);
    const [row] = (changed as never as { params: { requests: ListedRequest[] } }).params.requests;
    expect(row).toMatchObject({ to_me: true });
    expect(row).not.toHaveProperty("may_answer");
  });
});

describe("an exclusive request (P-XTO-5)", () => {
  async function taken() {
    const set = await desk();
    for (const name of ["Ann", "Ben"]) set.roles.grant(name, "payments");
    const asked = set.ask({ to: payments, exclusive: true });
    const [first, second] = [await set.join("a", ann), await set.join("b", ben)];
    const request = await first.asked("QuestionRequest");
    await second.asked("QuestionRequest");
    await first.call("claim", { request_id: request.id });
    return { ...set, first, second, request, asked };
  }

  test("while somebody has taken it, another addressee's answer is refused in words that name the holder", async () => {
    const { second, request, session } = await taken();
    const { error } = await second.answer(request, { items });
    expect(error?.code).toBe(NOT_ALLOWED);
    expect(error?.message).toContain("Ann has taken the request");
    expect(error?.data).toMatchObject({
      issues: [
        { question_id: null, code: "taken", message: expect.stringContaining("wait until they give it") },
      ],
    });
    expect(session.pending).toHaveLength(1);
  });

  test("a person for whom it is not is told so while somebody has taken it, and not to wait", async () => {
    const { join, request } = await taken();
    const eve = await join("e", { id: "Eve", name: "Eve", via: "token" });
    const { error } = await eve.answer(request, { items });
    expect([error?.code, error?.data]).toEqual([NOT_ALLOWED, null]);
    expect(error?.message).toContain("for the role payments");
  });

  test("a client behind whom nobody is known cannot take it, and so keeps nobody from answering", async () => {
    const { ask, join } = await desk();
    void ask({ exclusive: true });
    const [lobby, nobody, known] = [await join("lobby"), await join("page"), await join("a", ann)];
    const request = await nobody.asked("QuestionRequest");
    const { error } = await lobby.call("claim", { request_id: request.id });
    expect(error?.code).toBe(NOT_ALLOWED);
    expect(error?.message).toContain("come with a token of your own");
    expect((await known.call("claim", { request_id: request.id })).result).toMatchObject({ own: true });
    await known.call("unclaim", { request_id: request.id });
    expect((await nobody.answer(request, { items })).result).toMatchObject({
      outcome: { status: "answered" },
    });
  });

  test("the holder answers it", async () => {
    const { first, request, asked } = await taken();
    await first.answer(request, { items });
    expect(outcomeOf(await asked)).toMatchObject({ principal: ann });
  });

  test.each<[string, (set: Awaited<ReturnType<typeof taken>>) => unknown]>([
    ["is given back", ({ first, request }) => first.call("unclaim", { request_id: request.id })],
    ["runs out", ({ clock }) => clock.advance(120_000)],
    [
      "is left by a holder who is gone for the time of grace",
      async ({ first, second, clock }) => {
        first.close();
        await second.settled();
        clock.advance(30_000);
      },
    ],
  ])("once the claim %s, another addressee answers it", async (_, end) => {
    const set = await taken();
    await end(set);
    const { result } = await set.second.answer(set.request, { items });
    expect(result).toMatchObject({ outcome: { principal: ben } });
  });

  test("it is not sent to a base client, which learns of no claim", async () => {
    const set = asking(() => [question({ exclusive: true })]);
    const { client } = set.connect();
    const { asked } = await client.begin("TurnEnd");
    expect(asked.params?.type).toBe("TurnEnd");
    expect(set.opened[0]?.outcome).toMatchObject({ reason: "unsupported" });
  });
});
