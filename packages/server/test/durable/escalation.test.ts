import type { ListedRequest, Principal } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.js";
import { type DrivenClock, drivenClock } from "../driven-clock.js";
import { everything, meetExtended } from "../extended/extended-client.js";
import type { RawClient } from "../raw-client.js";
import { roleBook } from "../role-book.js";
import { colour, scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { id } from "./crashing.js";

const ann: Principal = { id: "Ann", name: "Ann", via: "token" };
const lee: Principal = { id: "Lee", name: "Lee", via: "token" };
const byRed = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };
const to = { roles: ["payments"] };
const MINUTE = 60_000;
const escalate = [
  { after_ms: 30 * MINUTE, to: { roles: ["leads"] } },
  { after_ms: 60 * MINUTE, to: { principals: ["Eve"] } },
];
const grown = { roles: ["payments", "leads"] };

/** A server whose questions are held, in which Ann has the role payments, and Lee leads. */
function company(options: Partial<ServerOptions> = {}, clock: DrivenClock = drivenClock()) {
  const roles = roleBook();
  roles.grant("Ann", "payments");
  roles.grant("Lee", "leads");
  const set = scenario([], { attendance: "hold", clock, roles, ...options });
  const join = async (name: string, principal?: Principal) => {
    const there = await set.server.sessionAt(id);
    const how = { ...(there && { session: there }), sessionMethods: true, ...(principal && { principal }) };
    return (await meetExtended(set, how, { name, shows: everything })).client;
  };
  return {
    ...set,
    ...{ clock, roles, join },
    /** A program that asks, and goes. */
    async asked(more: object = {}) {
      const session = await set.server.openSession({ id });
      const met = await meetExtended(set, { session }, { name: "deployer", question: false });
      const ask = { key: "k", questions: [colour], to, escalate, wait: false, ...more };
      const { result, error } = await met.client.call("ask", ask);
      met.client.close();
      await met.closed;
      return { request: result?.request_id as string, error };
    },
  };
}

const updates = (client: RawClient) =>
  client.received
    .filter(({ params }) => params?.type === "InteractionUpdated")
    .map(({ params }) => params?.payload);

describe("a request whose addressees grow (P-XTO-6)", () => {
  test("after its time a step is told to all, and shown to those who may answer from then on, once", async () => {
    const { asked, join, clock, server } = company();
    const { request } = await asked();
    const [first, lead] = [await join("a", ann), await join("b", lee)];
    await first.asked("QuestionRequest");
    clock.advance(30 * MINUTE - 1);
    await lead.settled();
    expect([updates(first), lead.requests()]).toEqual([[], []]);
    clock.advance(1);
    const shown = await lead.asked("QuestionRequest");
    expect(shown.params?.payload).toMatchObject({ to: grown, escalated: 1 });
    const update = { request_id: request, deadline: null, to: grown, escalated: 1 };
    expect(updates(first)).toEqual([update]);
    expect(server.listRequests()).toMatchObject([{ to: grown, escalated: 1 }]);
    clock.advance(29 * MINUTE);
    await lead.settled();
    expect(updates(first)).toHaveLength(1);
    expect((await lead.answer(shown, byRed)).result).toMatchObject({ outcome: { principal: lee } });
    clock.advance(60 * MINUTE);
    await first.settled();
    expect(updates(first)).toHaveLength(1);
  });

  test("a step to people of whom nobody is there changes nothing for those who had it, and is told", async () => {
    const { asked, join, clock, roles } = company();
    await asked();
    roles.revoke("Lee");
    const first = await join("a", ann);
    const shown = await first.asked("QuestionRequest");
    clock.advance(30 * MINUTE);
    await first.settled();
    expect(updates(first)).toMatchObject([{ to: grown, escalated: 1 }]);
    expect((await first.answer(shown, byRed)).result).toMatchObject({ outcome: { status: "answered" } });
  });

  test.each<[string, object, string]>([
    ["steps without addressees before them", { to: undefined }, "escalate: expected `to` beside it"],
    ["no time", { escalate: [{ after_ms: 0, to }] }, "escalate[0].after_ms"],
    ["a time that no timer has", { escalate: [{ after_ms: 2 ** 31, to }] }, "escalate[0].after_ms"],
    [
      "two steps at one time",
      { escalate: [escalate[0], escalate[0]] },
      "escalate[1].after_ms: expected more than 1800000",
    ],
    ["a step to nobody", { escalate: [{ after_ms: 1, to: {} }] }, "escalate[0].to"],
    ["a step with another member", { escalate: [{ after_ms: 1, to, unless: "Ann" }] }, "escalate[0].unless"],
  ])("%s are refused with the place", async (_, more, place) => {
    const { error } = await company().asked(more);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toContain(place);
  });

  test("a sub-second step is made by the next timer, not at once", async () => {
    const { asked, clock, server } = company();
    await asked({ escalate: [{ after_ms: 1, to: { roles: ["leads"] } }] });
    expect(server.listRequests()[0]).not.toHaveProperty("escalated");
    clock.advance(1);
    expect(server.listRequests()).toMatchObject([{ escalated: 1 }]);
  });
});

