import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { freePort } from "../../../scripts/free-port.js";
import { type Agent, type AskwireServer, createServer } from "../../server/src/index.js";
import { listenWebSocket, type NamedToken } from "../../server/src/websocket.js";
import { attached, extended, type Introduction } from "../../server/test/extended/extended-client.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import { clientsOf } from "../../server/test/websocket/gateway.js";
import { memoryDevices } from "../../server/test/websocket/memory-devices.js";
import type { NodeStore } from "../src/index.js";
import { linkSecret, token } from "./node-secrets.js";
import { type Walls, walledStore } from "./tenant-walls.js";

/** Stands in every question, title and name of acme's. */
export const MARK = "ZEBRA";

/** The tenants of these tests, and the one person in each: those of globex and of initech do the same. */
const people = { acme: `Ann ${MARK}`, globex: "Gus", initech: "Gus", hooli: "Hal" } as const;
export type Tenant = keyof typeof people;

/** An agent that asks about its prompt. */
const asksBack: Agent = {
  resumes: true,
  async run(turn) {
    await turn.ask(`${turn.input}?`, ["Red", "Blue"]);
  },
};

/** Nodes of one database with these tenants, between which these walls stand. */
export async function tenantsAtWork(walls: Walls, { nodes: count }: { readonly nodes: number }) {
  const { another, store } = await walledStore(walls);
  await store.close();
  const secrets = new Map(Object.keys(people).map((name) => [name, randomBytes(32).toString("base64url")]));
  const known = new Map<string, NamedToken>(
    [...secrets].map(([tenant, secret]) => [secret, { key: tenant, name: people[tenant as Tenant], tenant }]),
  );

  async function node(names: readonly string[] = Object.keys(people)) {
    const port = await freePort();
    const log = detailedLog();
    const own = await another({ nodeAddress: `ws://127.0.0.1:${port}` });
    const made = (of: NodeStore) =>
      createServer({
        ...{ agent: asksBack, store: of, attendance: "hold", log, maxOpenRequests: 10_000 },
        ...{ maxSessions: 10_000, restartGraceMs: 3_600_000 },
      });
    const tenants = new Map<string, AskwireServer>(names.map((name) => [name, made(own.tenant(name))]));
    const server = made(own);
    const gateway = await listenWebSocket(server, {
      ...{ port, token, log, tenants },
      devices: { ...memoryDevices({}).devices, invite: () => undefined },
      tokens: { match: (text) => known.get(text), watchRevoked: () => () => {} },
      nodes: {
        linkSecret,
        ownerOf: (id, tenant) => (tenant === undefined ? own : own.tenant(tenant)).ownerOf(id),
      },
    });
    const close = async () => {
      await gateway.close();
      for (const one of tenants.values()) await one.close();
      await server.close();
    };
    onTestFinished(close);
    const clients = clientsOf(server, gateway, { id: "none" } as never);
    return {
      ...{ server, tenants, close },
      /** The lines of its log. */
      told: () => JSON.stringify(log.told),
      /** A client of a tenant that has said nothing yet. */
      open: async (tenant: Tenant, path = "/wire") =>
        extended(await clients.open(path, { token: secrets.get(tenant) ?? "" })),
    };
  }

  return { node, nodes: await Promise.all(Array.from({ length: count }, () => node())) };
}

export type TenantNode = Awaited<ReturnType<typeof tenantsAtWork>>["nodes"][number];
export type TenantClient = Awaited<ReturnType<TenantNode["open"]>>;

/** A client of a tenant in a session, which is opened unless it is there. */
export async function joined(node: TenantNode, tenant: Tenant, id: string, said: Introduction = {}) {
  const server = node.tenants.get(tenant);
  if (server?.sessions.has(id) !== true) await server?.openSession({ id, stay: true });
  const client = await node.open(tenant, `/wire/${id}`);
  return Object.assign(client, { found: attached(await client.introduce(said)) });
}
