import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildExecutable, unfitNode } from "../../../../scripts/executable/build.mjs";
import { driveExecutable, driveSteps } from "../../../../scripts/executable/drive.mjs";

const own = { version: process.versions.node, path: process.execPath };
const why = await unfitNode(own);
if (why !== undefined) process.stdout.write(`no executable is tried: ${why}\n`);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-executable-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

describe("the command as a single executable (scripts/executable.mjs)", () => {
  test.skipIf(why !== undefined)(
    "an executable has its page and templates, and starts its gateway, where no Node is found",
    async () => {
      const { file } = await buildExecutable(folder, own);
      const done: string[] = [];
      await driveExecutable(file, (step) => done.push(step));
      expect(done).toEqual(driveSteps);
    },
  );

  test("a Node that is too old to become an executable is refused with the way to another", async () => {
    const old = buildExecutable(folder, { ...own, version: "20.18.3" });
    await expect(old).rejects.toThrow(
      "Node 20.18.3 is too old for an executable: name another, as in --node 24",
    );
  });

  test("a Node without a place for a program is refused with the way to another", async () => {
    const path = join(folder, "node");
    await writeFile(path, "#!/bin/sh\n");
    const shared = buildExecutable(folder, { ...own, path });
    await expect(shared).rejects.toThrow(/takes no program.*: name one of npm, as in --node 24$/);
  });
});
