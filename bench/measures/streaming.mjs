/** @import { Measure } from "../contract.js" */
/** @import { PairOptions } from "../pair.mjs" */
import { setTimeout as pause } from "node:timers/promises";
import { startPair } from "../pair.mjs";
import { rssBytes } from "../system.mjs";

const warmTexts = 20_000;
const smallText = 20;
const largeText = 1000;

/** @type {Measure} */
export const streaming = {
  name: "streaming",
  title: "Streamed text over stdio",
  note: "Texts of 25 characters, order checked by the client: on one core, and on a core each. Slow client: stopped while the agent streams texts of 1,000 characters; growth of the agent's resident memory (the bound is what counts, not the floor).",
  columns: () => [
    { key: "oneCore", label: "events/s, one core", ratio: true },
    { key: "twoCores", label: "events/s, a core each", ratio: true },
    { key: "slowMb", label: "slow client: RSS growth, MB" },
    { key: "slowSaid", label: "slow client: texts taken while stopped" },
  ],
  reps: ({ reps }) => reps,
  async sample(peer, { quick, cores }) {
    const count = quick ? 30_000 : 100_000;
    const one = { clientCores: cores.slice(0, 1) };
    const two = cores.length < 2 ? null : { ...one, agentCores: cores.slice(1, 2) };
    return {
      oneCore: await eventsPerSecond(peer.name, one, count),
      twoCores: two && (await eventsPerSecond(peer.name, two, count)),
      ...(await slowClient(peer.name, cores, quick ? 500 : 1200)),
    };
  },
};

/** @type {(peer: string, cores: Pick<PairOptions, "clientCores" | "agentCores">, count: number) => Promise<number>} */
async function eventsPerSecond(peer, cores, count) {
  const pair = await startPair({ peer, transport: "stdio", ...cores });
  try {
    await stream(0, warmTexts);
    return await stream(warmTexts, count);
  } finally {
    pair.end();
  }

  /** @type {(first: number, count: number) => Promise<number>} */
  async function stream(first, count) {
    const heard = pair.call("client", "heard", { count: first + count });
    const { startNs } = await pair.call("agent", "say", { first, count, size: smallText, ms: 30_000 });
    const { endNs, outOfOrder } = await heard;
    if (outOfOrder > 0) throw new Error(`${outOfOrder} of ${first + count} texts came out of order`);
    return (count / Number(BigInt(endNs) - BigInt(startNs))) * 1e9;
  }
}

/** @type {(peer: string, cores: readonly number[], ms: number) => Promise<{ slowMb: number | null, slowSaid: number | null }>} */
async function slowClient(peer, cores, ms) {
  const pair = await startPair({ peer, transport: "stdio", clientCores: cores });
  try {
    const heard = pair.call("client", "heard", { count: warmTexts });
    await pair.call("agent", "say", { first: 0, count: warmTexts, size: largeText, ms: 30_000 });
    await heard;
    await pair.call("agent", "memory");
    const before = rssBytes(pair.agentPid);
    const delayMs = 100;
    const said = pair
      .call("agent", "say", { first: warmTexts, count: 1_000_000, size: largeText, ms, delayMs })
      .then((result) => /** @type {number} */ (result.said))
      .catch(() => null);
    await pause(delayMs / 2);
    process.kill(pair.clientPid, "SIGSTOP");
    let peak = before;
    for (let waited = 0; waited < ms + delayMs; waited += 20) {
      await pause(20);
      const rss = rssBytes(pair.agentPid);
      if (rss !== null && (peak === null || rss > peak)) peak = rss;
    }
    process.kill(pair.clientPid, "SIGCONT");
    const slowMb = before === null || peak === null ? null : (peak - before) / 2 ** 20;
    return { slowMb, slowSaid: await said };
  } finally {
    pair.end();
  }
}
