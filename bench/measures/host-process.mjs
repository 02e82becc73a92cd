import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeOn } from "../system.mjs";

/**
 * Starts a program of `host/` on the given cores, with its order as an argument.
 * @type {(cores: readonly number[], host: string, order: object, flags?: readonly string[]) => import("node:child_process").ChildProcess}
 */
export const startHost = (cores, host, order, flags = []) => {
  const program = fileURLToPath(new URL(`../host/${host}.mjs`, import.meta.url));
  return spawn(...nodeOn(cores, [...flags, program, JSON.stringify(order)]), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
};

/**
 * The first message of a program; rejects where it ends without one.
 * @type {(child: import("node:child_process").ChildProcess) => Promise<any>}
 */
export async function toldBy(child) {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${child.spawnargs.find((part) => part.endsWith(".mjs"))} ended (${code})`);
  });
  ended.catch(() => {});
  const [figures] = await Promise.race([once(child, "message"), ended]);
  return figures;
}
