import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodeOn } from "./system.mjs";

const clientHost = fileURLToPath(new URL("host/client.mjs", import.meta.url));

/**
 * @typedef {object} PairOptions
 * @property {string} peer
 * @property {"stdio" | "ws"} transport
 * @property {"pair" | "crowd" | "shared" | "cold"} [mode] `crowd`: many connections, each with a session of its own;
 *   `shared`: several of one session; `cold`: the agent starts once per sample
 * @property {readonly number[]} clientCores where the client may run: all cores when it is not pinned
 * @property {readonly number[]} [agentCores] default: the client's
 */

/**
 * @typedef {object} Pair
 * @property {number} clientPid
 * @property {number} agentPid 0 in mode `cold`
 * @property {(to: "agent" | "client", task: string, args?: object, limitMs?: number) => Promise<any>} call
 * @property {() => void} end
 */

/**
 * Starts a client, which starts the agent, and resolves when both can take tasks. The control messages use Node's IPC
 * channel. The wire is standard input and output of the agent.
 * @type {(options: PairOptions) => Promise<Pair>}
 */
export async function startPair({ peer, transport, mode = "pair", clientCores, agentCores = clientCores }) {
  const args = ["--expose-gc", clientHost, peer, transport, mode, agentCores.join(",")];
  const child = spawn(...nodeOn(clientCores, args), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  let last = 0;
  child.on("message", (/** @type {any} */ { id, result, error }) => {
    const call = waiting.get(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => fail(`the client of ${peer} ended (${signal ?? code})`));

  /** @type {(reason: string) => void} */
  function fail(reason) {
    for (const call of waiting.values()) call.reject(new Error(reason));
    waiting.clear();
  }

  /** @type {Pair["call"]} */
  async function call(to, task, args = {}, limitMs = 60_000) {
    if (!child.connected) throw new Error(`the client of ${peer} is gone`);
    const id = last++;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(
          () => reject(new Error(`${peer}: "${task}" took longer than ${limitMs} ms`)),
          limitMs,
        );
        waiting.set(id, { resolve, reject });
        child.send({ id, to, task, args });
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  }

  try {
    const { agentPid } = await call("client", "ready", {}, 20_000);
    return { clientPid: child.pid ?? 0, agentPid, call, end: () => void child.kill("SIGKILL") };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

/**
 * Waits until the client has seen `count` questions that it leaves open.
 * @type {(pair: Pair, count: number, limitMs?: number) => Promise<void>}
 */
export async function untilHeld(pair, count, limitMs = 20_000) {
  const end = performance.now() + limitMs;
  let held = 0;
  while (performance.now() < end) {
    ({ held } = await pair.call("client", "seen"));
    if (held >= count) return;
    await pause(5);
  }
  throw new Error(`only ${held} of ${count} open questions arrived within ${limitMs} ms`);
}
