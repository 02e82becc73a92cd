/** @import { Measure } from "../contract.js" */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectWebSocket } from "@askwire/client/websocket";
import { onLines } from "@askwire/protocol/node";

const bare = fileURLToPath(new URL("../host/bare-mcp.mjs", import.meta.url));
const command = fileURLToPath(new URL("../../apps/cli/bin/askwire.js", import.meta.url));

/** @type {Measure} */
export const mcp = {
  name: "mcp",
  title: "An MCP server that asks",
  note: "From the start of the process to the list of its tools, and the mean of a call, one after another: of a bare server of the official SDK whose tool does nothing, and of `askwire mcp`, whose question goes through the gateway to a client that answers at once.",
  columns: () => [
    { key: "bareStart", label: "tool list, bare, ms" },
    { key: "start", label: "askwire mcp, ms" },
    { key: "startRatio", label: "ratio" },
    { key: "bareCall", label: "a call, bare, µs" },
    { key: "call", label: "askwire mcp, µs" },
    { key: "callRatio", label: "ratio" },
  ],
  reps: ({ reps }) => reps,
  async sample(_peer, { quick }) {
    const calls = quick ? 200 : 1_000;
    const home = await mkdtemp(join(tmpdir(), "askwire-bench-mcp-"));
    try {
      const plain = await measured([bare], "nothing", () => ({}), { home, calls, asks: false });
      const asking = await measured([command, "mcp"], "ask_user_question", questions, {
        home,
        calls,
        asks: true,
      });
      return {
        bareStart: plain.start,
        start: asking.start,
        startRatio: asking.start / plain.start,
        bareCall: plain.call,
        call: asking.call,
        callRatio: asking.call / plain.call,
      };
    } finally {
      await endGateway(home);
      await rm(home, { recursive: true, force: true });
    }
  },
};

const questions = () => ({
  questions: [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }],
});

/** @type {(args: string[], tool: string, given: () => object, how: { home: string, calls: number, asks: boolean }) => Promise<{ start: number, call: number }>} */
async function measured(args, tool, given, { home, calls, asks }) {
  const begun = process.hrtime.bigint();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ASKWIRE_HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  /** @type {Map<number, (result: unknown) => void>} */
  const waiting = new Map();
  onLines(child.stdout, (line) => {
    const { id, result } = JSON.parse(line);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const send = (/** @type {object} */ message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const request = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      send({ id: last, method, params });
    });
  /** @type {import("@askwire/client").ClientSession | undefined} */
  let person;
  try {
    const clientInfo = { name: "bench", version: "1" };
    await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    send({ method: "notifications/initialized" });
    await request("tools/list", {});
    const start = milliseconds(begun);
    const call = () => request("tools/call", { name: tool, arguments: given() });
    const first = call();
    if (asks) person = await answering(home);
    await first;
    const then = process.hrtime.bigint();
    for (let done = 0; done < calls; done++) await call();
    return { start, call: (milliseconds(then) / calls) * 1_000 };
  } finally {
    await person?.close();
    child.kill("SIGKILL");
  }
}

const milliseconds = (/** @type {bigint} */ since) => Number(process.hrtime.bigint() - since) / 1e6;

/** @type {(home: string) => Promise<import("@askwire/client").ClientSession>} */
async function answering(home) {
  const { address } = await gateway(home);
  return connectWebSocket(address, {
    handlers: {
      question: ({ questions: [asked] }) => ({
        items: [{ question_id: asked?.id ?? "", selected: [asked?.options[0]?.id ?? ""] }],
      }),
    },
  });
}

/** @type {(home: string) => Promise<{ address: string, pid: number }>} */
async function gateway(home) {
  for (;;) {
    try {
      return JSON.parse(await readFile(join(home, "gateway", "gateway.json"), "utf8"));
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** @type {(home: string) => Promise<void>} */
async function endGateway(home) {
  const { pid } = await gateway(home);
  process.kill(pid, "SIGKILL");
}
