import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Principal } from "@askwire/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addGrant, removeGrants, servedGrants } from "../../src/reach/kept-grants.js";
import { folderWith } from "../askwire.js";

const ann: Principal = { id: "Ann", name: "Ann", via: "token" };
const payments = { role: "payments", may: "answer" } as const;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** The roles of a folder, in which Ann answers for payments, as a server that runs has them. */
async function served() {
  const folder = join(await folderWith(), "grants");
  addGrant(folder, { name: "Ann", ...payments });
  const told: string[] = [];
  const roles = servedGrants(folder, { error: (_details, message) => void told.push(message) });
  let changes = 0;
  const stop = roles.watch?.(() => {
    changes += 1;
  });
  return {
    ...{ folder, told, stop },
    ofAnn: () => roles.of(ann),
    changes: () => changes,
    look: () => vi.advanceTimersByTime(1_000),
  };
}

test("a folder of roles that can no longer be read ends the server, takes roles away, or is not told once with its path", async () => {
  const { folder, told, ofAnn, changes, look } = await served();
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, "no folder");
  for (let looks = 0; looks < 3; looks += 1) look();
  expect([ofAnn(), changes()]).toEqual([[payments], 0]);
  expect(told).toEqual([expect.stringContaining(`until the server can read ${folder}`)]);
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  removeGrants(folder, "Ann");
  look();
  expect([ofAnn(), changes(), told.length]).toEqual([[], 1, 1]);
});

test("a role whose file cannot be read for a time is taken away, is not told once with its path, or is not read again", async () => {
  const { folder, told, ofAnn, look } = await served();
  addGrant(folder, { name: "Ben", ...payments });
  const unread = join(folder, "0123456789abcdef.json");
  mkdirSync(unread);
  for (let looks = 0; looks < 3; looks += 1) look();
  expect(ofAnn()).toEqual([payments]);
  expect(told).toEqual([expect.stringContaining(`the role in ${unread} cannot be read`)]);
  rmSync(unread, { recursive: true });
  look();
  expect(told).toHaveLength(1);
});
