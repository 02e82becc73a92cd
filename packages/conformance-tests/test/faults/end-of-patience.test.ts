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

describe("a lost client that is not waited for", () => {
  test.each(named)(
    "a client that is not waited for is told all that happened, once, after %s (P-XAT-3, P-XAT-5, P-INT-6)",
    async (_name, fault) => {
      const { told, seen } = await seenConversation({ graceMs: 0 }, fault);
      expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
      settledOnce(told.settlements);
      expect(told.events).toEqual(seen.events);
    },
  );
});

describe("a server that keeps no events", () => {
  const keepsNone: Setting = { server: { eventLog: { events: 0 } } };

  test.each(named)(
    "a server that keeps no events ends each turn with its result after %s (P-XAT-6, P-XTR-2, P-XCL-6)",
    async (_name, fault) => {
      const { told } = await seenConversation(keepsNone, fault);
      expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
      settledOnce(told.settlements);
      expect(told.model).toHaveLength(5);
      expect(told.done.filter((what) => what === "written")).toHaveLength(1);
    },
  );

  test("a client that reads the events of a turn is told that some were missed (P-XAT-6)", async () => {
    const { told } = await seenConversation(keepsNone, { kind: "cut within", to: "client", n: 5 });
    expect(told.turns.map((types) => types.at(-1))).toEqual(["failed: CLOSED", "TurnEnd"]);
  });
});
