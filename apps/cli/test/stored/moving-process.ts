// Moves a session as `askwire sessions move` does, and is killed at one of the points of that: before or after a call of the
// store, or a change of a file. Tests bundle it. Arguments: the direction, the address of the engine, the schema, the
// id, the share folder, the work folder, and the number of the point.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { sessionFolder } from "@askwire/server";
import { type MovingStore, postgresStore } from "../../../../packages/postgres/src/index.js";
import { moveToDisk, moveToStore } from "../../src/stored/session-move.js";

const [direction, address = "", schema = "", id = "", share = "", workDir = "", point] =
  process.argv.slice(2);
let left = Number(point);

/** One of the points at which the process may be killed. */
function mayDie(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

for (const name of ["openSync", "fsyncSync", "renameSync", "rmSync"] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      mayDie();
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

/** A store whose calls have a point before and behind each. */
function mortal(store: MovingStore): MovingStore {
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    mayDie();
    const result = await call();
    mayDie();
    return result;
  };
  return {
    name: store.name,
    take: (...args) => around(() => store.take(...args)),
    find: (...args) => around(() => store.find(...args)),
    list: (...args) => around(() => store.list(...args)),
    remove: (...args) => around(() => store.remove(...args)),
    bring: (...args) => around(() => store.bring(...args)),
    giveAway: (...args) => around(() => store.giveAway(...args)),
    moveOf: (...args) => around(() => store.moveOf(...args)),
    close: () => store.close(),
  };
}

const store = mortal(await postgresStore({ connectionString: address, schema }));
const folder = sessionFolder({ share, workDir, id });
await (direction === "in" ? moveToStore : moveToDisk)({ id, folder, workDir, address, schema, store });
await store.close();
