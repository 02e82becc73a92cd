import type { ListedDecision } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { ApprovalRequest, QuestionRequest, wireSend } from "../../src/index.js";
import type { RawClient } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { stores } from "../stores.js";
import { introduction, meetExtended } from "./extended-client.js";
import { listeningExtended } from "./extended-gateway.js";

const yes = { items: [{ question_id: "q1", selected: ["q1_o1"] }] };

/** An agent that asks the words of its prompt, or for the approval that they name. */
const run = async ({ input }: { readonly input: unknown }) => {
  const [kind, text = ""] = String(input).split(": ");
  const request =
    kind === "approve"
      ? new ApprovalRequest({ tool_call_id: "tc", sender: "Shell", action: text, description: `run ${text}` })
      : new QuestionRequest({
          tool_call_id: "",
          questions: [{ question: text, options: [{ label: "Yes" }] }],
        });
  wireSend(request);
  await request.wait();
};

interface Page {
  readonly decisions: readonly ListedDecision[];
  readonly next?: string;
}

const page = async (client: RawClient, wanted: object = {}) =>
  (await client.call("list_decisions", wanted)).result as unknown as Page;

const asked = ({ decisions }: Page) => decisions.map((one) => one.asked);

/** A server in whose one session four things were decided, and a client in it that is told of them. */
async function decided(options: object) {
  const set = scenario([], { run, attendance: "hold" as const, ...options });
  const { client } = await meetExtended(set, {
    sessionMethods: true,
    session: await set.server.openSession({ stay: true }),
    principal: { id: "ann", name: "Ann", via: "token" },
  });
  const settle = async (
    prompt: string,
    how: object,
    type: "QuestionRequest" | "ApprovalRequest",
    nth: number,
  ) => {
    const ended = client.call("prompt", { user_input: prompt });
    await client.answer(await client.asked(type, nth), how);
    await ended;
  };
  await settle("ask: Paint the SHED?", yes, "QuestionRequest", 1);
  await settle("approve: deploy", { response: "approve" }, "ApprovalRequest", 1);
  await settle("ask: 100% sure_?", yes, "QuestionRequest", 2);
  await settle("ask: Never?", { outcome: { status: "declined", reason: "dismissed" } }, "QuestionRequest", 3);
  return { set, client };
}

describe.each(stores.filter(([name]) => name !== "in a store"))("what was decided, %s,", (_, make) => {
  test("what was decided is told in another order, by pages with gaps, or without who answered what (P-XPD-1, P-XPD-2)", async () => {
    const { client } = await decided(make().options());
    expect(asked(await page(client))).toEqual(["Never?", "100% sure_?", "run deploy", "Paint the SHED?"]);
    const rows: (string | undefined)[] = [];
    for (let next: string | undefined = undefined, n = 0; n < 9; n += 1) {
      const one: Page = await page(client, { limit: 1, ...(next !== undefined && { after: next }) });
      rows.push(...asked(one));
      next = one.next;
      if (next === undefined) break;
    }
    expect(rows).toEqual(["Never?", "100% sure_?", "run deploy", "Paint the SHED?"]);
    const { decisions } = await page(client);
    const moment = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(decisions[3]).toEqual({
      ...{ at: moment, asked_at: moment, session_id: expect.any(String), title: "ask: Paint the SHED?" },
      ...(decisions[3]?.folder !== undefined && { folder: "/work" }),
      ...{
        kind: "question",
        request_id: expect.any(String),
        asked: "Paint the SHED?",
        digest: expect.any(String),
      },
      request: { questions: [expect.objectContaining({ question: "Paint the SHED?" })] },
      ...{ status: "answered", by: "human", answer: "Yes", answer_id: expect.any(String) },
      response: { answers: { "Paint the SHED?": "Yes" }, items: [expect.anything()] },
      ...{
        who: { id: "ann", name: "Ann", via: "token" },
        client: { name: "raw", connection: expect.any(String) },
      },
    });
    expect(decisions.map(({ status, answer }) => [status, answer])).toEqual([
      ["declined", undefined],
      ["answered", "Yes"],
      ["answered", "approved"],
      ["answered", "Yes"],
    ]);
  });

  test("what was decided is chosen wrongly by words, kind, person, status or time (P-XPD-1)", async () => {
    const { client } = await decided(make().options());
    expect(asked(await page(client, { text: "THE shed?" }))).toEqual([
      ...["Never?", "100% sure_?", "run deploy", "Paint the SHED?"],
    ]);
    expect(asked(await page(client, { text: "% sure_" }))).toEqual(["100% sure_?"]);
    expect(asked(await page(client, { text: "appROVED" }))).toEqual(["run deploy"]);
    expect(asked(await page(client, { text: "100_" }))).toEqual([]);
    expect(asked(await page(client, { kinds: ["approval"] }))).toEqual(["run deploy"]);
    expect(asked(await page(client, { who: "ANN", limit: 1 }))).toEqual(["Never?"]);
    expect(asked(await page(client, { who: "Olga" }))).toEqual([]);
    expect(asked(await page(client, { status: "declined" }))).toEqual(["Never?"]);
    const { decisions } = await page(client);
    const [, , third, first] = decisions.map(({ at }) => at);
    expect(asked(await page(client, { since: third, until: decisions[1]?.at }))).toEqual(["run deploy"]);
    expect(asked(await page(client, { until: first }))).toEqual([]);
    for (const wrong of [{ since: "yesterday" }, { after: "[]" }, { limit: 201 }, { status: "open" }])
      expect((await client.call("list_decisions", wrong)).error?.code, JSON.stringify(wrong)).toBe(-32602);
  });
});

