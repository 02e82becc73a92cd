import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

const keeperFile = fileURLToPath(new URL("../../scripts/postgres-keeper.mjs", import.meta.url));

/** An engine of PostgreSQL for a measure, which ends with the process. @typedef {{ url: string, db: pg.Pool, close: () => Promise<void> }} Engine */
/** The tables of a store. @typedef {{ connectionString: string, schema: string }} Place */

/** @returns {Promise<Engine>} */
export async function startEngine() {
  const folder = mkdtempSync(join(tmpdir(), "askwire-bench-postgres-"));
  const keeper = fork(keeperFile, [folder, String(process.pid)]);
  while (!existsSync(join(folder, "engine.json"))) {
    if (existsSync(join(folder, "failed.txt")))
      throw new Error(readFileSync(join(folder, "failed.txt"), "utf8"));
    await wait(50);
  }
  const { port } = JSON.parse(readFileSync(join(folder, "engine.json"), "utf8"));
  const url = `postgres://askwire@127.0.0.1:${port}/postgres`;
  const db = new pg.Pool({ connectionString: url, max: 1 });
  await db.query("alter database postgres set track_functions = 'pl'");
  const close = async () => {
    await db.end();
    keeper.disconnect();
  };
  return { url, db, close };
}

/** A schema that nobody has used. @type {(engine: Engine) => Place} */
export const freshPlace = ({ url }) => ({
  connectionString: url,
  schema: `bench_${randomUUID().replaceAll("-", "")}`,
});
