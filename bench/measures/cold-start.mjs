/** @import { Measure } from "../contract.js" */
/** @import { Pair } from "../pair.mjs" */
import { startPair } from "../pair.mjs";

/** @type {Measure<Pair>} */
export const coldStart = {
  name: "cold-start",
  title: "Cold start",
  note: "From spawning the agent to its first question answered, over stdio; the client is already running; not pinned. The first start, after which the command keeps its compiled code, does not count.",
  columns: () => [{ key: "ms", label: "ms", ratio: true }],
  reps: ({ quick }) => (quick ? 5 : 20),
  async open(peer, { cores }) {
    const pair = await startPair({ peer: peer.name, transport: "stdio", mode: "cold", clientCores: cores });
    await pair.call("client", "cold");
    return pair;
  },
  async sample(_peer, _settings, pair) {
    return { ms: await pair.call("client", "cold") };
  },
  close: (pair) => pair.end(),
};
