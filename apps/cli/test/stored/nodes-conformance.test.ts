import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../../../scripts/free-port.js";
import { askwire, startServe } from "../askwire.js";
import { placeWithDatabase } from "./in-database.js";

test("three processes on one database fail a check of askwire conformance cluster", async () => {
  const { cwd, env, store } = await placeWithDatabase();
  for (const name of ["token", "link"]) {
    await writeFile(join(cwd, name), `${name}-${"x".repeat(40)}\n`);
    await chmod(join(cwd, name), 0o600);
  }
  const addresses = await Promise.all(
    [1, 2, 3].map(async () => {
      const port = String(await freePort());
      const address = `ws://127.0.0.1:${port}`;
      const node = ["--node-address", address, "--link-secret-file", "link", "--token-file", "token"];
      await startServe(["--script", "say.json", ...store, ...node], { cwd, env, port });
      return address;
    }),
  );
  const run = await askwire(["conformance", "cluster", "--token-file", "token", ...addresses], { cwd });
  expect(run.stdout).toMatch(/: 12 passed, 0 failed, 0 skipped \(/);
  expect(run.status).toBe(0);
});
