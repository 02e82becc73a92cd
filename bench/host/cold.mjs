/** @import { ClientModule, CommandModule } from "../contract.js" */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chosenOption } from "../payload.mjs";

/** The folder of the benchmark, whose packages a cold process imports unless another folder is named. */
const own = fileURLToPath(new URL("..", import.meta.url));

/**
 * Starts one side of a peer as a new process, the other side being loaded already.
 * @type {(peer: string, client: ClientModule) => Record<string, (args: any) => Promise<number>>}
 */
export const coldTasks = (peer, client) => ({
  /** Resolves with the milliseconds from spawning an agent to its first answered question. */
  async coldAgent(/** @type {{ folder?: string }} */ { folder = own }) {
    const args = await agentLine(peer, folder);
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    let answered = 0;
    const connection = await client.overStdio(child.stdout, child.stdin, {
      decide() {
        answered = performance.now();
        return chosenOption;
      },
      heard() {},
    });
    await connection.begin?.();
    const code = await ended;
    if (code !== 0) throw new Error(`the agent of ${peer} ended with ${code} instead of a checked answer`);
    return answered - start;
  },

  /** Resolves with the milliseconds from spawning a client to the answer that a waiting agent has from it. */
  async coldClient(/** @type {{ folder?: string }} */ { folder = own }) {
    const agent = spawn(process.execPath, [`${own}host/cold-agent.mjs`, peer], {
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    const ended = new Promise((resolve) => agent.on("exit", resolve));
    const told = () => Promise.race([once(agent, "message"), ended]);
    await told();
    const start = performance.now();
    const child = spawn(process.execPath, [`${folder}/host/cold-client.mjs`, peer], {
      stdio: [agent.stdout, agent.stdin, "inherit"],
    });
    agent.stdout?.destroy();
    agent.stdin?.destroy();
    agent.send("begin");
    try {
      await told();
      const ms = performance.now() - start;
      const code = await ended;
      if (code !== 0) throw new Error(`the agent of ${peer} ended with ${code} instead of a checked answer`);
      return ms;
    } finally {
      child.kill();
    }
  },
});

/** @type {(peer: string, folder: string) => Promise<readonly string[]>} */
async function agentLine(peer, folder) {
  const command = new URL(`../peers/${peer}/command.mjs`, import.meta.url);
  if (!existsSync(command)) return [`${folder}/host/cold-agent.mjs`, peer];
  /** @type {CommandModule} */
  const { commandLine } = await import(command.href);
  return commandLine();
}
