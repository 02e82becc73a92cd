/** @import { Measure, Settings } from "../contract.js" */
import { startPair, untilHeld } from "../pair.mjs";

/** Questions sent before the next batch waits for the client to have seen them. */
const batch = 2000;

/** @type {(settings: Settings) => number[]} */
const levels = ({ quick }) => (quick ? [100, 1000] : [100, 1000, 10_000, 100_000]);

/** @type {Measure} */
export const openQuestions = {
  name: "open-questions",
  title: "Cost of a question while others stay open",
  note: "p50 of a round trip over stdio, one by one, one core, with so many unanswered questions on the same connection.",
  columns: (settings) => [
    ...levels(settings).map((open) => ({
      key: `p50_${open}`,
      label: `${open.toLocaleString("en")} open, µs`,
    })),
    { key: "growth", label: "last / first" },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 2)),
  async sample(peer, settings) {
    const clientCores = settings.cores.slice(0, 1);
    const pair = await startPair({ peer: peer.name, transport: "stdio", clientCores });
    /** @type {Record<string, number>} */
    const sample = {};
    /** @type {number[]} */
    const costs = [];
    let open = 0;
    try {
      await pair.call("agent", "trips", { inFlight: 16, warmMs: 500, ms: 0 });
      await pair.call("agent", "trips", { inFlight: 1, warmMs: 500, ms: 0 });
      for (const level of levels(settings)) {
        while (open < level) {
          const count = Math.min(batch, level - open);
          await pair.call("agent", "hold", { count });
          open += count;
          await untilHeld(pair, open);
        }
        await pair.call("agent", "memory");
        const { p50Us } = await pair.call("agent", "trips", { inFlight: 1, warmMs: 150, ms: 300 });
        sample[`p50_${level}`] = p50Us;
        costs.push(p50Us);
      }
      return { ...sample, growth: (costs.at(-1) ?? 0) / (costs[0] ?? 1) };
    } finally {
      pair.end();
    }
  },
};
