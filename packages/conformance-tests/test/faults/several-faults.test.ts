import fc from "fast-check";
import { expect, test } from "vitest";
import { atOnce, oneByOne } from "./agent.js";
import { converse, type Told } from "./conversation.js";
import { type Fault, type FaultKind, faultKinds, oneSidedKinds } from "./fault.js";
import { paces } from "./talkative-client.js";
import { memory, webSocket } from "./transport.js";
import { type Seen, watcher } from "./watcher.js";

/** Sorts the reports on three requests at once, since they are settled in any order. */
function inNoOrder({ endings, events, turns, done, model, journal, settlements }: Told) {
  const sorted = (texts: readonly string[]) => texts.map((text) => text.replace(/<id \d+>/g, "<id>")).sort();
  return {
    endings,
    events: sorted(events),
    turns: turns.map((turn) => [...turn].sort()),
    done: [...done].sort(),
    model,
    journal: sorted(journal),
    settlements: [...settlements].sort(),
  };
}

const plain = await converse(memory, [], { scripts: atOnce });

/** Up to six faults. Repeated messages are counted too, so there are more than in an undisturbed conversation. */
function severalFaults(kinds: readonly FaultKind[]): fc.Arbitrary<Fault[]> {
  const fault = (to: Fault["to"]) =>
    fc.record({
      kind: fc.constantFrom(...kinds),
      to: fc.constant(to),
      n: fc.integer({ min: 1, max: plain.counts[to] + 10 }),
    });
  return fc.array(fc.oneof(fault("server"), fault("client")), { minLength: 2, maxLength: 6 });
}

const pace = fc.constantFrom(...Object.values(paces));
const allKinds = [...faultKinds, ...oneSidedKinds];
const runs = (numRuns: number) => ({ numRuns, interruptAfterTimeLimit: 8_000 });

test.each([
  ["in memory", memory, allKinds, 100],
  ["over a WebSocket", webSocket, faultKinds, 40],
] as const)(
  "a question, a tool and an approval at once are each settled once, whatever goes wrong %s, several times over (P-XAT-5, P-XCL-2 to P-XCL-7)",
  async (_name, transport, kinds, numRuns) => {
    expect(plain.told.settlements).toHaveLength(4);
    const conversations = fc.asyncProperty(severalFaults(kinds), pace, async (faults, pace) => {
      const { told, problems } = await converse(transport, faults, { scripts: atOnce, pace });
      expect(inNoOrder(told)).toEqual(inNoOrder(plain.told));
      expect(problems.filter((problem) => /count|not answered/.test(problem))).toEqual([]);
    });
    await fc.assert(conversations, runs(numRuns));
  },
);

test("open requests are each settled once also with other people there, a short memory of the server's, or none for a lost client (P-XAT-3, P-XAT-6, P-XTR-2, P-INT-6)", async () => {
  const setting = fc.record({
    pace,
    scripts: fc.constantFrom(atOnce, oneByOne),
    graceMs: fc.constantFrom(0, 30_000),
    kept: fc.constantFrom(0, 3, 20, 10_000),
    way: fc.constantFrom("is not asked" as const, "never answers" as const, "answers at once" as const),
  });
  const conversations = fc.asyncProperty(
    severalFaults(allKinds),
    setting,
    async (faults, { kept, way, ...setting }) => {
      const seen: Seen = { events: [], taken: [] };
      const company = watcher("extended", way, seen);
      const server = { eventLog: { events: kept } };
      const { told } = await converse(memory, faults, { ...setting, server, company });
      expect(told.endings).toEqual([{ status: "finished" }, { status: "finished" }]);
      expect(told.settlements.filter((settlement) => !settlement.endsWith(": 1"))).toEqual([]);
      expect(told.model).toHaveLength(setting.scripts.length);
      const ran = told.done.filter((what) => what === "written" || what === "lookup size");
      expect(ran).toHaveLength(new Set(ran).size);
      if (kept === 10_000) expect(told.events).toEqual(seen.events);
    },
  );
  await fc.assert(conversations, runs(100));
});
