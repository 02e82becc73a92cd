// Another kind of file under the name of a journal: opening it must neither hang nor lead elsewhere.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { foundSessions, keepIn } from "../src/index.js";
import { lockHolder, nodeDisk } from "../src/internal.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";

const kinds: Readonly<Record<string, (path: string) => unknown>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a link to a device": (path) => symlinkSync("/dev/zero", path),
  "a link to a file outside": (path) => {
    const outside = join(temporaryFolder(), "outside.jsonl");
    writeFileSync(outside, "");
    symlinkSync(outside, path);
  },
  "a socket": (path) =>
    new Promise<void>((resolve) => {
      const server = createServer().listen(path, () => resolve());
      onTestFinished(() => void server.close());
    }),
};

test.runIf(process.platform !== "win32")(
  "a link to a plain file is followed to read, and never to write",
  () => {
    const folder = temporaryFolder();
    const [file, link] = [join(folder, "file"), join(folder, "link")];
    writeFileSync(file, "text");
    symlinkSync(file, link);
    const opened = nodeDisk.open(link, "read");
    expect(opened.size()).toBe(4);
    opened.close();
    expect(() => nodeDisk.open(link, "append")).toThrow("is no plain file but a link");
  },
);

describe.runIf(process.platform !== "win32").each(Object.entries(kinds))("%s", (_name, make) => {
  test.each(["wire.jsonl", "context.jsonl"])(
    "a file of another kind in the place of %s is refused with its path and a next step",
    async (name) => {
      const place = { share: temporaryFolder(), workDir: "/work", log: detailedLog() };
      const first = keepIn(place)("one");
      first.journal.record({ type: "TurnEnd", payload: {} });
      first.history.append([{ role: "user", content: "hi" }]);
      await first.journal.close();
      const path = join(dirname(first.journal.name), name);
      rmSync(path);
      await make(path);
      expect(() => {
        const again = keepIn(place)("one");
        again.history.load();
      }).toThrow(`${path} is no plain file but a link, a pipe, a socket, a device or a folder: move it away`);
      rmSync(path);
      // The one that failed has let go of the session.
      await expect.poll(() => lockHolder(nodeDisk, dirname(path))).toBeUndefined();
      await keepIn(place)("one").journal.close();
    },
  );

  test("a file of another kind in the place of a journal or of the list of what is open keeps no list from the others", async () => {
    const place = { share: temporaryFolder(), workDir: "/work", log: detailedLog() };
    for (const id of ["one", "two", "three"]) {
      const kept = keepIn(place)(id);
      kept.journal.record({ type: "TurnEnd", payload: {} });
      await kept.journal.close();
      if (id === "three") continue;
      const path = join(dirname(kept.journal.name), id === "one" ? "wire.jsonl" : "open.json");
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { force: true });
      await make(path);
    }
    expect([...foundSessions(place)].map(({ id }) => id)).toContain("three");
  });
});
