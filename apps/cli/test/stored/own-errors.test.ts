import { LocalError } from "@askwire/protocol";
import type { SessionStore, StoredSession } from "@askwire/server";
import { expect, test } from "vitest";
import { withOwnErrors } from "../../src/stored/own-errors.js";

/** An error of another copy of the packages, as an installed store throws it. */
const foreign = () => Object.assign(new Error("fenced"), { name: "LocalError", code: "CLOSED" });

test("a session of a store of the command hears that another process has taken it, and all else that it does is passed on (P-NOD-3)", async () => {
  let lose = (_why: LocalError) => {};
  const session: StoredSession = {
    ...{ name: "s", generation: 1, count: 0, history: [] },
    commit: async () => {},
    onLost(listener) {
      lose = listener;
    },
    async *read() {},
    release: async () => {},
  };
  const store = { name: "store", take: async () => session } as unknown as SessionStore & {
    close(): Promise<void>;
  };
  const taken = await withOwnErrors(store as never).take("s", undefined);
  expect(Object.keys(taken).toSorted()).toEqual(Object.keys(session).toSorted());
  const told: LocalError[] = [];
  taken.onLost?.((why) => told.push(why));
  lose(foreign() as LocalError);
  expect(told.map((why) => [why instanceof LocalError, why.code, why.message])).toEqual([
    [true, "CLOSED", "fenced"],
  ]);
});
