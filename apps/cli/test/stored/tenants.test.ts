import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { answeredAt, askedAt, placeWithDatabase } from "./in-database.js";

const TENANTS = ["--tenant", "acme", "globex"];

/** A server with two tenants, and the addresses of a person in each. */
async function servedTenants(...args: string[]) {
  const place = await placeWithDatabase();
  const served = await place.serve(...args, ...TENANTS);
  const { origin } = new URL(served.address);
  const run = (...words: string[]) => askwire(words, { cwd: place.cwd, env: place.env });
  const addressOf = async (name: string, tenant: string) =>
    `${origin}/wire#${(await run("tokens", "add", name, "--tenant", tenant)).stdout.trim()}`;
  return {
    ...place,
    served,
    run,
    ann: await addressOf("Ann", "acme"),
    gus: await addressOf("Ann", "globex"),
  };
}

const waitingAt = async (address: string) => {
  const session = await connectWebSocket(address, { handlers: {}, onProblem: () => {}, reconnect: false });
  onTestFinished(() => session.close().catch(() => {}));
  return (await session.listRequests()).requests.map(({ session_id: id }) => id);
};

test("a question of one tenant's person is found in that tenant alone, on the wire and by each command (P-TEN-2)", async () => {
  const place = await placeWithDatabase();
  const { ann, gus, served, run } = await servedTenants(...place.store);
  await askedAt(ann);
  const [id = ""] = await waitingAt(ann);
  expect(id).not.toBe("");
  expect(await waitingAt(gus)).toEqual([]);
  expect(await waitingAt(served.address)).toEqual([]);
  const at = ann.replace("/wire#", `/wire/${id}#`);
  await expect(waitingAt(gus.replace("/wire#", `/wire/${id}#`))).rejects.toThrow(
    "the server has no such session",
  );
  expect((await answeredAt(at)).length).toBe(1);
  served.child.kill("SIGTERM");
  await served.ended;
  const inTenant = async (...words: string[]) => (await run(...words, ...place.store)).stdout;
  expect(await inTenant("sessions", "--all", "--json", "--tenant", "acme")).toContain(id);
  expect(await inTenant("sessions", "--all", "--json", "--tenant", "globex")).toBe("");
  expect(await inTenant("sessions", "--all", "--json")).not.toContain(id);
  expect(await inTenant("audit", "--json", "--tenant", "acme")).toContain(id);
  expect(await inTenant("audit", "--json", "--tenant", "globex")).toBe("");
  expect(await inTenant("audit", "--json")).toBe("");
});

test("tenants on the disk have a home each, which commands read as any", async () => {
  const { ann, gus, home, served, run, cwd, env } = await servedTenants();
  await askedAt(ann);
  expect(await waitingAt(gus)).toEqual([]);
  const [id = ""] = await waitingAt(ann);
  served.child.kill("SIGTERM");
  await served.ended;
  const theirs = join(home, "tenants", "acme");
  expect(await readdir(join(home, "tenants"))).toEqual(["acme", "globex"]);
  const how = { cwd, env: { ...env, ASKWIRE_HOME: theirs } };
  expect((await askwire(["sessions", "--json"], how)).stdout).toContain(id);
  expect((await run("sessions", "--json")).stdout).not.toContain(id);
  const { stderr, status } = await run("sessions", "--tenant", "acme");
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(`set ASKWIRE_HOME=${theirs}, or add --store`),
  ]);
});

test("a name is another person's in each tenant: in lists, and where a token is revoked", async () => {
  const env = { ASKWIRE_HOME: await folderWith() };
  const run = async (...words: string[]) => askwire(["tokens", ...words], { env });
  for (const more of [[], ["--tenant", "acme"], ["--tenant", "globex"]])
    expect((await run("add", "Ann", ...more)).status).toBe(0);
  expect((await run("list", "--json")).stdout.match(/"tenant":"\w+"|"name":"Ann","role"/g)).toEqual([
    ...['"name":"Ann","role"', '"tenant":"acme"', '"tenant":"globex"'],
  ]);
  expect((await run("revoke", "Ann", "--tenant", "acme")).status).toBe(0);
  expect((await run("list")).stdout).toMatch(/^Ann {2}made .*\nAnn {2}of globex, made .*\n$/);
  expect((await run("rotate", "Ann", "--tenant", "acme")).stderr).toContain(
    "nobody of this name in acme has a token",
  );
  expect((await run("add", "Bob", "--tenant", "Acme Inc")).stderr).toContain(
    "--tenant Acme Inc: expected 1 to 63 small letters",
  );
});

test.each([
  [["--tenant-header", "X-Tenant"], "--tenant-header: add --trust-header and --trust-from"],
  [
    ["--tenant-header", "X-Tenant", "--trust-header", "X-Who", "--trust-from", "10.0.0.1"],
    "--tenant-header: add --tenant with the names of the tenants",
  ],
  [["--tenant", "Acme"], "--tenant Acme: expected 1 to 63 small letters"],
])("askwire serve says in one line what is missing of tenants, for %j", async (args, words) => {
  const { status, stderr } = await askwire(["serve", "--listen", "127.0.0.1:0", ...args]);
  expect([status, stderr]).toEqual([2, expect.stringContaining(words)]);
});
