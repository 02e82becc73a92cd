import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServer } from "../../src/index.js";
import type { NamedToken, TrustedHeader } from "../../src/websocket.js";
import type { ExtendedSocket } from "../extended/extended-gateway.js";
import { listeningExtended } from "../extended/extended-gateway.js";
import { asks, scenario } from "../scenario.js";
import { memoryDevices } from "./memory-devices.js";

const secret = () => randomBytes(32).toString("base64url");
const proxy: TrustedHeader = {
  ...{ header: "X-Person", from: ["127.0.0.1"] },
  tenantHeader: "X-Tenant",
};

/** The refusal of codes for devices. */
const ownToken = /own token/;

/** A gateway with two tenants, in each of which one person has a token, and a third person who is of none. */
async function twoTenants({ trustHeader }: { readonly trustHeader?: TrustedHeader } = {}) {
  const people = { ann: "acme", gus: "globex", eve: "unserved", olga: undefined } as const;
  const known = new Map<string, NamedToken>();
  const how = Object.fromEntries(
    Object.entries(people).map(([name, tenant]) => {
      const token = secret();
      known.set(token, { key: name, name, tenant });
      return [name, { token }];
    }),
  ) as Record<keyof typeof people, { token: string }>;
  const [acme, globex] = [scenario([asks()], {}), scenario([asks()], {})];
  const tenants = new Map([
    ["acme", acme.server],
    ["globex", globex.server],
  ]);
  const set = await listeningExtended([asks()], {
    listen: {
      devices: { ...memoryDevices({}).devices, invite: () => undefined },
      ...{ tenants, tokens: { match: (text) => known.get(text), watchRevoked: () => () => {} } },
      ...(trustHeader !== undefined && { trustHeader }),
    },
  });
  return { ...set, ...how, tenants };
}

const ids = async (client: ExtendedSocket, method: "list_sessions" | "list_requests") => {
  const { sessions, requests } = (await client.call(method, {})).result as never as Record<
    string,
    { id?: string; session_id?: string }[]
  >;
  return (sessions ?? requests ?? []).map(({ id, session_id }) => id ?? session_id);
};

describe("the tenants of a gateway (P-TEN-1)", () => {
  test("a person finds the sessions and questions of the own tenant alone", async () => {
    const { ann, gus, olga, joinExtended } = await twoTenants();
    const [one, two, three] = [
      await joinExtended("/wire", {}, ann),
      await joinExtended("/wire", {}, gus),
      await joinExtended("/wire", {}, olga),
    ];
    for (const client of [one, two, three]) await client.begun("QuestionRequest");
    expect([await ids(one, "list_sessions"), await ids(one, "list_requests")]).toEqual([
      [one.found.id],
      [one.found.id],
    ]);
    expect(await ids(two, "list_requests")).toEqual([two.found.id]);
    expect(await ids(three, "list_requests")).toEqual([three.found.id]);
  });

  test("the address of another tenant's session is that of no session", async () => {
    const { ann, gus, gateway, joinExtended, open } = await twoTenants();
    const { found } = await joinExtended("/wire", {}, ann);
    expect(await (await open(`/wire/${found.id}`, gus)).ended).toBe("4404 there is no such session");
    expect(await (await open(`/wire/${found.id}`, { token: gateway.token })).ended).toBe(
      "4404 there is no such session",
    );
  });

  test("a session of the same id is another one in each tenant", async () => {
    const { ann, gus, tenants, joinExtended } = await twoTenants();
    for (const server of tenants.values()) server.createSession({ id: "desk", stay: true });
    const [one, two] = [await joinExtended("/wire/desk", {}, ann), await joinExtended("/wire/desk", {}, gus)];
    await one.begun("QuestionRequest");
    expect([await ids(one, "list_requests"), await ids(two, "list_requests")]).toEqual([["desk"], []]);
    expect(two.requests()).toEqual([]);
  });

  test("a token of a tenant that is not served lets nobody in, and says what to do", async () => {
    const { eve, refused } = await twoTenants();
    expect(await refused("/wire", eve)).toBe(
      "403 the tenant unserved is not served here: let the operator name it",
    );
  });

  test("a person of a tenant makes no codes for devices, which would be of none", async () => {
    const { ann, joinExtended } = await twoTenants();
    const one = await joinExtended("/wire", {}, ann);
    expect((await one.call("create_pairing_code", {})).error?.message).toMatch(ownToken);
  });

  test.each([
    [new Map([["Acme Inc", 1]]), 'tenants: "Acme Inc": expected 1 to 63 small letters'],
    [new Map([["acme", 1]]), "tenants: acme: expected a server, as createServer({ agent }) makes one"],
    [{ acme: 1 }, "tenants: expected a Map of servers by the names of tenants"],
  ])("tenants that do not fit are refused when the gateway is made: %o", async (tenants, why) => {
    await expect(listeningExtended([], { listen: { tenants: tenants as never } })).rejects.toThrow(why);
  });

  test("one server for two tenants is refused when the gateway is made", async () => {
    const server = createServer({ agent: { async run() {} } });
    onTestFinished(() => server.close());
    const tenants = new Map([
      ["acme", server],
      ["globex", server],
    ]);
    await expect(listeningExtended([], { listen: { tenants } })).rejects.toThrow(
      "tenants: globex: expected a server that no other tenant has",
    );
  });
});

