import { onTestFinished } from "vitest";
import { meetExtended } from "../extended/extended-client.js";
import { messagesIn } from "../journal-folder.js";
import { scenario } from "../scenario.js";
import type { StoreAtWork } from "../stores.js";

export const id = "11111111-1111-4111-8111-111111111111";

type Options = Parameters<typeof scenario>[1];

/**
 * A session that is kept in a store, and the processes that open it. A process that crashes is left alone, and the next
 * one has all that a process leaves behind when it is killed.
 */
export function keptSession(kept: StoreAtWork, options: Options = {}) {
  let store = kept;
  let latest: ReturnType<typeof scenario>;
  /** The next process; the one before it has crashed or ended. */
  function start(scripts: readonly string[], more: Options = {}) {
    store = store.afterCrash();
    latest = scenario(scripts, { ...store.options(), ...options, ...more });
    return latest;
  }
  /** The next process, which ends in good order with the test, if it has not crashed. */
  function startLast(...given: Parameters<typeof start>) {
    const last = start(...given);
    onTestFinished(async () => {
      if (latest === last) await last.server.close();
    });
    return last;
  }
  return {
    start,
    /** The records of the journal so far. */
    records: async () => messagesIn(await store.lines(id)),
    /** The lines of the journal so far. */
    lines: async () => store.lines(id),
    /** Changes the lines of the journal by hand, after the process that had it has crashed. */
    async change(lines: readonly string[]) {
      store = store.afterCrash();
      await store.change(id, lines);
    },
    /** The requests that lists of sessions show as open. */
    open: async () => (await store.open(id))?.open,
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
