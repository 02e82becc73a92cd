import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { type AgentMethods, allAgentMethods } from "../../protocol/src/index.js";
import type { Draw } from "../../protocol/test/sampled-params.js";
import { agentMethodNames, sampledParams } from "../../protocol/test/sampled-params.js";
import { introduction } from "../../server/test/extended/extended-client.js";
import type { Message } from "../../server/test/raw-client.js";
import type { Walls } from "./tenant-walls.js";
import {
  joined,
  MARK,
  type Tenant,
  type TenantClient,
  type TenantNode,
  tenantsAtWork,
} from "./tenants-at-work.js";

const question = (text: string) => [
  { id: "q", question: text, options: [{ id: "red", label: `Red ${MARK}` }] },
];

/** The things of acme: sessions in memory and kept alone, with questions, an answer, a draft, a claim, an ask and lists. */
async function acmeAtWork(earlier: TenantNode, node: TenantNode) {
  const kept = await joined(earlier, "acme", "kept-of-acme", { name: MARK });
  void kept.call("prompt", { user_input: `${MARK} kept` });
  await kept.asked("QuestionRequest");
  const ids = new Set(namesIn(kept.received));
  await earlier.close();
  const ann = await joined(node, "acme", "desk", { name: `Ann's ${MARK}` });
  void ann.call("prompt", { user_input: `${MARK} live` });
  const asked = await ann.asked("QuestionRequest");
  const program = await joined(node, "acme", "desk", { name: `Build of ${MARK}` });
  const ask = (key: string) =>
    program.call("ask", { key, wait: false, questions: question(`${MARK} ${key}`) }) as Promise<Message>;
  const [first, second] = [await ask("build"), await ask("deploy")];
  const idOf = ({ result }: Message) => String(result?.request_id);
  await ann.call("keep_draft", { request_id: idOf(first), draft: { items: [], discuss: MARK } });
  await ann.call("claim", { request_id: idOf(first) });
  await ann.asked("QuestionRequest", 3);
  await ann.answer(
    { id: idOf(second) },
    {
      ...{ answer_id: "answer-of-acme", items: [{ question_id: "q", selected: ["red"] }] },
    },
  );
  for (const [method, params] of [
    ["list_requests", { limit: 1 }],
    ["list_sessions", { limit: 1 }],
    ["list_sessions", { limit: 1, state: "kept" }],
    ["watch_requests", {}],
    ["watch_sessions", {}],
  ] as const)
    await ann.call(method, params);
  await ann.settled();
  for (const one of ["build", "deploy", "answer-of-acme", "desk", ...namesIn(ann.received)]) ids.add(one);
  const requests = [asked.id as string, idOf(first), idOf(second)];
  return { ann, requests, ids: [...ids].filter((id) => id.length > 3 && !id.includes(MARK)) };
}

/** Members whose texts name something of a tenant. */
const NAMES = /(?:^|_)id$|^(?:next|stream|connection|key)$/;

/** All texts in messages that name something. */
function namesIn(messages: readonly unknown[]): string[] {
  const found: string[] = [];
  const look = (value: unknown, key = "") => {
    if (typeof value === "string" && NAMES.test(key)) found.push(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) look(member, name);
  };
  for (const { params, result } of messages as readonly Message[]) look([params, result]);
  return found;
}

/** The state of acme as its person sees it, without ages, and without what its own nodes find of each other later. */
async function stateOf(ann: TenantClient, requests: readonly string[]) {
  await ann.settled();
  const listed = (await ann.call("list_requests", { limit: 200 })).result?.requests as object[];
  const sessions = (await ann.call("list_sessions", { limit: 200 })).result?.sessions as { id: string }[];
  const drafts: unknown[] = [];
  for (const request_id of requests) drafts.push((await ann.call("read_draft", { request_id })).result);
  const rows = listed.map((row) => ({ ...row, state: undefined }));
  return plain([rows, sessions.filter(({ id }) => id === "desk"), drafts], new Map());
}

/** Texts without what differs from call to call: ids that are new, times and ages; twins have the names of their ids. */
function plain(value: unknown, twins: ReadonlyMap<string, string>): string {
  let text = JSON.stringify(value) ?? "nothing";
  for (const [id, twin] of twins) text = text.replaceAll(inJson(twin), inJson(id));
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\[\d{13},/g, "[0,")
    .replaceAll(/("(?:\w+_ms|seq|timestamp|connections)":)[\d.]+/g, "$10");
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** An id that exists nowhere for each id of acme, of the same look; the ids in a place of a list are other ones too. */
function twinsOf(ids: readonly string[]): Map<string, string> {
  const twins = new Map<string, string>();
  const isPlace = (id: string) => id.startsWith("[");
  for (const id of ids.filter((id) => !isPlace(id)))
    twins.set(id, UUID.test(id) ? randomUUID() : `no-${randomUUID()}`.slice(0, Math.max(id.length, 12)));
  for (const place of ids.filter(isPlace)) {
    const parts = JSON.parse(place) as unknown[];
    twins.set(place, JSON.stringify(parts.map((part) => twins.get(part as string) ?? part)));
  }
  return twins;
}

/** A list without its own rows, which a node finds of others at its own time. */
function withoutOwn(result: Message["result"]): Message["result"] {
  const rows = result?.sessions ?? result?.requests;
  if (!Array.isArray(rows)) return result;
  return { rows: rows.filter((row) => JSON.stringify(row).includes(MARK)) };
}

/** Swaps the ids of acme for those that exist nowhere. */
function swapped(value: unknown, twins: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return twins.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => swapped(one, twins));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, swapped(one, twins)]));
}

