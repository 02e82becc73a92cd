/** @import { Answerer, ClientModule, Connection, ReturningConnection } from "../contract.js" */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chosenOption, isHeld } from "../payload.mjs";
import { nodeOn } from "../system.mjs";
import { coldTasks } from "./cold.mjs";
import { memory } from "./tasks.mjs";

const [peer = "", transport = "stdio", mode = "pair", agentCores = ""] = process.argv.slice(2);
/** @type {ClientModule} */
const client = await import(`../peers/${peer}/client.mjs`);
const open = mode === "shared" ? client.overShared : client.overWebSocket;

/** The messages that this person saw. */
const seen = { held: 0, texts: 0, outOfOrder: 0 };
/** @type {{ count: number, reached(): void } | null} */
let awaited = null;

/** @type {(choice: number) => void} */
let answerHeld;
/** The held answer, which only a crowd gives. @type {Promise<number>} */
const heldAnswer = new Promise((resolve) => {
  answerHeld = resolve;
});

/** Each connection counts its texts for itself. @returns {Answerer} */
function createAnswerer() {
  let texts = 0;
  return {
    decide(question) {
      if (!isHeld(question)) return chosenOption;
      seen.held++;
      return mode === "crowd" ? heldAnswer : new Promise(() => {});
    },
    heard(text) {
      if (Number.parseInt(text, 10) !== texts++) seen.outOfOrder++;
      if (++seen.texts === awaited?.count) awaited.reached();
    },
  };
}

/** @type {(Connection | ReturningConnection)[]} */
const connections = [];

/** @type {Record<string, (args: any) => unknown>} */
const ownTasks = {
  async ready() {
    return { agentPid: (await started)?.pid ?? 0 };
  },
  seen: () => ({ ...seen }),
  memory,
  heard,
  async connect(/** @type {{ count: number }} */ { count }) {
    const url = (await started)?.url ?? "";
    for (let n = 0; n < count; n++) {
      const connection = await open?.(url, createAnswerer());
      if (connection !== undefined) connections.push(connection);
    }
  },
  /** Of a session that they share one connection begins the turn. */
  async begin() {
    const beginning = mode === "shared" ? connections.slice(0, 1) : connections;
    for (const connection of beginning) await connection.begin?.();
  },
  /** Answers every question that is held. */
  answer() {
    const startNs = String(process.hrtime.bigint());
    answerHeld(chosenOption);
    return { startNs };
  },
  lost: () => returning().lost(),
  /** Resolves with the time at which the client began to connect again, once it is back. */
  async comeBack() {
    const startNs = String(process.hrtime.bigint());
    await returning().comeBack();
    return { startNs };
  },
  ...coldTasks(peer, client),
};

/**
 * Resolves with the time at which the text number `count` arrived.
 * @type {(args: { count: number }) => Promise<{ endNs: string, outOfOrder: number }>}
 */
async function heard({ count }) {
  if (seen.texts < count) {
    await new Promise((resolve) => {
      awaited = { count, reached: () => resolve(undefined) };
    });
  }
  return { endNs: String(process.hrtime.bigint()), outOfOrder: seen.outOfOrder };
}

/** @returns {ReturningConnection} */
function returning() {
  const [connection] = connections;
  if (connection !== undefined && "comeBack" in connection) return connection;
  throw new Error(`${peer} has no connection that comes back`);
}

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
    child.stdout && child.stdin ? client.overStdio(child.stdout, child.stdin, createAnswerer()) : undefined;
  const url = await listening;
  if (mode === "pair") {
    const connection = (await opened) ?? (await client.overWebSocket?.(url, createAnswerer()));
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
