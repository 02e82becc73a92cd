import { LocalError } from "@askwire/protocol";
import type pg from "pg";
import { onTestFinished } from "vitest";
import { sharedEngine } from "../../../scripts/postgres-engine.js";
import type { SessionStore, StoredSession } from "../../server/src/index.js";
import { detailedLog } from "../../server/test/journal-folder.js";
import type { StoreAtWork } from "../../server/test/stores.js";
import { postgresStore } from "../src/index.js";
import { administrator, freshSchema } from "./at-work.js";

/** A schema of the shared engine, and the way to it. */
interface Place {
  readonly workDir: string;
  readonly schema: string;
  /** Statements beside the processes. */
  db(): Promise<pg.Pool>;
  /** Resolved once the engine knows that the processes before these are dead. */
  readonly earlier: Promise<unknown>;
}

/** Sessions in a schema of their own of a real engine, whose processes can be killed. */
export function inPostgres(workDir: string): StoreAtWork {
  let made: Promise<pg.Pool> | undefined;
  const db = () => {
    made ??= administrator();
    return made;
  };
  return storeAtPlace({ workDir, schema: freshSchema(), db, earlier: Promise.resolve() });
}

function storeAtPlace(place: Place): StoreAtWork {
  const { workDir, schema, db, earlier } = place;
  const processes: MortalStore[] = [];
  async function rows(text: string, values: readonly unknown[]) {
    await earlier;
    return (await (await db()).query(text.replaceAll("$schema", schema), [...values])).rows;
  }
  return {
    options() {
      const process = new MortalStore(`postgres#${schema}`, async () => {
        await earlier;
        const { url: connectionString } = await sharedEngine();
        // So long that no test sees its end: a lease ends by hand.
        return postgresStore({ connectionString, schema, leaseMs: 600_000, log: detailedLog() });
      });
      processes.push(process);
      onTestFinished(() => process.end());
      return { workDir, store: process };
    },
    async lines(id) {
      const text = "select text from $schema.line join $schema.session on key = session where id = $1";
      return (await rows(`${text} order by number`, [id])).map((row) => row.text);
    },
    async change(id, lines) {
      await rows("delete from $schema.line where session = (select key from $schema.session where id = $1)", [
        id,
      ]);
      const text = `with changed as (
        update $schema.session set lines = cardinality($2::text[]) where id = $1 returning key, generation
      ) insert into $schema.line (session, number, generation, text)
      select key, n - 1, generation, line from changed, unnest($2::text[]) with ordinality as given(line, n)`;
      await rows(text, [id, lines]);
    },
    async setActive(id, at) {
      await rows("update $schema.session set active_ms = $2 where id = $1", [id, at]);
    },
    async open(id) {
      const [row] = await rows("select open from $schema.session where id = $1", [id]);
      return row?.open == null ? undefined : JSON.parse(row.open);
    },
    afterCrash() {
      const killed = Promise.all(processes.map((process) => process.kill()));
      return storeAtPlace({
        ...place,
        earlier: killed.then(async (begun) => {
          if (!begun.includes(true)) return;
          // A commit that was under way is kept before this statement, or never.
          await rows(
            "update $schema.session set owner = 'a process that was killed' where owner is not null",
            [],
          );
          await rows("delete from $schema.node", []);
        }),
      });
    },
  };
}

/**
 * The store of a process that begins with its first call, and has no reply to anything once it is killed. With the test all
 * that waits for one is over, so that no killed process tries again for ever beside other tests.
 */
class MortalStore implements SessionStore {
  readonly name: string;
  readonly #begin: () => Promise<SessionStore>;
  #store: Promise<SessionStore> | undefined;
  #isKilled = false;
  #isOver = false;
  /** Ends the calls without a reply, each. */
  readonly #unreplied = new Set<() => void>();

  constructor(name: string, begin: () => Promise<SessionStore>) {
    this.name = name;
    this.#begin = begin;
  }

  take(id: string, workDir?: string): Promise<StoredSession> {
    return this.#asked(async (store) => {
      const session = await store.take(id, workDir);
      const { name, generation, count, history } = session;
      return {
        ...{ name, generation, count, history },
        commit: (commit) => this.#asked(() => session.commit(commit)),
        read: (from, end) => session.read(from, end),
        release: () => this.#asked(() => session.release()),
      };
    });
  }

  find(id: string): ReturnType<SessionStore["find"]> {
    return this.#asked((store) => store.find(id));
  }

  list(query: Parameters<SessionStore["list"]>[0]): ReturnType<SessionStore["list"]> {
    return this.#asked((store) => store.list(query));
  }

  decisions(...asked: Parameters<NonNullable<SessionStore["decisions"]>>) {
    return this.#asked((store) => (store as Required<SessionStore>).decisions(...asked));
  }

  remove(id: string): Promise<void> {
    return this.#asked((store) => store.remove(id));
  }

  close(): Promise<void> {
    return this.#store === undefined ? Promise.resolve() : this.#asked((store) => store.close());
  }

  /** Kills the process. Resolves with true where it had begun. */
  async kill(): Promise<boolean> {
    this.#isKilled = true;
    await this.#store;
    return this.#store !== undefined;
  }

  /** Frees what a process has, however it ended. */
  async end(): Promise<void> {
    this.#isKilled = true;
    this.#isOver = true;
    for (const end of this.#unreplied) end();
    await (await this.#store)?.close();
  }

  #asked<T>(call: (store: SessionStore) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => reject(new LocalError("CLOSED", `${this.name}: its process is dead`));
      if (this.#isOver) return end();
      this.#unreplied.add(end);
      if (this.#isKilled) return;
      const replied = (reply: () => void) => {
        if (!this.#isKilled && this.#unreplied.delete(end)) reply();
      };
      this.#store ??= this.#begin();
      this.#store.then(call).then(
        (value) => replied(() => resolve(value)),
        (error) => replied(() => reject(error)),
      );
    });
  }
}
