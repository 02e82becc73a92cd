/** @import { Column, Measure } from "../contract.js" */
import { startPair } from "../pair.mjs";

/** @type {Column[]} */
const columns = [
  { key: "p50", label: "p50 µs", ratio: true },
  { key: "p99", label: "p99 µs" },
  { key: "perSecond", label: "trips/s, 64 in flight", ratio: true },
  { key: "cpuAlone", label: "CPU s/100k, one by one", ratio: true },
  { key: "cpuMany", label: "CPU s/100k, 64 in flight", ratio: true },
];

/**
 * @typedef {object} RoundTrip
 * @property {string} name
 * @property {"stdio" | "ws"} transport
 * @property {string} title
 * @property {boolean} [apart] a core for each process. Default: both on one
 */

/** @type {(roundTrip: RoundTrip) => Measure} */
function roundTrip({ name, transport, title, apart = false }) {
  return {
    name,
    title,
    note: `A question asked and its checked answer; ${apart ? "a core for each process" : "both processes on one core"}; CPU of both.`,
    columns: () => columns,
    reps: ({ reps }) => reps,
    async sample(peer, { quick, cores }) {
      if (apart && cores.length < 2) return {};
      const placed = { clientCores: cores.slice(0, 1), ...(apart && { agentCores: cores.slice(1, 2) }) };
      const pair = await startPair({ peer: peer.name, transport, ...placed });
      const ms = quick ? 200 : 450;
      try {
        // A peer of much code compiles for longer, on one core beside its own work: 40,000 trips are enough for each.
        const warm = quick ? { warmMs: 400 } : { warmMs: 1500, warmTrips: 40_000 };
        await pair.call("agent", "trips", { inFlight: 64, ...warm, ms: 0 });
        const alone = await pair.call("agent", "trips", { inFlight: 1, warmMs: quick ? ms : 1000, ms });
        const many = await pair.call("agent", "trips", { inFlight: 64, warmMs: ms / 4, ms });
        return {
          p50: alone.p50Us,
          p99: alone.p99Us,
          perSecond: many.perSecond,
          cpuAlone: alone.cpuPer100k,
          cpuMany: many.cpuPer100k,
        };
      } finally {
        pair.end();
      }
    },
  };
}

/** Over each transport, on one core and on a core each. */
export const roundTrips = [
  roundTrip({ name: "stdio", transport: "stdio", title: "Round trip over stdio" }),
  roundTrip({ name: "ws", transport: "ws", title: "Round trip over WebSocket" }),
  roundTrip({
    name: "stdio-apart",
    transport: "stdio",
    title: "Round trip over stdio, a core each",
    apart: true,
  }),
  roundTrip({
    name: "ws-apart",
    transport: "ws",
    title: "Round trip over WebSocket, a core each",
    apart: true,
  }),
];
