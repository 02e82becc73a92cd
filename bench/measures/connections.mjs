/** @import { Measure } from "../contract.js" */
import { startPair, untilHeld } from "../pair.mjs";

/** Connections made before the first reading, so that code and caches are loaded. */
const warm = 50;

/** @type {Measure} */
export const connections = {
  name: "connections",
  title: "Server memory per WebSocket connection",
  note: "Bytes in the asking process after a full collection, all connections in one process: idle, then more with one open question each.",
  columns: () => [
    { key: "idleRss", label: "idle, RSS", ratio: true },
    { key: "idleHeap", label: "idle, heap", ratio: true },
    { key: "openRss", label: "one open question more, RSS" },
    { key: "openHeap", label: "one open question more, heap" },
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
      await pair.call("agent", "letAsk");
      await pair.call("client", "begin");
      await untilHeld(pair, count + warm);
      const open = await pair.call("agent", "memory");
      const more = (/** @type {number} */ a, /** @type {number} */ b) => (b - a) / count;
      return {
        idleRss: more(none.rss, idle.rss),
        idleHeap: more(none.heap, idle.heap),
        openRss: more(idle.rss, open.rss),
        openHeap: more(idle.heap, open.heap),
      };
    } finally {
      pair.end();
    }
  },
};