/** Methods about a turn, whose replies come at its own time: hooli does it, which is told nothing of acme. */
const OF_TURNS = new Set(["prompt", "steer", "cancel", "replay"]);

/**
 * Tenants at work at two nodes, and calls of globex with the ids of acme. The person of initech makes the same calls with
 * ids that exist nowhere.
 */
export async function fuzzedTenants(walls: Walls) {
  const { nodes, node } = await tenantsAtWork(walls, { nodes: 2 });
  const [home] = nodes as [TenantNode];
  const { ann, requests, ids } = await acmeAtWork(await node(), home);
  const twins = twinsOf(ids);
  const callers = await Promise.all(
    nodes.map((at, n) =>
      Promise.all((["globex", "initech", "hooli"] as const).map((tenant) => joined(at, tenant, `own-${n}`))),
    ),
  );
  const before = await stateOf(ann, requests);
  const told = ann.received.length;
  let calls = 0;
  /** The methods of which a call was let in by its schema. */
  const reached = new Set<keyof AgentMethods>(["initialize"]);

  /** The reply to a call; undefined for a notification. */
  async function called(client: TenantClient, method: keyof AgentMethods, params: unknown) {
    const isNew = !reached.has(method);
    reached.add(method);
    if (allAgentMethods[method].kind === "notification") {
      client.send({ jsonrpc: "2.0", method, params });
      return client.settled();
    }
    const { result, error } = await client.call(method, params);
    if (error?.code === -32602 && isNew) reached.delete(method);
    return { result: withoutOwn(result), error };
  }

  /** The end of a first message at an address, by which a client would get into a session. */
  async function introduced(at: TenantNode, tenant: Tenant, params: unknown, path: string) {
    const client = await at.open(tenant, path);
    const reply = await Promise.race([client.call("initialize", params), client.ended]).catch(String);
    client.close();
    return typeof reply === "string" ? reply : { result: reply.result, error: reply.error };
  }

  return {
    reached,
    /**
     * Makes a call with ids of acme, and the same with ids that exist nowhere. Gives what is other, or of acme, as a
     * text.
     */
    async cross(draw: Draw): Promise<string | undefined> {
      const pick = (n: number): number => draw(fc.nat, { max: n - 1 });
      // Each in its turn, so that few calls reach all.
      const method = agentMethodNames[calls++ % agentMethodNames.length] as keyof AgentMethods;
      const params = sampledParams(method, draw, ids);
      const n = pick(callers.length);
      const replies: unknown[] = [];
      if (method === "initialize") {
        const session = { id: ids[pick(ids.length)], ...(params as { session?: object }).session };
        const said = { ...introduction(), session };
        const at = nodes[n] as TenantNode;
        const place = pick(2) === 0 ? "" : (ids[pick(ids.length)] as string);
        for (const [tenant, swap] of [
          ["globex", new Map()],
          ["initech", twins],
        ] as const) {
          const path = place === "" ? "/wire" : `/wire/${encodeURIComponent(swapped(place, swap) as string)}`;
          replies.push(await introduced(at, tenant, swapped(said, swap), path));
        }
      } else if (OF_TURNS.has(method)) {
        reached.add(method);
        void callers[n]?.[2]?.call(method, params);
        await callers[n]?.[2]?.settled();
        return undefined;
      } else {
        // A person answers it, or nobody.
        const said = method === "ask" ? { ...(params as object), wait: false } : params;
        for (const [client, swap] of [
          [callers[n]?.[0], new Map()],
          [callers[n]?.[1], twins],
        ] as const)
          replies.push(await called(client as TenantClient, method, swapped(said, swap)));
      }
      const [mine, twin] = replies.map((reply) => shown(reply, twins)) as [string, string];
      const what = `${method} ${JSON.stringify(params)}\n${mine}\n${twin}`;
      if (mine.includes(MARK)) return `of acme: ${what}`;
      return mine === twin ? undefined : `other: ${what}`;
    },
    /** The things that acme has and had not before, or the other way round. */
    async harm(): Promise<string | undefined> {
      const after = await stateOf(ann, requests);
      const at = [...before].findIndex((letter, n) => letter !== after[n]);
      if (at >= 0) return [before, after].map((text) => text.slice(at - 200, at + 200)).join("\n");
      const news = ann.received.slice(told).filter(({ method }) => method === "event");
      return news.length === 0 ? undefined : JSON.stringify(news);
    },
    /** All that globex was sent. */
    sent: () => JSON.stringify(callers.flat().map(({ received }) => received)),
  };
}

/** The reply by its look: ids that are neither acme's nor twins of these are new. */
const shown = (come: unknown, twins: ReadonlyMap<string, string>): string =>
  plain(come, twins).replaceAll(UUID, (id) => (twins.has(id) ? id : "NEW"));
