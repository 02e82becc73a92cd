/** @import { Answerer, ClientModule, CommandModule, Connection } from "../contract.js" */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chosenOption, isHeld } from "../payload.mjs";
import { nodeOn } from "../system.mjs";
import { memory } from "./tasks.mjs";

const [peer = "", transport = "stdio", mode = "pair", agentCores = ""] = process.argv.slice(2);
/** @type {ClientModule} */
const client = await import(`../peers/${peer}/client.mjs`);

/** What this person saw. */
const seen = { held: 0, texts: 0, outOfOrder: 0 };
/** @type {{ count: number, reached(): void } | null} */
let awaited = null;

/** @type {Answerer} */
const answerer = {
  decide(question) {
    if (!isHeld(question)) return chosenOption;
    seen.held++;
    return new Promise(() => {});
  },
  heard(text) {
    if (Number.parseInt(text, 10) !== seen.texts) seen.outOfOrder++;
    if (++seen.texts === awaited?.count) awaited.reached();
  },
};

/** @type {Connection[]} */
const connections = [];

/** @type {Record<string, (args: any) => unknown>} */
const ownTasks = {
  async ready() {
    return { agentPid: (await started)?.pid ?? 0 };
  },
  seen: () => ({ ...seen }),
  memory,
  /** Resolves with the time at which the text number `count` arrived. */
  async heard(/** @type {{ count: number }} */ { count }) {
    if (seen.texts < count) {
      await new Promise((resolve) => {
        awaited = { count, reached: () => resolve(undefined) };
      });
    }
    return { endNs: String(process.hrtime.bigint()), outOfOrder: seen.outOfOrder };
  },
  async connect(/** @type {{ count: number }} */ { count }) {
    const url = (await started)?.url ?? "";
    for (let n = 0; n < count; n++) {
      const connection = await client.overWebSocket?.(url, answerer);
      if (connection !== undefined) connections.push(connection);
    }
  },
  async begin() {
    for (const connection of connections) await connection.begin?.();
  },
  cold: coldStart,
};

/** @typedef {{ pid: number, url: string, task(message: object): Promise<unknown> }} RunningAgent */

/** @type {() => Promise<RunningAgent>} */
async function startAgent() {
  const host = fileURLToPath(new URL("agent.mjs", import.meta.url));
  const cores = agentCores === "" ? [] : agentCores.split(",").map(Number);
  const piped = transport === "stdio" ? "pipe" : "ignore";
  const child = spawn(...nodeOn(cores, ["--expose-gc", host, peer, transport, mode]), {
    stdio: [piped, piped, "inherit", "ipc"],
  });
  child.on("exit", (code) => process.exit(code === 0 ? 0 : 1));
  /** @type {Map<number, (reply: any) => void>} */
  const waiting = new Map();
  /** @type {Promise<string>} */
  const listening = new Promise((resolve) => {
    child.on("message", (/** @type {any} */ message) => {
      if (message.ready) resolve(message.url ?? "");
      else waiting.get(message.id)?.(message);
    });
  });
  const opened =
    child.stdout && child.stdin ? client.overStdio(child.stdout, child.stdin, answerer) : undefined;
  const url = await listening;
  if (mode === "pair") {
    const connection = (await opened) ?? (await client.overWebSocket?.(url, answerer));
    if (connection !== undefined) connections.push(connection);
    await connection?.begin?.();
  }
  return {
    pid: child.pid ?? 0,
    url,
    task: (/** @type {any} */ message) =>
      new Promise((resolve) => {
        waiting.set(message.id, resolve);
        child.send(message);
      }),
  };
}

/** @returns {Promise<readonly string[]>} */
async function coldAgent() {
  const command = new URL(`../peers/${peer}/command.mjs`, import.meta.url);
  if (!existsSync(command)) return [fileURLToPath(new URL("cold-agent.mjs", import.meta.url)), peer];
  /** @type {CommandModule} */
  const { commandLine } = await import(command.href);
  return commandLine();
}

/** Starts an agent, answers its first question and resolves with the milliseconds from spawn to that answer. */
async function coldStart() {
  const args = await coldAgent();
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
}

const started = mode === "cold" ? Promise.resolve(null) : startAgent();

process.on("message", async (/** @type {any} */ { id, to, task, args }) => {
  try {
    if (to === "agent") {
      process.send?.(await (await started)?.task({ id, task, args }));
    } else {
      process.send?.({ id, result: await ownTasks[task]?.(args) });
    }
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
  }
});
process.on("disconnect", () => process.exit(0));
