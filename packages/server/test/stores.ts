import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Keep, keepIn, sessionFolder } from "../src/index.js";
import type { UnfinishedSession } from "../src/journal/open-requests.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";
import { MemoryStore } from "./memory-store.js";

/** Kept sessions and the way to look at them, whatever keeps them. */
export interface StoreAtWork {
  /** Opens the sessions for one process. */
  readonly keep: Keep;
  /** The lines of a session's journal. */
  lines(id: string): string[];
  /** Changes them by hand. */
  change(id: string, lines: readonly string[]): void;
  /** The list of what is open in a session; undefined where nothing is. */
  open(id: string): UnfinishedSession | undefined;
  /** All that is left when the process is killed. */
  afterCrash(): StoreAtWork;
}

/** The stores on which all that is kept is tested. */
export const stores: readonly (readonly [string, () => StoreAtWork])[] = [
  ["on disk", () => diskStore(temporaryFolder())],
  ["in a store", () => inMemory(new MemoryStore())],
];

/** A process that crashes is left alone, and the next one opens a copy of what it had written. */
function diskStore(share: string): StoreAtWork {
  const folder = (id: string) => sessionFolder({ share, workDir: "/work", id });
  const journal = (id: string) => join(folder(id), "wire.jsonl");
  return {
    keep: keepIn({ share, workDir: "/work", log: detailedLog() }),
    lines: (id) =>
      readFileSync(journal(id), "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    change: (id, lines) => writeFileSync(journal(id), lines.map((line) => `${line}\n`).join("")),
    open(id) {
      const file = join(folder(id), "open.json");
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    },
    afterCrash() {
      const copy = temporaryFolder();
      cpSync(share, copy, { recursive: true, filter: (from) => !from.endsWith("/lock") });
      return diskStore(copy);
    },
  };
}

const inMemory = (store: MemoryStore): StoreAtWork => ({
  keep: store.keep({ log: detailedLog() }),
  lines: (id) => [...store.rows(id).lines],
  change: (id, lines) => store.change(id, { lines }),
  open: (id) => store.rows(id).open ?? undefined,
  afterCrash: () => inMemory(store.afterCrash()),
});
