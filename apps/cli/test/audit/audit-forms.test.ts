import { createServer } from "node:http";
import { expect, test } from "vitest";
import { decisionsIn } from "../../../../packages/server/src/index.js";
import { listeningExtended } from "../../../../packages/server/test/extended/extended-gateway.js";
import { decidedHome } from "./decided.js";

/** A home in which things were decided, and a server that tells it. */
async function servedHome() {
  const home = await decidedHome();
  const set = await listeningExtended([], {
    decisions: decisionsIn({ share: home.home, workDir: "/work/shop" }),
    listen: { answerToken: true },
  });
  const address = set.gateway.address(set.server.createSession());
  return { ...home, address, answering: set.gateway.answerToken ?? "" };
}

test("askwire audit --connect tells other decisions than the disk of the server has, or in another form", async () => {
  const { address, told, run } = await servedHome();
  const onDisk = await told();
  const atServer = await told("--connect", address);
  expect(atServer.length).toBeGreaterThan(5);
  expect(atServer.map((row) => ({ ...row, folder: null }))).toEqual(
    onDisk.toReversed().map((row) => ({ ...row, folder: null })),
  );
  const lines = async (...args: string[]) => (await run(...args)).stdout.split("\n").slice(0, -1);
  expect(await lines("--connect", address)).toEqual((await lines()).toReversed());
  expect(await lines("--connect", address, "--who", "ann", "--text", "red")).toHaveLength(2);
  expect(await lines("--connect", address, "--since", "2030-01-01")).toEqual([]);
});

test("askwire audit --connect reads for a token that may only answer, hangs, or ends without a next step", async () => {
  const { address, answering, run } = await servedHome();
  const refused = await run("--connect", address.replace(/#.*/, `#${answering}`));
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("this token may only answer"),
  ]);
  const plain = await listeningExtended([]);
  const untold = await run("--connect", plain.gateway.address(plain.server.createSession()));
  expect([untold.status, untold.stderr]).toEqual([1, expect.stringContaining("keeps no sessions")]);
  const nobody = createServer().listen(0);
  const { port } = nobody.address() as { port: number };
  await new Promise((closed) => nobody.close(closed));
  const away = await run("--connect", `ws://127.0.0.1:${port}/wire#${answering}`);
  expect([away.status, away.stdout]).toEqual([1, ""]);
});

test("askwire audit --text and --csv choose or print otherwise than they say", async () => {
  const { run } = await servedHome();
  const csv = await run("--csv", "--text", "DEPLOY");
  const [head, ...rows] = csv.stdout.split("\r\n").slice(0, -1);
  expect([csv.stderr, csv.status, head?.split(",").slice(0, 4)]).toEqual([
    "",
    0,
    ["at", "asked_at", "kind", "status"],
  ]);
  expect(rows).toEqual([
    expect.stringMatching(/^"20[^"]*Z","20[^"]*Z","approval","answered",.*"run deploy","approved"/),
  ]);
  expect((await run("--text", "no such words")).stdout).toBe("");
  for (const [wrong, why] of [
    [["--csv", "--json"], "print different things"],
    [["--connect", "ftp://x"], "expected ws://"],
    [["--connect", "ws://x/wire#t", "--session", "1"], "--session does not go with --connect"],
    [["--token-file", "x"], "add --connect"],
  ] as const) {
    const { status, stderr } = await run(...wrong);
    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
  }
});
