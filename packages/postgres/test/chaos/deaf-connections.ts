import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type LedConnections, ledConnections } from "../led-connections.js";

/** The side that is not heard: the one that came, or the one that it was led to. */
export type Unheard = "near" | "far";

/** Led connections, of which one direction may be dead for a time. */
export interface DeafConnections extends LedConnections {
  /** Passes nothing on of what one side says, for that many milliseconds. Later it comes whole. */
  deafFor(ms: number, unheard: Unheard): Promise<void>;
}

/** @param portOf gives the port of the next connection. */
export async function deafConnections(portOf: () => number): Promise<DeafConnections> {
  const pairs = new Set<Record<Unheard, Socket>>();
  const dead = new Set<Unheard>();
  const led = await ledConnections(portOf, (near, far) => {
    // Not by a pipe, which goes on reading by itself.
    near.on("data", (bytes) => void far.write(bytes));
    far.on("data", (bytes) => void near.write(bytes));
    const pair = { near, far };
    pairs.add(pair);
    far.on("close", () => pairs.delete(pair));
    for (const unheard of dead) pair[unheard].pause();
  });
  return {
    ...led,
    async deafFor(ms, unheard) {
      dead.add(unheard);
      for (const pair of pairs) pair[unheard].pause();
      await setTimeout(ms);
      dead.delete(unheard);
      for (const pair of pairs) pair[unheard].resume();
    },
  };
}
