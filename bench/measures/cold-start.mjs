/** @import { Measure } from "../contract.js" */
/** @import { Installation } from "../install.mjs" */
/** @import { Pair } from "../pair.mjs" */
import { existsSync } from "node:fs";
import { installPackages } from "../install.mjs";
import { startPair } from "../pair.mjs";

/** @typedef {{ pair: Pair, installed: Installation | null }} State */

/** @type {Measure<State>} */
export const coldStart = {
  name: "cold-start",
  title: "Cold start",
  note: "From spawning one side to its first question answered, over stdio, the other side being loaded already; not pinned. The first start, after which the command keeps its compiled code, does not count. Askwire's packages are installed from tarballs, server and client each alone; MB of 1,000,000 bytes that one brings.",
  columns: () => [
    { key: "ms", label: "agent, ms", ratio: true },
    { key: "clientMs", label: "client, ms", ratio: true },
    { key: "serverMb", label: "server installed, MB" },
    { key: "clientMb", label: "client installed, MB" },
  ],
  reps: ({ quick }) => (quick ? 5 : 20),
  async open(peer, { cores }) {
    const installed = peer.installed ? await installPackages(peer.name) : null;
    const pair = await startPair({ peer: peer.name, transport: "stdio", mode: "cold", clientCores: cores });
    const state = { pair, installed };
    await sample(state, peer.name);
    return state;
  },
  sample: (peer, _settings, state) => sample(state, peer.name),
  close({ pair, installed }) {
    pair.end();
    installed?.remove();
  },
};

/** A command has no client of its own. @type {(state: State, peer: string) => Promise<Record<string, number | null>>} */
async function sample({ pair, installed }, peer) {
  const { server, client } = installed ?? {};
  const embedded = existsSync(new URL(`../peers/${peer}/agent.mjs`, import.meta.url));
  return {
    ms: await pair.call("client", "coldAgent", { folder: server?.folder }),
    clientMs: embedded ? await pair.call("client", "coldClient", { folder: client?.folder }) : null,
    serverMb: server?.mb ?? null,
    clientMb: client?.mb ?? null,
  };
}
