import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionFolder } from "@askwire/server";
import { readMovedMark, writeMovedMark } from "@askwire/server/internal";
import { expect, test } from "vitest";
import { bundleProgram } from "../../../../packages/conformance-tests/test/servers/bundle.js";
import type { MovingStore } from "../../../../packages/postgres/src/index.js";
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
  /** The number of connections of this schema's moves that wait for a lock in the engine. */
  const waiting = async (statement: string) =>
    (
      await place.rows(`select pid from pg_stat_activity where datname = current_database()
        and application_name = 'askwire' and wait_event_type = 'Lock' and query ~* '${statement}'`)
    ).length;
  return {
    waiting,
    /** A process that has taken a session to bring it here, and has not given it away yet, when its lease ends. */
    async fetching(id: string): Promise<MovingStore> {
      const other = await storeAt({ schema: place.schema, leaseMs: 600_000 });
      await other.take(id);
      writeMovedMark(folderOf(id), {
        ...{ state: "coming", move: "late", store: url, schema: place.schema, name: other.name, why: "" },
      });
      await place.endLeases();
      return other;
    },
    /** Kills a move while the engine works at its last step, which ends once the function that this gives is called. */
    async killedAtCommit(direction: "in" | "out", id: string): Promise<() => Promise<void>> {
      const { schema, db } = place;
      await db.query(`create function ${schema}.hold() returns trigger language plpgsql as $$ begin
        perform set_config('lock_timeout', '0', true);
        perform pg_advisory_xact_lock(hashtext('${schema}'), 1);
        return null;
      end $$`);
      await db.query(`create constraint trigger hold after update on ${schema}.session deferrable initially deferred
        for each row when (old.lines <> new.lines) execute function ${schema}.hold()`);
      const holder = await db.connect();
      await holder.query(`select pg_advisory_lock(hashtext('${schema}'), 1)`);
      const child = fork(program, [direction, url, schema, id, share, place.cwd, "0"], { stdio: "ignore" });
      const [last] = direction === "in" ? ["^commit"] : [`${schema}.*give_away`];
      await expect.poll(() => waiting(last)).toBe(1);
      child.kill("SIGKILL");
      await once(child, "exit");
      await place.endLeases();
      return async () => {
        await holder.query(`select pg_advisory_unlock(hashtext('${schema}'), 1)`);
        holder.release();
        await expect.poll(() => waiting(last)).toBe(0);
      };
    },
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

test("the way back of a move that was killed while the engine works at its commit waits for that, and leaves the session in one place", async () => {
  const moves = await mortalMoves();
  await moves.make("s");
  const release = await moves.killedAtCommit("in", "s");
  const back = moves.whole("out", "s");
  await Promise.race([back, expect.poll(() => moves.waiting("move_of")).toBe(1)]);
  await release();
  await back;
  expect(await moves.openedBy("s")).toEqual(["disk"]);
  expect(await moves.contents.disk("s")).toEqual([journal, history]);
});

test("a giving away that the engine still works at is waited for by who moves the session the other way", async () => {
  const moves = await mortalMoves();
  await moves.make("s");
  await moves.whole("in", "s");
  const release = await moves.killedAtCommit("out", "s");
  const again = moves.whole("in", "s").catch((error: Error) => error.message);
  await Promise.race([again, expect.poll(() => moves.waiting("move_of")).toBe(1)]);
  await release();
  expect(await again).toMatch(
    /the move of session s from .* was cut off: run askwire sessions move s --store disk/,
  );
  expect(await moves.openedBy("s")).toEqual([]);
  await moves.whole("out", "s");
  expect(await moves.openedBy("s")).toEqual(["disk"]);
  expect(await moves.contents.disk("s")).toEqual([journal, history]);
});

test("a giving away that the engine has not even begun changes nothing once the session was moved the other way", async () => {
  const moves = await mortalMoves();
  await moves.make("s");
  await moves.whole("in", "s");
  const late = await moves.fetching("s");
  expect(await moves.whole("in", "s")).toBe(false);
  await expect(late.giveAway("s", { move: "late", movedTo: "here" })).rejects.toMatchObject({
    code: "CLOSED",
  });
  expect(await moves.openedBy("s")).toEqual(["store"]);
});
