import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { freePort } from "../../../../scripts/free-port.js";
import { type LedConnections, ledConnections } from "../led-connections.js";
import { nodeProcess } from "../nodes-at-work.js";
import { type DeafConnections, deafConnections } from "./deaf-connections.js";

/** The lease of a node in milliseconds: the shortest there is. */
export const LEASE_MS = 2_000;

/** Three nodes, each at its port, which are started again where they end. Others reach each by a way of its own. */
export interface ThreeNodes {
  /** The address of all: each connection comes to one of them by chance. */
  readonly address: string;
  readonly children: readonly ChildProcess[];
  /** The ways by which the nodes reach each other; the node that has the session is the far side. */
  readonly ways: readonly DeafConnections[];
  /** Ends one of them by a signal, and starts it again. */
  end(index: number, signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/**
 * Starts them; they end with the test. `ASKWIRE_CHAOS_LOG` names the file that takes their logs. Default: none.
 *
 * @param args the arguments of the program before the port.
 */
export async function threeNodes(
  program: string,
  args: readonly string[],
  random: () => number,
): Promise<ThreeNodes> {
  const log = process.env["ASKWIRE_CHAOS_LOG"];
  const ports = [await freePort(), await freePort(), await freePort()];
  const ways = await Promise.all(ports.map((port) => deafConnections(() => port)));
  const balancer: LedConnections = await ledConnections(
    () => ports[Math.floor(random() * ports.length)] as number,
  );
  for (const { close } of [...ways, balancer]) onTestFinished(close);
  const start = async (index: number): Promise<ChildProcess> => {
    const all = [...args, String(ports[index]), String(LEASE_MS), String(ways[index]?.port)];
    // Nodes are watched over, as services are: one that cannot start now is started again.
    for (let tries = 1; ; tries += 1) {
      try {
        return await nodeProcess(program, all, log);
      } catch (error) {
        // The engine may be away for a while.
        if (tries === 50) throw error;
      }
    }
  };
  const children = await Promise.all(ports.map((_port, index) => start(index)));
  return {
    ...{ children, ways, address: `ws://127.0.0.1:${balancer.port}` },
    async end(index, signal) {
      const child = children[index] as ChildProcess;
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
      children[index] = await start(index);
    },
  };
}
