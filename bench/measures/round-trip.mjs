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

/** @type {(transport: "stdio" | "ws", title: string) => Measure} */
function roundTrip(transport, title) {
  return {
    name: transport,
    title,
    note: "A question asked and its checked answer; both processes on one core; CPU of both.",
    columns: () => columns,
    reps: ({ reps }) => reps,
    async sample(peer, { quick, cores }) {
      const pair = await startPair({ peer: peer.name, transport, clientCores: cores.slice(0, 1) });
      const ms = quick ? 200 : 450;
      try {
        await pair.call("agent", "trips", { inFlight: 64, warmMs: quick ? 400 : 900, ms: 0 });
        const alone = await pair.call("agent", "trips", { inFlight: 1, warmMs: ms, ms });
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

export const stdio = roundTrip("stdio", "Round trip over stdio");
export const ws = roundTrip("ws", "Round trip over WebSocket");
