/** @import { Measure } from "../contract.js" */
import { startPair } from "../pair.mjs";
import { cpuMs } from "../system.mjs";

const clients = 10;
const size = 20;

/** @type {Measure} */
export const fanOut = {
  name: "fan-out",
  title: "Several clients of one session",
  note: `Texts of 25 characters over WebSocket to ${clients} clients in one process, each of which checks their order; the server and the clients on a core each. An event counts once, also its CPU in the server.`,
  columns: () => [
    { key: "perSecond", label: "events/s to all", ratio: true },
    { key: "serverCpu", label: "server CPU, µs/event", ratio: true },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  async sample(peer, { quick, cores }) {
    const warm = quick ? 2000 : 10_000;
    const count = quick ? 5000 : 30_000;
    const pair = await startPair({
      peer: peer.name,
      transport: "ws",
      mode: "shared",
      clientCores: cores.slice(0, 1),
      agentCores: cores.slice(-1),
    });
    /** @type {(first: number, count: number) => Promise<number>} */
    async function seconds(first, count) {
      const heard = pair.call("client", "heard", { count: (first + count) * clients });
      const { startNs } = await pair.call("agent", "say", { first, count, size, ms: 30_000 });
      const { endNs, outOfOrder } = await heard;
      if (outOfOrder > 0) throw new Error(`${outOfOrder} texts came out of order`);
      return Number(BigInt(endNs) - BigInt(startNs)) / 1e9;
    }
    try {
      await pair.call("client", "connect", { count: clients });
      await pair.call("client", "begin");
      await seconds(0, warm);
      const cpu = cpuMs(pair.agentPid);
      const took = await seconds(warm, count);
      const cpuEnd = cpuMs(pair.agentPid);
      return {
        perSecond: count / took,
        serverCpu: cpu === null || cpuEnd === null ? null : ((cpuEnd - cpu) * 1000) / count,
      };
    } finally {
      pair.end();
    }
  },
};
