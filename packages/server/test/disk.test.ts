import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type Disk, keepIn, type Message } from "../src/index.js";
import { nodeDisk } from "../src/journal/disk.js";
import { detailedLog, recordsIn, temporaryFolder } from "./journal-folder.js";

/** A disk whose every path lies in a folder of this machine. */
function diskIn(folder: string): Disk {
  const at = (path: string) => join(folder, path);
  return {
    open: (file, mode) => nodeDisk.open(at(file), mode),
    stat: (path) => nodeDisk.stat(at(path)),
    rename: (from, to) => nodeDisk.rename(at(from), at(to)),
    link: (file, name) => nodeDisk.link(at(file), at(name)),
    unlink: (file) => nodeDisk.unlink(at(file)),
    mkdir: (path) => nodeDisk.mkdir(at(path)),
    rmdir: (path) => nodeDisk.rmdir(at(path)),
    syncFolder: (path) => nodeDisk.syncFolder(at(path)),
  };
}

test("a kept session is on the disk that it is given, with its lock and its history, and nowhere else", async () => {
  const folder = temporaryFolder();
  const share = "/askwire-on-another-disk";
  const options = { share, workDir: "/work", log: detailedLog(), disk: diskIn(folder) };
  const message: Message = { role: "user", content: "hi" };
  const first = keepIn(options)("one");
  first.journal.record({ type: "TurnEnd", payload: {} });
  first.history.append([message, message]);
  first.history.replace([message]);
  expect(() => keepIn(options)("one")).toThrow("in use by process");
  await first.journal.close();

  const again = keepIn(options)("one");
  expect(again.history.load()).toEqual([message]);
  const told: string[] = [];
  const target = {
    event: (type: string) => void told.push(type),
    request: () => {},
    drained: async () => {},
  };
  await again.journal.replay(target, new AbortController().signal);
  expect(told).toEqual(["TurnEnd"]);
  await again.journal.close();
  expect(existsSync(share)).toBe(false);
  expect(readdirSync(join(folder, dirname(again.journal.name))).sort()).toEqual([
    "context.jsonl",
    "wire.jsonl",
  ]);
  expect(await recordsIn(again.journal.name, { disk: diskIn(folder) })).toHaveLength(2);
});
