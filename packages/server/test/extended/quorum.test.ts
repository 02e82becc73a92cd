import type { ListedRequest, Principal } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { ApprovalRequest, type ConnectOptions, wireSend } from "../../src/index.js";
import { id, keptSession } from "../durable/crashing.js";
import { payload } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { asking, everything, meetExtended } from "./extended-client.js";

const ann: Principal = { id: "ann", name: "Ann", via: "token" };
const ben: Principal = { id: "ben", name: "Ben", via: "token" };
const cleo: Principal = { id: "cleo", name: "Cleo", via: "header" };
const annsPhone: Principal = { id: "p1", name: "ann", via: "device", device: "Chrome on Android" };
const annsOwnPhone: Principal = { ...annsPhone, name: "ann" };
const somebodysPhone: Principal = { id: "p2", name: "Chrome on Android", via: "device" };

const shows = { ...everything, quorum: true, presence: true };
const deploy = { action: "deploy", description: "Deploy build 42" };
const approves = { response: "approve" };

type ApprovalInit = ConstructorParameters<typeof ApprovalRequest>[0];

/** A session whose agent asks for an approval of two, and clients of several people. */
function several(init: Partial<ApprovalInit> = {}, options: Partial<Parameters<typeof asking>[1]> = {}) {
  const base = { tool_call_id: "tc-1", sender: "Shell", ...deploy, quorum: 2 };
  const set = asking(() => [new ApprovalRequest({ ...base, ...init })], { attendance: "hold", ...options });
  const session = set.server.createSession();
  const at = (principal?: Principal): ConnectOptions => ({
    ...{ session, sessionMethods: true },
    ...(principal !== undefined && { principal }),
  });
  return {
    ...set,
    session,
    join: async (principal?: Principal, shown: object = shows) => {
      const { client } = await meetExtended(set, at(principal), {
        name: principal?.name ?? "nobody",
        shows: shown,
      });
      return client;
    },
  };
}

/** The request of {@link several}, before two people. */
async function beforeTwo(...how: Parameters<typeof several>) {
  const set = several(...how);
  const [one, two] = [await set.join(ann), await set.join(ben)];
  const prompt = one.call("prompt", { user_input: "go" });
  const asked = await one.asked("ApprovalRequest");
  await two.asked("ApprovalRequest");
  const request = set.opened[0] as ApprovalRequest;
  return { ...set, one, two, asked, request, prompt };
}

const names = (approvers: unknown) =>
  (approvers as { principal: Principal }[] | undefined)?.map(({ principal }) => principal.name);

const outcomeOf = (result: Record<string, unknown> | undefined) => result?.outcome as Record<string, unknown>;

