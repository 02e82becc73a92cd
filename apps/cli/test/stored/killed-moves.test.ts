import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionFolder } from "@askwire/server";
import { readMovedMark } from "@askwire/server/internal";
import { expect, test } from "vitest";
import { bundleProgram } from "../../../../packages/conformance-tests/test/servers/bundle.js";
import { storeAt } from "../../../../packages/postgres/test/at-work.js";
import { sharedEngine } from "../../../../scripts/postgres-engine.js";
import { moveToDisk, moveToStore } from "../../src/stored/session-move.js";
import { folderWith } from "../askwire.js";
import { placeWithDatabase } from "./in-database.js";

const line = (type: string, payload: object) =>
  JSON.stringify({ timestamp: 1_700_000_000, message: { type, payload } });
const journal = [
  '{"type": "metadata", "protocol_version": "1.10"}',
  line("SessionOpened", { generation: 1, process: 1, version: 1 }),
  line("TurnBegin", { user_input: "hello" }),
  line("TurnEnd", {}),
];
const history = ['{"role":"user","content":"hello"}'];

/** A session on the disk and a program that moves it, which dies at a point of the way. */
async function mortalMoves() {
  const place = await placeWithDatabase();
  const share = await folderWith();
  const program = await bundleProgram(share, new URL("moving-process.ts", import.meta.url));
  const { url } = await sharedEngine();
  const folderOf = (id: string) => sessionFolder({ share, workDir: place.cwd, id });
  const inStore = async (table: string, id: string) =>
    (
      await place.rows(
        `select text from $schema.${table} join $schema.session on key = session where id = '${id}' order by number`,
      )
    ).map(({ text }) => text);
  const onDisk = async (id: string, name: string) =>
    (await readFile(join(folderOf(id), name), "utf8")).split("\n").slice(0, -1);
  const store = await storeAt({ schema: place.schema });
  return {
    /** A move of a process of its own that is killed at a point. True where it came to its end before. */
    async killed(direction: "in" | "out", id: string, point: number): Promise<boolean> {
      const args = [direction, url, place.schema, id, share, place.cwd, String(point)];
      const child = fork(program, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      const [status, signal] = await once(child, "exit");
      if (signal === "SIGKILL") await place.endLeases();
      else expect(status).toBe(0);
      return signal !== "SIGKILL";
    },
    /** Runs the move once more, and lets it end. */
    whole: (direction: "in" | "out", id: string) =>
      (direction === "in" ? moveToStore : moveToDisk)({
        ...{ id, folder: folderOf(id), workDir: place.cwd, store },
        ...{ address: url, schema: place.schema },
      }),
    async make(id: string): Promise<void> {
      await mkdir(folderOf(id), { recursive: true });
      for (const [name, lines] of [["wire.jsonl", journal] as const, ["context.jsonl", history] as const])
        await writeFile(join(folderOf(id), name), lines.map((one) => `${one}\n`).join(""));
    },
    /** The places that would open a session now. */
    async openedBy(id: string): Promise<string[]> {
      const state = existsSync(folderOf(id)) ? readMovedMark(folderOf(id))?.state : undefined;
      const isHere = existsSync(join(folderOf(id), "wire.jsonl")) && (state ?? "here") === "here";
      const isThere = (await inStore("line", id)).length > 0;
      return [...(isHere ? ["disk"] : []), ...(isThere ? ["store"] : [])];
    },
    contents: {
      disk: async (id: string) => [await onDisk(id, "wire.jsonl"), await onDisk(id, "context.jsonl")],
      store: async (id: string) => [await inStore("line", id), await inStore("history", id)],
    },
  };
}

test.each([
  ["in", "disk", "store"],
  ["out", "store", "disk"],
] as const)(
  "a move %s that is killed at any of its points leaves one place at most that opens the session, and is finished by the same move",
  async (direction, from, to) => {
    const moves = await mortalMoves();
    const step = process.env.ASKWIRE_CRASHES === "all" ? 1 : 2;
    let point = 1;
    for (let isWhole = false; !isWhole; point += step) {
      const id = `killed-at-${point}`;
      await moves.make(id);
      if (from === "store") await moves.whole("in", id);
      expect(await moves.openedBy(id)).toEqual([from]);
      isWhole = await moves.killed(direction, id, point);
      const between = await moves.openedBy(id);
      expect(between.length, `point ${point}: ${between}`).toBeLessThanOrEqual(1);
      await moves.whole(direction, id);
      expect(await moves.openedBy(id)).toEqual([to]);
      expect(await moves.contents[to](id)).toEqual([journal, history]);
    }
    expect(point).toBeGreaterThan(10);
  },
);
