import { randomUUID } from "node:crypto";
import { isObject, want, wantMembers, wantSame } from "../../../contract/expectations.js";
import { initialize, sendPrompt, wantError, wholeClient } from "../../conversation.js";
import { answerById, choosing, shownRequest } from "../../extended.js";
import { resultOf, type ServerMessage, wantedEvent, wantedRequest } from "../../messages.js";
import { askingLine } from "../../scripts.js";
import type { CheckedWire } from "../../wire.js";
import type { CheckedGateway, GatewayCheck } from "../gateway-context.js";
import { type Joined, joinSession, person, sessionsOf } from "../joined.js";

type Row = Readonly<Record<string, unknown>>;

/** A question that waits in a session of its own, before a client of its own. */
interface Waiting extends Joined {
  readonly asked: ServerMessage;
}

async function asking(gateway: CheckedGateway, ann: Joined, name: string): Promise<Waiting> {
  const made = resultOf(await ann.client.call("create_session", {})) as { session: { id: string } };
  const joined = await joinSession(gateway, person(name), gateway.addressOf(made.session.id));
  sendPrompt(joined.client);
  return { ...joined, asked: await shownRequest(joined.client, wantedRequest("QuestionRequest")) };
}

/** A page of what waits, or what waits at the beginning of a watch. */
async function page(wire: CheckedWire, params: object = {}, method = "list_requests") {
  const result = resultOf(await wire.call(method, params));
  const { requests, next } = isObject(result) ? result : {};
  want(Array.isArray(requests) && requests.every(isObject), "{requests: [{request_id, kind, …}]}", result);
  return { rows: requests as readonly Row[], next };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ request_id }) => request_id).toSorted();
const isToldOf = (params: unknown, id: unknown) =>
  isObject(params) &&
  Array.isArray(params.requests) &&
  params.requests.some((row) => isObject(row) && row.request_id === id);
const isChange = ({ method }: ServerMessage) => method === "requests_changed";

/** Expects the numbers of what is chosen. A server need not count. */
async function wantCounts(
  wire: CheckedWire,
  wanted: object,
  { questions, open }: { readonly questions: number; readonly open: number },
): Promise<void> {
  const result = resultOf(await wire.call("list_requests", { ...wanted, counts: true }));
  if (!isObject(result) || result.counts === undefined) return;
  const { all, kinds, states } = result.counts as { readonly [name: string]: unknown };
  const counted = { all, kinds: { ...(kinds as object) }, states: { ...(states as object) } };
  const expected = { all: open, kinds: { question: questions, approval: 0 }, states: { open, kept: 0 } };
  wantSame("the counts of what is chosen", counted, expected);
}

/** Expects pages of one session to have each session once. A server that knows no pages gives all of them at once. */
async function wantPagesOfSessions(wire: CheckedWire): Promise<void> {
  const all = [...(await sessionsOf(wire)).keys()];
  const found: unknown[] = [];
  let after: unknown;
  do {
    const wanted = { limit: 1, ...(after !== undefined && { after }) };
    const result = resultOf(await wire.call("list_sessions", wanted));
    const { sessions, next }: Row = isObject(result) ? result : {};
    want(Array.isArray(sessions) && sessions.every(isObject), "{sessions, next?}", result);
    const ids = (sessions as readonly Row[]).map(({ id }) => id);
    if (found.length === 0 && ids.length === all.length) return;
    wantSame("the sessions of a page of one", ids.length, 1);
    found.push(...ids);
    after = next;
  } while (after !== undefined && found.length <= all.length);
  wantSame("the sessions of all pages", found.toSorted(), all.toSorted());
}

