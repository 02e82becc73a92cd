import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keepIn, sessionFolder } from "../../src/index.js";
import { detailedLog, messagesOf, temporaryFolder } from "../journal-folder.js";
import { scenario } from "../scenario.js";

export const id = "11111111-1111-4111-8111-111111111111";

type Options = Parameters<typeof scenario>[1];

/**
 * A session that is kept in a folder, and the processes that open it. A process that crashes is left alone, and the
 * next one opens a copy of what it had written: all that a process leaves behind when it is killed.
 */
export function keptSession(options: Options = {}) {
  let share = temporaryFolder();
  const place = () => ({ share, workDir: "/work" });
  const folder = () => sessionFolder({ ...place(), id });
  return {
    folder,
    /** The records of the journal so far. */
    records: () => messagesOf(folder()),
    /** The next process; the one before it has crashed or ended. */
    start(scripts: readonly string[], more: Options = {}) {
      const copy = temporaryFolder();
      cpSync(share, copy, { recursive: true });
      share = copy;
      rmSync(join(folder(), "lock"), { force: true });
      const set = scenario(scripts, {
        keep: keepIn({ ...place(), log: detailedLog() }),
        ...options,
        ...more,
      });
      return { ...set, folder: folder() };
    },
  };
}
