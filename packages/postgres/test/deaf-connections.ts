import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type LedConnections, ledConnections } from "./led-connections.js";

/** Led connections, of which one direction may be dead for a time. */
export interface DeafConnections extends LedConnections {
  /** Passes nothing on of what the far side says, for that many milliseconds. */
  deafFor(ms: number): Promise<void>;
}

/** @param portOf gives the port of the next connection. */
export async function deafConnections(portOf: () => number): Promise<DeafConnections> {
  const fars = new Set<Socket>();
  let isDeaf = false;
  const led = await ledConnections(portOf, (near, far) => {
    near.pipe(far);
    far.on("data", (bytes) => void near.write(bytes));
    far.on("close", () => fars.delete(far));
    fars.add(far);
    if (isDeaf) far.pause();
  });
  return {
    ...led,
    async deafFor(ms) {
      isDeaf = true;
      for (const far of fars) far.pause();
      await setTimeout(ms);
      isDeaf = false;
      for (const far of fars) far.resume();
    },
  };
}
