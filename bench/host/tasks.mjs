/** @import { Asker } from "../contract.js" */
import { setImmediate as nextLoop, setTimeout as pause } from "node:timers/promises";
import { heldQuestion, questions } from "../payload.mjs";
import { cpuMs } from "../system.mjs";

/** @type {(asker: Asker, n: number) => Promise<void>} */
export async function askChecked(asker, n) {
  const question = questions[n % questions.length];
  if (question === undefined) throw new Error(`there is no question ${n}`);
  const answer = await asker.ask(question);
  if (answer !== question.expected) throw new Error(`expected "${question.expected}", got "${answer}"`);
}

/**
 * Keeps `inFlight` questions open until `more()` says no. Resolves with the number of answers.
 * @type {(asker: Asker, inFlight: number, more: () => boolean, took?: (ms: number) => void) => Promise<number>}
 */
async function keepAsking(asker, inFlight, more, took) {
  let asked = 0;
  async function lane() {
    while (more()) {
      const start = performance.now();
      await askChecked(asker, asked++);
      took?.(performance.now() - start);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane));
  return asked;
}

/** @type {(ms: number) => () => boolean} */
function forMs(ms) {
  const end = performance.now() + ms;
  return () => performance.now() < end;
}

/** The longest time for warming up, in milliseconds. */
const longestWarmMs = 8_000;

/** For a time, and until there were so many trips, which a slow machine takes longer for. @type {(ms: number, trips: number) => () => boolean} */
function untilWarm(ms, trips) {
  const least = forMs(ms);
  const most = forMs(Math.max(ms, longestWarmMs));
  let made = 0;
  return () => {
    made += 1;
    return least() || (made < trips && most());
  };
}

/** @type {() => number | null} */
function bothCpuMs() {
  const own = cpuMs(process.pid);
  const client = cpuMs(process.ppid);
  return own === null || client === null ? null : own + client;
}

/** @type {(asker: Asker, inFlight: number, ms: number) => Promise<{ p50Us: number, p99Us: number, perSecond: number, cpuPer100k: number | null }>} */
async function measured(asker, inFlight, ms) {
  /** @type {number[]} */
  const times = [];
  const cpu = bothCpuMs();
  const start = performance.now();
  const trips = await keepAsking(asker, inFlight, forMs(ms), (took) => times.push(took));
  const wall = performance.now() - start;
  const cpuEnd = bothCpuMs();
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => (times[Math.floor((times.length - 1) * part)] ?? 0) * 1000;
  return {
    p50Us: at(0.5),
    p99Us: at(0.99),
    perSecond: (trips / wall) * 1000,
    cpuPer100k: cpu === null || cpuEnd === null ? null : ((cpuEnd - cpu) / trips) * 100,
  };
}

/** Heap and resident memory after a full collection, in bytes. */
export async function memory() {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.();
    await pause(10);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** The orders to the agent of a connection. */
export const agentTasks = {
  /** @type {(asker: Asker, args: { inFlight: number, warmMs: number, warmTrips?: number, ms: number }) => Promise<object>} */
  async trips(asker, { inFlight, warmMs, warmTrips = 0, ms }) {
    await keepAsking(asker, inFlight, untilWarm(warmMs, warmTrips));
    return measured(asker, inFlight, ms);
  },
  /** @type {(asker: Asker, args: { count: number, inFlight: number }) => Promise<void>} */
  async ask(asker, { count, inFlight }) {
    let left = count;
    await keepAsking(asker, inFlight, () => left-- > 0);
  },
  /** Opens questions that nobody answers. @type {(asker: Asker, args: { count: number }) => void} */
  hold(asker, { count }) {
    for (let n = 0; n < count; n++) asker.ask(heldQuestion).catch(() => {});
  },
  /**
   * Streams numbered texts, at most `count` and for at most `ms`.
   * @type {(asker: Asker, args: { first: number, count: number, size: number, ms: number, delayMs?: number }) => Promise<{ said: number, startNs: string }>}
   */
  async say(asker, { first, count, size, ms, delayMs = 0 }) {
    if (asker.say === undefined) throw new Error("this peer does not stream text");
    await pause(delayMs);
    const filler = "x".repeat(size);
    const more = forMs(ms);
    const startNs = String(process.hrtime.bigint());
    let said = 0;
    while (said < count && more()) {
      const room = asker.say(`${first + said++} ${filler}`);
      if (room !== undefined) await room;
      if (said % 256 === 0) await nextLoop();
    }
    return { said, startNs };
  },
  memory,
};