describe("an approval that several people must give (P-XQU-1 to P-XQU-4)", () => {
  test("the first approval is told to all and settles nothing, and the second one settles with both names", async () => {
    const { one, two, asked, request, session, join } = await beforeTwo();
    expect(payload(asked)).toMatchObject({ quorum: 2, person_only: true });
    const { result } = await one.answer(asked, approves);
    expect(result).toMatchObject({ open: true, outcome: { status: "answered", principal: ann } });
    expect(names(outcomeOf(result).approved_by)).toEqual(["Ann"]);
    expect([request.resolved, session.state]).toEqual([false, "waiting"]);
    const told = (await two.seen("InteractionUpdated")).params?.payload;
    expect(names(told?.approved_by)).toEqual(["Ann"]);
    const late = await join(cleo);
    await late.asked("ApprovalRequest");
    expect(names((await late.seen("InteractionUpdated")).params?.payload.approved_by)).toEqual(["Ann"]);
    const rows = (await late.call("list_requests")).result?.requests as ListedRequest[];
    expect(rows).toMatchObject([{ quorum: 2 }]);
    expect(names(rows[0]?.approved_by)).toEqual(["Ann"]);

    const second = await two.answer(asked, approves);
    expect(second.result).not.toHaveProperty("open");
    expect(names(outcomeOf(second.result).approved_by)).toEqual(["Ann", "Ben"]);
    await one.seen("TurnEnd");
    expect(request.answer).toEqual({ response: "approve", feedback: "" });
    expect(
      names(one.events("InteractionSettled")[0]?.payload.outcome && request.outcome?.approved_by),
    ).toEqual(["Ann", "Ben"]);
    expect(request.outcome?.principal).toEqual(ben);
  });

  test("one rejection ends it, with the words of whoever rejected and the names of those who had approved", async () => {
    const { one, two, asked, request } = await beforeTwo();
    await one.answer(asked, { ...approves, feedback: "fine" });
    await two.answer(asked, { response: "reject", feedback: "not on a Friday" });
    expect(request.answer).toEqual({ response: "reject", feedback: "not on a Friday" });
    expect([names(request.outcome?.approved_by), request.outcome?.principal]).toEqual([["Ann"], ben]);
  });

  test("a person who rejects what they have approved has not approved it", async () => {
    const { one, asked, request } = await beforeTwo();
    await one.answer(asked, approves);
    await one.answer(asked, { response: "reject" });
    expect([request.answer?.response, request.outcome?.approved_by]).toEqual(["reject", undefined]);
  });

  test("the same person counts once, on whatever device", async () => {
    const { one, join, asked, request } = await beforeTwo();
    const phone = await join({ ...annsPhone, name: "ann" });
    await phone.asked("ApprovalRequest");
    await one.answer(asked, approves);
    const again = await phone.answer(asked, approves);
    expect([again.result?.open, request.resolved]).toEqual([true, false]);
    expect((await one.answer(asked, approves)).result?.open).toBe(true);
    expect(names(request.quorum?.approvedBy)).toHaveLength(1);
  });

  test("the same person counts once, by a token and by the header of a proxy", async () => {
    const { one, join, asked, request } = await beforeTwo();
    const proxied = await join({ id: "ann", name: "ann", via: "header" });
    await proxied.asked("ApprovalRequest");
    await one.answer(asked, approves);
    const { result } = await proxied.answer(asked, approves);
    expect([result?.open, request.resolved]).toEqual([true, false]);
  });

  test("an approval that a later one of its person has replaced changes nothing when it is sent again", async () => {
    const { one, join, asked, request } = await beforeTwo();
    const phone = await join(annsOwnPhone);
    await phone.asked("ApprovalRequest");
    const first = { response: "approve_for_session", answer_id: "a-1" };
    await one.answer(asked, first);
    await phone.answer(asked, approves);
    expect((await one.answer(asked, first)).result?.open).toBe(true);
    expect(request.quorum?.approvedBy.map(({ connection }) => connection)).toHaveLength(1);
    await phone.answer(asked, { ...approves, feedback: "still" });
    expect((await request.quorum?.approvedBy)?.[0]?.feedback).toBe("still");
  });

  test("another option, or another text, than others have approved is refused, and the same one counts", async () => {
    const edit = { content: "deploy 42" };
    const { one, two, asked, request } = await beforeTwo({ edit });
    await one.answer(asked, { ...approves, edited: "deploy 42 --slowly" });
    for (const said of [approves, { response: "approve_for_session", edited: "deploy 42 --slowly" }]) {
      const { error } = await two.answer(asked, said);
      expect([error?.code, error?.data]).toMatchObject([-32013, { issues: [{ code: "other_choice" }] }]);
    }
    await two.answer(asked, { ...approves, edited: "deploy 42 --slowly" });
    expect(request.answer).toMatchObject({ response: "approve", edited: "deploy 42 --slowly" });
  });

  test("whoever alone has approved may choose otherwise", async () => {
    const { one, two, asked, request } = await beforeTwo();
    await one.answer(asked, approves);
    expect((await one.answer(asked, { response: "approve_for_session" })).result?.open).toBe(true);
    await two.answer(asked, { response: "approve_for_session" });
    expect(request.answer?.response).toBe("approve_for_session");
  });

  test("the words of all who approved reach the agent, each under their name", async () => {
    const { one, two, asked, request } = await beforeTwo();
    await one.answer(asked, { ...approves, feedback: "watch the disk" });
    const waiting = request.wait();
    await two.answer(asked, { ...approves, feedback: "and the queue" });
    expect((await waiting).feedback).toBe("Ann: watch the disk\nBen: and the queue");
  });

  test("an answer that is sent again counts once and has its first reply", async () => {
    const { one, asked, request } = await beforeTwo();
    const said = { ...approves, answer_id: "a-1" };
    const { result } = await one.answer(asked, said);
    const { result: again } = await one.answer(asked, said);
    expect([again?.open, again?.outcome]).toEqual([true, result?.outcome]);
    expect(request.resolved).toBe(false);
  });

  test.each([
    ["a client that does not show who has approved", ann, everything],
    ["a client behind which the door knows nobody", undefined, shows],
    ["a phone that is nobody's", somebodysPhone, shows],
  ])("%s is not sent it, and cannot approve it (P-XQU-1)", async (_what, principal, shown) => {
    const { asked, join, request } = await beforeTwo();
    const other = await join(principal, shown);
    const { error } = await other.answer(asked, approves);
    expect([error?.code, other.requests()]).toEqual([-32014, []]);
    expect(request.quorum?.approvedBy).toEqual([]);
  });

  test("neither `--yolo` nor an earlier decision for the session approves it", async () => {
    const { one, two, asked, request, prompt } = await beforeTwo({}, { yolo: true });
    expect(request.resolved).toBe(false);
    await one.answer(asked, { response: "approve_for_session" });
    await two.answer(asked, { response: "approve_for_session" });
    await prompt;
    void one.call("prompt", { user_input: "again" });
    await one.asked("ApprovalRequest", 2);
  });

  test("a claim ends when its holder has approved, since others are to", async () => {
    const { one, two, asked } = await beforeTwo();
    await one.call("claim", { request_id: asked.id });
    await one.answer(asked, approves);
    const rows = (await two.call("list_requests")).result?.requests as ListedRequest[];
    expect(rows[0]).not.toHaveProperty("answering");
  });

  test.each([[1], [11], [1.5], ["2"]])(
    "a quorum of %j is refused, with the numbers that may be",
    async (quorum) => {
      expect(
        () => new ApprovalRequest({ tool_call_id: "", sender: "s", ...deploy, quorum } as never),
      ).toThrow(/quorum: expected a whole number from 2 to 10/);
      const set = scenario([]);
      const { client } = await meetExtended(set);
      const { error } = await client.call("ask", { key: "k", approval: { ...deploy, quorum } });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining("quorum")]);
    },
  );

  test("a program that asks is told of both, and asks another thing with another number", async () => {
    const set = scenario([], { attendance: "hold" });
    const session = set.server.createSession();
    const join = async (principal: Principal) =>
      (await meetExtended(set, { session, principal }, { name: principal.name, shows })).client;
    const { client: program } = await meetExtended(set, { session }, { name: "ci", question: false });
    const [one, two] = [await join(ann), await join(ben)];
    const reply = program.call("ask", { key: "k", approval: { ...deploy, quorum: 2 } });
    const asked = await one.asked("ApprovalRequest");
    const other = await program.call("ask", { key: "k", approval: { ...deploy, quorum: 3 } });
    expect(other.error?.message).toContain("key: ");
    await one.answer(asked, approves);
    await two.answer(asked, approves);
    const { result } = await reply;
    expect(names(outcomeOf(result).approved_by)).toEqual(["Ann", "Ben"]);
  });
});

