import { cpSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inPostgres } from "../../postgres/test/in-postgres.js";
import {
  decisionsIn,
  foundSessions,
  isKeptSession,
  keepIn,
  type ServerOptions,
  sessionFolder,
  type UnfinishedSession,
} from "../src/index.js";
import { detailedLog, temporaryFolder } from "./journal-folder.js";
import { MemoryStore } from "./memory-store.js";

/** The work directory of all that is kept here. */
export const WORK_DIR = "/work";

type Soon<T> = T | Promise<T>;

/** Kept sessions and the way to look at them, whatever keeps them. */
export interface StoreAtWork {
  /** The options of a server that is a further process at the store: each server has its own. */
  options(): Partial<ServerOptions>;
  /** The lines of a session's journal. */
  lines(id: string): Soon<string[]>;
  /** Changes them by hand, while no process has the session. */
  change(id: string, lines: readonly string[]): Soon<void>;
  /** Has the last record of a session made at a time, in milliseconds since 1970, while no process has it. */
  setActive(id: string, at: number): Soon<void>;
  /** The list of what is open in a session; undefined where nothing is. */
  open(id: string): Soon<UnfinishedSession | undefined>;
  /** All that is left when the processes are killed. Those that go on change nothing of it. */
  afterCrash(): StoreAtWork;
}

/** The stores on which all that is kept is tested. */
export const stores: readonly (readonly [name: string, make: () => StoreAtWork])[] = [
  ["on disk", () => diskStore(temporaryFolder())],
  ["in a store", () => inMemory(new MemoryStore())],
  ["in PostgreSQL", () => inPostgres(WORK_DIR)],
];

/** A process that crashes is left alone, and the next one opens a copy of what it had written. */
function diskStore(share: string): StoreAtWork {
  const place = { share, workDir: WORK_DIR };
  const folder = (id: string) => sessionFolder({ ...place, id });
  const journal = (id: string) => join(folder(id), "wire.jsonl");
  return {
    options: () => ({
      workDir: WORK_DIR,
      keep: keepIn({ ...place, log: detailedLog() }),
      isKept: (id) => isKeptSession({ ...place, id }),
      unfinished: () => foundSessions({ share, unfinished: true }),
      decisions: decisionsIn(place),
      keptSessions: (after) => foundSessions({ ...place, newestFirst: true, after }),
    }),
    lines: (id) =>
      readFileSync(journal(id), "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    change: (id, lines) => writeFileSync(journal(id), lines.map((line) => `${line}\n`).join("")),
    setActive: (id, at) => utimesSync(journal(id), at / 1_000, at / 1_000),
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
  options: () => ({ workDir: WORK_DIR, store: store.process() }),
  lines: (id) => [...store.rows(id).lines],
  change: (id, lines) => store.change(id, { lines }),
  setActive: (id, activeAt) => store.change(id, { activeAt }),
  open: (id) => store.rows(id).open ?? undefined,
  afterCrash: () => inMemory(store.afterCrash()),
});