/** X65 and X66: what waits in all sessions, and a client in none of them. */
export const requestChecks: readonly GatewayCheck[] = [
  {
    id: "X65",
    title:
      "what waits is listed over all sessions, by pages, kinds and words, and who watches is told of what comes and goes",
    rules: ["P-XRQ-1", "P-XRQ-2", "P-XRQ-3", "P-XRQ-4", "P-XSE-8", "P-XNG-4"],
    async run(context) {
      const gateway = await context.start([
        ...[askingLine(), askingLine(), "text: Thanks."],
        ...[askingLine(), "text: Thanks."],
      ]);
      const ann = await joinSession(gateway, person("ann"));
      const { client } = ann;
      // A gateway need not list what waits, and then has none of these methods.
      if (ann.uses.inbox !== true)
        return void (await wantError(client, client.request("list_requests", {}), -32601));
      wantSame("what waits before anything is asked", (await page(client)).rows, []);
      const bob = await asking(gateway, ann, "bob");
      const eve = await asking(gateway, ann, "eve");
      const both = [bob.asked.id, eve.asked.id].toSorted();

      const all = await page(client);
      wantSame("the ids of what waits", idsOf(all.rows), both);
      wantSame("next of a page with everything", all.next, undefined);
      for (const { asked, session } of [bob, eve]) {
        const row = all.rows.find(({ request_id }) => request_id === asked.id);
        wantMembers("the row", row, { kind: "question", state: "open", session_id: session.id });
        want(typeof row?.text === "string" && !/\p{Cc}/u.test(row.text), "a text of one line", row?.text);
        want(!Number.isNaN(Date.parse(String(row?.since))), "since, in ISO 8601", row?.since);
      }
      const [first, second] = all.rows;
      want(String(first?.since) <= String(second?.since), "the oldest first", all.rows);

      const one = await page(client, { limit: 1 });
      wantSame("the first page of one row", one.rows, [first]);
      want(typeof one.next === "string", "next, a text, with a page that is not the last", one.next);
      const two = await page(client, { limit: 1, after: one.next });
      wantSame("the second page of one row", two.rows, [second]);
      wantSame("next of the last page", two.next, undefined);

      await wantCounts(client, { limit: 1 }, { questions: 2, open: 2 });
      await wantCounts(client, { kinds: ["approval"] }, { questions: 0, open: 0 });
      await wantPagesOfSessions(client);

      const text = String(first?.text).slice(1).toUpperCase();
      wantSame("what has these words, in any case", idsOf((await page(client, { text })).rows), both);
      wantSame("what has other words", (await page(client, { text: randomUUID() })).rows, []);
      wantSame("the approvals", (await page(client, { kinds: ["approval"] })).rows, []);
      wantSame("what is open", idsOf((await page(client, { state: "open" })).rows), both);
      for (const wrong of [{ after: "none" }, { limit: 0 }, { limit: 201 }])
        await wantError(client, client.request("list_requests", wrong), -32602);

      wantSame(
        "what waits at the beginning of a watch",
        idsOf((await page(client, {}, "watch_requests")).rows),
        both,
      );
      await answerById(bob.client, bob.asked, { items: choosing(bob.asked, ["Red"]) });
      await client.next({
        name: "the notification requests_changed with the answered question gone",
        fits: ({ method, params }) =>
          method === "requests_changed" &&
          (params as { gone?: unknown[] }).gone?.includes(bob.asked.id) === true,
      });
      await bob.client.next(wantedEvent("TurnEnd"));
      const leo = await asking(gateway, ann, "leo");
      await client.next({
        name: "the notification requests_changed with the new question",
        fits: ({ method, params }) => method === "requests_changed" && isToldOf(params, leo.asked.id),
      });
      wantSame(
        "the ids of what waits",
        idsOf((await page(client)).rows),
        [eve.asked.id, leo.asked.id].toSorted(),
      );

      // Eve, who watches, is told of the next end; Ann, who no longer does, would have been told by then.
      wantSame("the result of unwatch_requests", resultOf(await client.call("unwatch_requests", {})), {});
      const before = client.messages.filter(isChange).length;
      await page(eve.client, {}, "watch_requests");
      await answerById(leo.client, leo.asked, { items: choosing(leo.asked, ["Red"]) });
      await eve.client.next({ name: "the notification requests_changed", fits: isChange });
      await client.quiet();
      wantSame("what comes after unwatch_requests", client.messages.filter(isChange).slice(before), []);

      const base = await gateway.connect();
      await initialize(base, wholeClient);
      await wantError(base, base.request("list_requests", {}), -32601);
    },
  },
  {
    id: "X66",
    title: "who wants no session is in none, makes none, and lists and watches what there is",
    rules: ["P-XLB-1", "P-XLB-2", "P-SES-1"],
    async run(context) {
      const gateway = await context.start([askingLine(), "text: Thanks."]);
      const ann = await joinSession(gateway, person("ann"));
      // Only a gateway that lists what waits has a lobby.
      if (ann.uses.inbox !== true) return;
      const before = (await sessionsOf(ann.client)).size;
      const client = await gateway.connect(gateway.addressOf(undefined));
      const result = resultOf(await client.call("initialize", person("lea", { lobby: true })));
      want(isObject(result) && isObject(result.lobby), "lobby {role?, permissions?}", result);
      want(isObject(result) && result.session === undefined, "no session", result);
      wantSame("the number of sessions, with a client in the lobby", (await sessionsOf(client)).size, before);

      wantSame("what waits at the beginning of a watch", (await page(client, {}, "watch_requests")).rows, []);
      const bob = await asking(gateway, { ...ann, client }, "bob");
      await client.next({
        name: "the notification requests_changed with the new question",
        fits: ({ method, params }) => method === "requests_changed" && isToldOf(params, bob.asked.id),
      });
      for (const method of ["prompt", "set_plan_mode", "cancel"])
        await wantError(client, client.request(method, { user_input: "go", enabled: true }), -32000);
      wantSame("the result of unwatch_requests", resultOf(await client.call("unwatch_requests", {})), {});
      const closed = await client.call("close_session", { session_id: bob.session.id });
      wantSame("the result of close_session", resultOf(closed), {});
      await bob.client.ended();

      // Elsewhere the wish says nothing.
      const there = await joinSession(gateway, person("leo", { lobby: true }));
      wantSame("the session at the address of one", there.session.id, ann.session.id);
      const base = await gateway.connect();
      const plain = resultOf(await base.call("initialize", { ...wholeClient, lobby: true }));
      want(isObject(plain) && plain.lobby === undefined, "no lobby for a client of the base profile", plain);
    },
  },
];