describe.each(stores)("an approval of several people in a session that is kept %s", (_, store) => {
  test("the first approval is kept over a crash, and the second one in the next process settles it", async () => {
    const run = async () => {
      const request = new ApprovalRequest({ tool_call_id: "", sender: "Shell", ...deploy, quorum: 2 });
      wireSend(request);
      await request.wait();
    };
    const kept = keptSession(store(), { agent: { resumes: true, run }, attendance: "hold" });
    const join = (set: ReturnType<typeof kept.start>, principal: Principal) =>
      meetExtended(set, { sessionId: id, principal }, { name: principal.name, shows });
    const { client: one } = await join(kept.start([]), ann);
    void one.call("prompt", { user_input: "go" });
    const asked = await one.asked("ApprovalRequest");
    await one.answer(asked, approves);

    const next = kept.start([]);
    const { client: two } = await join(next, ben);
    const again = await two.asked("ApprovalRequest");
    expect([again.id, payload(again).quorum]).toEqual([asked.id, 2]);
    expect(names((await two.seen("InteractionUpdated")).params?.payload.approved_by)).toEqual(["Ann"]);
    const { result } = await two.answer(again, approves);
    expect(names(outcomeOf(result).approved_by)).toEqual(["Ann", "Ben"]);
    await two.seen("TurnEnd");
    await next.server.close();
  });

  test("an approval that is sent again to the next process changes nothing, and programs of before leave the session alone", async () => {
    const run = async () => {
      const request = new ApprovalRequest({ tool_call_id: "", sender: "Shell", ...deploy, quorum: 2 });
      wireSend(request);
      await request.wait();
    };
    const kept = keptSession(store(), { agent: { resumes: true, run }, attendance: "hold" });
    const client_id = "33333333-3333-4333-8333-333333333333";
    const join = (set: ReturnType<typeof kept.start>) =>
      meetExtended(set, { sessionId: id, principal: ann }, { name: "Ann", shows: { ...shows, client_id } });
    const { client: one } = await join(kept.start([]));
    void one.call("prompt", { user_input: "go" });
    const asked = await one.asked("ApprovalRequest");
    const first = { response: "approve_for_session", answer_id: "a-1" };
    await one.answer(asked, first);
    await one.answer(asked, { ...approves, answer_id: "a-2" });
    const versions = (await kept.lines()).flatMap(
      (line) => /"SessionOpened".*"version":(\d)/.exec(line)?.[1] ?? [],
    );
    expect(versions).toEqual(["1", "2"]);

    const next = kept.start([]);
    const { client: again } = await join(next);
    await again.asked("ApprovalRequest");
    expect((await again.answer(asked, first)).result?.open).toBe(true);
    const votes = (await kept.records()).filter(({ type }) => type === "InteractionVoted");
    expect(votes.map(({ payload }) => (payload.response as { response: string }).response)).toEqual([
      "approve_for_session",
      "approve",
    ]);
    await next.server.close();
  });
});
