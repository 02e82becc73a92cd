import pg from "pg";
import { onTestFinished } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import type { StoredCommit, StoredSession } from "../../server/src/index.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import { type PostgresStoreOptions, postgresStore } from "../src/index.js";

/** The name of a schema that no other test uses. */
export const freshSchema = () => `t_${crypto.randomUUID().replaceAll("-", "")}`;

/** A store of the shared engine, with a log that is kept; closed with the test. */
export async function storeAt(options: PostgresStoreOptions = {}) {
  const log = detailedLog();
  const connectionString = options.connectionString ?? (await sharedEngine()).url;
  const store = await postgresStore({ schema: freshSchema(), log, ...options, connectionString });
  onTestFinished(() => store.close());
  return Object.assign(store, { told: log.told });
}

/** Statements beside the store, by a user who may do all. */
export async function administrator(url?: string) {
  const pool = new pg.Pool({ connectionString: url ?? (await sharedEngine()).url, max: 2 });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  return pool;
}

/** A commit of lines, and of what a test says otherwise. */
export const commitOf = (
  nth: number,
  lines: readonly string[],
  more: Partial<StoredCommit> = {},
): StoredCommit => ({
  ...{ nth, lines, history: { replaces: false, lines: [] }, open: undefined, isAwaited: true },
  ...more,
});

/** All lines from one number on. */
export async function linesOf(session: StoredSession, from = 0, end = session.count): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of session.read(from, end)) lines.push(line);
  return lines;
}