describe.each(stores)("a request whose addressees grow, in a session that is kept %s", (_, makeStore) => {
  test("a parked session is opened for a step that is due, which lists show, and is parked again", async () => {
    const store = makeStore();
    const { asked, clock, server, join } = company(store.options());
    const { request } = await asked();
    clock.advance(30_000);
    await expect.poll(() => server.sessions.size).toBe(0);
    const at = new Date(30 * MINUTE).toISOString();
    expect(server.listRequests()).toMatchObject([{ request_id: request, to, escalates_at: at }]);
    clock.advance(29 * MINUTE + 30_000);
    await expect.poll(() => server.listRequests()).toMatchObject([{ to: grown, escalated: 1 }]);
    await expect
      .poll(() => {
        clock.advance(0);
        return server.sessions.size;
      })
      .toBe(0);
    const lead = await join("b", lee);
    expect((await lead.asked("QuestionRequest")).params?.payload).toMatchObject({ escalated: 1 });
    await server.close();
  });

  test("the next process knows the steps that were made, and makes those that came due meanwhile, each once", async () => {
    const store = makeStore();
    const before = company(store.options());
    const { request } = await before.asked();
    before.clock.advance(30 * MINUTE);
    const after = store.afterCrash();
    const clock = drivenClock();
    clock.advance(61 * MINUTE);
    const next = company(after.options(), clock);
    await next.server.openSession({ id });
    const whole = { ...grown, principals: ["Eve"] };
    const rows: ListedRequest[] = next.server.listRequests();
    expect(rows).toMatchObject([{ request_id: request, to: whole, escalated: 2 }]);
    const lead = await next.join("b", lee);
    const shown = await lead.asked("QuestionRequest");
    expect(shown.id).toBe(request);
    await lead.answer(shown, byRed);
    await next.server.close();
    const made = (await after.lines(id)).filter((line) => line.includes('"InteractionEscalated"'));
    expect(made.map((line) => JSON.parse(line).message.payload.step)).toEqual([1, 2]);
  });

  test("after a restart a request is still for its addressees alone", async () => {
    const store = makeStore();
    const before = company(store.options());
    await before.asked({ exclusive: true, escalate: undefined });
    const next = company(store.afterCrash().options());
    await next.server.openSession({ id });
    const [lead, own] = [await next.join("b", lee), await next.join("a", ann)];
    const shown = await own.asked("QuestionRequest");
    expect(shown.params?.payload).toMatchObject({ to, exclusive: true });
    expect((await lead.answer(shown, byRed)).error?.code).toBe(-32014);
    const lines = await store.lines(id);
    const opened = lines
      .map((line) => JSON.parse(line).message)
      .find((message) => message?.type === "InteractionOpened");
    expect(opened?.payload.request).toMatchObject({ to, exclusive: true });
    await next.server.close();
  });
});
