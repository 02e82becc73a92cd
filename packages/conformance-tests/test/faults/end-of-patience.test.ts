import { describe, expect, test } from "vitest";
import { type Company, converse, type Setting } from "./conversation.js";
import { nameOf, someFaults } from "./fault.js";
import { memory } from "./transport.js";
import { type Seen, watcher } from "./watcher.js";

/** A conversation that somebody sees who is not asked anything, and whose connection never breaks. */
async function seenConversation(setting: Setting = {}, ...faults: Parameters<typeof converse>[1] & object) {
  const seen: Seen = { events: [], taken: [] };
  const company: Company = watcher("extended", "is not asked", seen);
  return { seen, ...(await converse(memory, faults, { ...setting, company })) };
}

const { counts } = await seenConversation();
const cuts = someFaults(["cut before", "cut after"], counts);
const named = cuts.map((fault) => [nameOf(fault), fault] as const);

const settledOnce = (settlements: readonly string[]) =>
  expect(settlements.filter((settlement) => !settlement.endsWith(": 1"))).toEqual([]);

describe("where a lost client is not waited for, nothing hangs", () => {
  test.each(named)(
    "%s: it is told all that happened, once (P-XAT-3, P-XAT-5, P-INT-6)",
    async (_name, fault) => {
      const { told, seen } = await seenConversation({ graceMs: 0 }, fault);
      expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
      settledOnce(told.settlements);
      expect(told.events).toEqual(seen.events);
    },
  );
});

describe("where the server keeps no events, nothing hangs", () => {
  const keepsNone: Setting = { server: { eventLog: { events: 0 } } };

  test.each(named)("%s: each turn ends with its result (P-XAT-6, P-XTR-2, P-XCL-6)", async (_name, fault) => {
    const { told } = await seenConversation(keepsNone, fault);
    expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
    settledOnce(told.settlements);
    expect(told.model).toHaveLength(5);
    expect(told.done.filter((what) => what === "written")).toHaveLength(1);
  });

  test("and who reads the events of a turn is told that some were missed (P-XAT-6)", async () => {
    const { told } = await seenConversation(keepsNone, { kind: "cut within", to: "client", n: 5 });
    expect(told.turns.map((types) => types.at(-1))).toEqual(["failed: CLOSED", "TurnEnd"]);
  });
});