test("a client that may only answer reads what others decided, or is told that it may (P-XPD-3)", async () => {
  const set = await listeningExtended([], {
    run,
    decisions: async () => ({ decisions: [] }),
    listen: { answerToken: true },
  });
  const { answerToken = "" } = set.gateway;
  const owner = await set.joinExtended("/wire", { name: "owner" });
  const person = await set.joinExtended(
    `/wire/${owner.found.id}`,
    { name: "person" },
    { token: answerToken },
  );
  expect((await owner.call("list_decisions")).result).toEqual({ decisions: [] });
  expect((await person.call("list_decisions")).error?.code).toBe(-32014);
  const declared = async (token?: string) => {
    const lobby = set.connect({
      ...(token !== undefined && { role: "answer" as const }),
      session: () => set.server.openSession(),
      sessionMethods: true,
    }).client;
    const { result } = await lobby.call("initialize", { ...introduction(), lobby: true });
    return (result as { capabilities: { askwire: { decisions?: true } } }).capabilities.askwire.decisions;
  };
  expect([await declared(), await declared(answerToken)]).toEqual([true, undefined]);
});

test("a server that keeps nothing declares a list of what was decided, or has one (P-XPD-1)", async () => {
  const set = scenario([], { run });
  const { client } = await meetExtended(set, { sessionMethods: true });
  expect((await client.call("list_decisions")).error?.code).toBe(-32601);
});

test("a list of what was decided goes on once it is cancelled (P-XPD-1)", async () => {
  const signals: AbortSignal[] = [];
  const decisions = (_: object, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const set = scenario([], { run, decisions });
  const { client } = await meetExtended(set, { sessionMethods: true });
  const listed = client.call("list_decisions", {});
  await expect.poll(() => signals.length).toBe(1);
  client.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "c2" } });
  expect((await listed).error?.code).toBe(-32000);
  expect(signals[0]?.aborted).toBe(true);
});

/** Pages that end by their signals alone, which it gives in their order. */
function endless() {
  const signals: AbortSignal[] = [];
  const decisions = (_: object, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signals.push(signal);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return { signals, decisions };
}

test.each(["a session", "the lobby"])(
  "lists of what was decided that a client of %s waits for go on once it is gone, or have no bound (P-XPD-1)",
  async (place) => {
    const { signals, decisions } = endless();
    const set = scenario([], { run, decisions });
    const { client } = set.connect({ session: () => set.server.openSession(), sessionMethods: true });
    await client.call("initialize", { ...introduction(), ...(place === "the lobby" && { lobby: true }) });
    const lists = [1, 2, 3].map(() => client.call("list_decisions", {}));
    expect((await lists[2])?.error).toMatchObject({ code: -32020, data: { limit: "decisions" } });
    client.send({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: "c2" } });
    expect((await lists[0])?.error?.code).toBe(-32000);
    await expect.poll(() => signals.length).toBe(2);
    client.close();
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  },
);