describe("the tenant that a proxy says (P-TEN-3)", () => {
  const says = (tenant: string | string[] | undefined, person: string | undefined = "zoe") => ({
    token: null,
    headers: {
      ...(person !== "" && { "x-person": person }),
      ...(tenant !== undefined && { "x-tenant": tenant as never }),
    },
  });

  test("a person is in the tenant of the header, and finds nothing of another", async () => {
    const { joinExtended, tenants } = await twoTenants({ trustHeader: proxy });
    const one = await joinExtended("/wire", {}, says("acme"));
    expect(tenants.get("acme")?.sessions.has(one.found.id)).toBe(true);
    expect(await ids(await joinExtended("/wire", {}, says("globex")), "list_sessions")).not.toContain(
      one.found.id,
    );
  });

  test.each([
    ["not at all", undefined, "the header x-tenant is missing: send the person's tenant"],
    ["twice", ["acme", "globex"], "the header x-tenant was sent 2 times: send one"],
    ["as no name", "../acme", "the header x-tenant: expected 1 to 63 small letters"],
    ["in capitals", "ACME", "the header x-tenant: expected 1 to 63 small letters"],
    ["empty", "", "the header x-tenant: expected 1 to 63 small letters"],
    ["of nobody", "initech", "the tenant initech is not served here: let the operator name it"],
  ])("a person whose tenant is sent %s is refused with the reason", async (_, tenant, why) => {
    const { refused } = await twoTenants({ trustHeader: proxy });
    expect(await refused("/wire", says(tenant as never))).toMatch(new RegExp(`^403 ${why}`));
  });

  test("a token is of its own tenant, whatever the proxy says", async () => {
    const { ann, olga, refused, joinExtended, tenants } = await twoTenants({ trustHeader: proxy });
    const why = "403 the token is of another tenant than the proxy says: use one of that tenant";
    expect(await refused("/wire", { ...says("globex"), ...ann })).toBe(why);
    expect(await refused("/wire", { ...says("globex", ""), ...olga })).toBe(why);
    const one = await joinExtended("/wire", {}, { ...says("acme"), ...ann });
    expect(tenants.get("acme")?.sessions.has(one.found.id)).toBe(true);
  });

  test("the server's own token goes into the tenant that the proxy says, without rights over its devices", async () => {
    const { gateway, joinExtended, tenants } = await twoTenants({ trustHeader: proxy });
    const one = await joinExtended("/wire", {}, { ...says("acme", ""), token: gateway.token });
    expect(tenants.get("acme")?.sessions.has(one.found.id)).toBe(true);
    expect((await one.call("create_pairing_code", {})).error?.message).toMatch(ownToken);
  });

  test("the header of a stranger puts nobody into a tenant", async () => {
    const trustHeader = { ...proxy, from: ["10.0.0.1"] };
    const { gateway, server, olga, joinExtended } = await twoTenants({ trustHeader });
    for (const token of [gateway.token, olga.token]) {
      const one = await joinExtended("/wire", {}, { ...says("acme"), token });
      expect(server.sessions.has(one.found.id)).toBe(true);
    }
  });

  test.each([
    [{ tenantHeader: "cookie" }, "trustHeader: tenantHeader: expected the name of a header of your proxy"],
    [
      { tenantHeader: "x-PERSON" },
      "trustHeader: tenantHeader: expected another header than those of the person and the groups",
    ],
  ])("a header that can say no tenant is refused when the gateway is made: %o", async (more, why) => {
    await expect(twoTenants({ trustHeader: { ...proxy, ...more } })).rejects.toThrow(why);
  });
});
