/** @import { Measure } from "../contract.js" */
import { setTimeout as pause } from "node:timers/promises";
import { startPair, untilHeld } from "../pair.mjs";

/** Connections made before the first reading, so that code and caches are loaded. */
const warm = 50;

/** @type {Measure} */
export const connections = {
  name: "connections",
  title: "Server memory per WebSocket connection",
  note: "Bytes in the asking process after a full collection, all connections in one process: idle, then with a turn begun where there are such, then what one open question each adds; what turn and question leave when all were answered at once and checked, and how long that took.",
  columns: () => [
    { key: "idleRss", label: "idle, RSS", ratio: true },
    { key: "idleHeap", label: "idle, heap", ratio: true },
    { key: "turnRss", label: "a turn begun, RSS", ratio: true },
    { key: "turnHeap", label: "a turn begun, heap", ratio: true },
    { key: "openRss", label: "one open question more, RSS" },
    { key: "openHeap", label: "one open question more, heap" },
    { key: "leftHeap", label: "left of both, heap" },
    { key: "settleMs", label: "all answered, ms", ratio: true },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  async sample(peer, { quick, cores }) {
    const count = quick ? 500 : 2000;
    const pair = await startPair({ peer: peer.name, transport: "ws", mode: "crowd", clientCores: cores });
    try {
      await pair.call("client", "connect", { count: warm });
      const none = await pair.call("agent", "memory");
      await pair.call("client", "connect", { count });
      const idle = await pair.call("agent", "memory");
      await pair.call("client", "begin");
      while ((await pair.call("agent", "serving")) < count + warm) await pause(20);
      const turn = await pair.call("agent", "memory");
      await pair.call("agent", "letAsk");
      await untilHeld(pair, count + warm);
      const open = await pair.call("agent", "memory");
      const settled = pair.call("agent", "settled");
      const { startNs } = await pair.call("client", "answer");
      const { endNs } = await settled;
      const after = await pair.call("agent", "memory");
      const more = (/** @type {number} */ a, /** @type {number} */ b) => (b - a) / count;
      return {
        idleRss: more(none.rss, idle.rss),
        idleHeap: more(none.heap, idle.heap),
        turnRss: more(none.rss, turn.rss),
        turnHeap: more(none.heap, turn.heap),
        openRss: more(turn.rss, open.rss),
        openHeap: more(turn.heap, open.heap),
        leftHeap: more(idle.heap, after.heap),
        settleMs: Number(BigInt(endNs) - BigInt(startNs)) / 1e6,
      };
    } finally {
      pair.end();
    }
  },
};
