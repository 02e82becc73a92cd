import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentMethodNames } from "../../protocol/test/sampled-params.js";
import { attached } from "../../server/test/extended/extended-client.js";
import { standing } from "./tenant-walls.js";
import { joined, MARK, type TenantClient, type TenantNode, tenantsAtWork } from "./tenants-at-work.js";
import { fuzzedTenants } from "./tenants-fuzz.js";

/** Calls of one test: twenty of each method, of which some are let in. */
const CALLS = Number(process.env.ASKWIRE_CROSSINGS ?? 480);

describe("every method with the ids of another tenant (P-TEN-1)", () => {
  test.each(standing)(
    "a reply is the one for an id that exists nowhere, and nothing of the other tenant is told or changed, behind %s",
    async (_, walls) => {
      const tenants = await fuzzedTenants(walls);
      await fc.assert(
        fc.asyncProperty(fc.gen(), async (draw) => {
          expect(await tenants.cross(draw)).toBe(undefined);
        }),
        { numRuns: CALLS, endOnFailure: true },
      );
      expect(await tenants.harm()).toBe(undefined);
      expect(tenants.sent()).not.toContain(MARK);
      expect(agentMethodNames.filter((name) => !tenants.reached.has(name))).toEqual([]);
    },
  );

  test("a call crosses where no wall stands, so that these calls would show it", async () => {
    const tenants = await fuzzedTenants({ rows: false, statements: false });
    const found = await fc.check(
      fc.asyncProperty(fc.gen(), async (draw) => {
        return (await tenants.cross(draw)) === undefined;
      }),
      { numRuns: CALLS, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});

describe("the link of nodes with tenants (P-TEN-4)", () => {
  const walls = { rows: true, statements: true };

  test("a client is passed on to the node that has the session of its tenant, and to no session of the same id", async () => {
    const { nodes } = await tenantsAtWork(walls, { nodes: 2 });
    const [home, away] = nodes as [TenantNode, TenantNode];
    const own = await joined(home, "acme", "desk");
    const other = await joined(away, "globex", "desk");
    const passed = extendedIn(await away.open("acme", "/wire/desk"));
    expect((await passed).found).toMatchObject({ id: "desk", stream: own.found.stream });
    expect(own.found.stream).not.toBe(other.found.stream);
    expect(away.tenants.get("acme")?.sessions.has("desk")).toBe(false);
  });

  test("a node that does not serve the tenant refuses the link, and the log of the other node says what to do", async () => {
    const { node } = await tenantsAtWork(walls, { nodes: 0 });
    const home = await node(["globex"]);
    const away = await node();
    await joined(home, "globex", "desk");
    home.tenants.delete("globex");
    const client = await away.open("globex", "/wire/desk");
    void client.introduce().catch(() => {});
    expect(await client.ended).toMatch(/^1013 /);
    expect(away.told()).toContain(
      "it does not serve the client's tenant: name the same tenants at all nodes",
    );
  });
});

/** A client that has introduced itself, and where it is. */
const extendedIn = async (client: TenantClient) => ({ found: attached(await client.introduce()) });
