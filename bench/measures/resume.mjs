/** @import { Measure } from "../contract.js" */
import { startPair } from "../pair.mjs";
import { spread } from "../report.mjs";

/** As many as a session keeps. */
const missed = 10_000;
const size = 20;

/** @type {Measure} */
export const resume = {
  name: "resume",
  title: "Coming back to a session",
  note: `A WebSocket client whose connection broke connects again: from there until it has heard ${missed.toLocaleString("en")} events of 25 characters that it missed, in order; one core. The wait before it connects again is left out. Median of several breaks, the first of which only warm up.`,
  columns: () => [
    { key: "ms", label: "ms", ratio: true },
    { key: "us", label: "µs/event" },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  async sample(peer, { quick, cores }) {
    const breaks = quick ? 2 : 6;
    const warm = quick ? 1 : 2;
    const pair = await startPair({
      peer: peer.name,
      transport: "ws",
      mode: "shared",
      clientCores: cores.slice(0, 1),
    });
    /** @type {number[]} */
    const times = [];
    let said = 0;
    try {
      await pair.call("client", "connect", { count: 1 });
      await pair.call("client", "begin");
      // The first text is heard before the first break, so that the start of the turn is not missed too.
      await say(1);
      await pair.call("client", "heard", { count: said });
      for (let round = 0; round < breaks; round++) {
        await pair.call("agent", "cut");
        await pair.call("client", "lost");
        await say(missed);
        const heard = pair.call("client", "heard", { count: said });
        const { startNs } = await pair.call("client", "comeBack");
        const { endNs, outOfOrder } = await heard;
        if (outOfOrder > 0) throw new Error(`${outOfOrder} events came out of order`);
        if (round >= warm) times.push(Number(BigInt(endNs) - BigInt(startNs)) / 1e6);
      }
      const ms = spread(times).median;
      return { ms, us: (ms * 1000) / missed };
    } finally {
      pair.end();
    }

    /** @type {(count: number) => Promise<void>} */
    async function say(count) {
      await pair.call("agent", "say", { first: said, count, size, ms: 30_000 });
      said += count;
    }
  },
};
