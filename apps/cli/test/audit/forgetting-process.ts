// Takes the words of a person out of a journal as `askwire audit forget` does, and is killed before one of the changes of a file.
// Tests bundle it. Arguments: the folder of the session, the person, and the number of the change.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import { forgetPerson } from "../../../../packages/server/src/internal.js";

const [folder = "", who = "", point] = process.argv.slice(2);
let left = Number(point);

const changes = [
  "openSync",
  "writeSync",
  "fsyncSync",
  "renameSync",
  "rmSync",
  "futimesSync",
  "fchmodSync",
  "closeSync",
] as const;
for (const name of [...changes, "linkSync", "unlinkSync"] as const) {
  const real = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

forgetPerson({ id: "s", folder }, who);
