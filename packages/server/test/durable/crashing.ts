import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { keepIn, sessionFolder } from "../../src/index.js";
import { meetExtended } from "../extended/extended-client.js";
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
  /** The next process; the one before it has crashed or ended. */
  function start(scripts: readonly string[], more: Options = {}) {
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
  }
  /** The next process, which ends in good order with the test. */
  function startLast(...given: Parameters<typeof start>) {
    const last = start(...given);
    onTestFinished(() => last.server.close());
    return last;
  }
  return {
    folder,
    start,
    /** The records of the journal so far. */
    records: () => messagesOf(folder()),
    /** A process that crashes once a base client has seen a message of this type. */
    async crashAt(type: string, ...given: Parameters<typeof start>) {
      const set = start(...given);
      const { client: before } = await set.meet({ sessionId: id });
      return { ...set, before, ...(await before.begin(type)) };
    },
    /** A process that crashes once a client of the extended profile has been asked in a turn of this prompt. */
    async crashAtExtended(type: string, said: object, ...given: Parameters<typeof start>) {
      const { client: before } = await meetExtended(start(...given), { sessionId: id });
      void before.call("prompt", { user_input: "go", ...said });
      return { before, asked: await before.asked(type) };
    },
    /** The last process, with a base client. */
    async meet(...given: Parameters<typeof start>) {
      const last = startLast(...given);
      return { ...last, ...(await last.meet({ sessionId: id })) };
    },
    /** The last process, with a client of the extended profile. */
    async meetExtended(...given: Parameters<typeof start>) {
      const last = startLast(...given);
      return { ...last, ...(await meetExtended(last, { sessionId: id })) };
    },
  };
}
