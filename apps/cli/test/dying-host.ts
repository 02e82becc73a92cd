import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { command } from "./askwire.js";
import { isAlive } from "./is-alive.js";
import { untilThere } from "./mcp/hosts.js";

/** The ways in which a host goes: killed, with all of its pipes, or by closing the input of the command. */
export const deaths = ["is killed", "closes the input"] as const;
export type Death = (typeof deaths)[number];

/** The end of a card whose host has died, as the person is told. */
export const takenBack = "withdrawn, agent, by system";

/** A host as a process of its own, in which `askwire` runs with these arguments. It names itself as Claude Code does. */
export async function dyingHost(home: string, args: readonly string[]) {
  const host = fork(fileURLToPath(new URL("dying-host.mjs", import.meta.url)), [command, ...args], {
    env: { ...process.env, ASKWIRE_HOME: home },
    stdio: ["pipe", "pipe", "pipe", "ipc"],
  });
  onTestFinished(() => void host.kill("SIGKILL"));
  host.stdin?.on("error", () => {});
  const heard: string[] = [];
  let logged = "";
  let rest = "";
  host.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    heard.push(...lines);
  });
  host.stderr?.setEncoding("utf8").on("data", (text: string) => {
    logged += text;
  });
  const [pid] = (await once(host, "message")) as [number];
  onTestFinished(() => end(pid));
  const write = (text: string) => void host.stdin?.write(text);
  const say = (message: object) => write(`${JSON.stringify(message)}\n`);
  return {
    ...{ pid, say, write, heard, logged: () => logged },
    /** Says a request of JSON-RPC, and resolves with its result. */
    async request(id: number, method: string, params: object): Promise<Record<string, never>> {
      say({ jsonrpc: "2.0", id, method, params });
      return untilThere(() => {
        const replies = heard.map((line) => JSON.parse(line));
        return replies.find((reply) => reply.id === id && !("method" in reply))?.result;
      });
    },
    endInput: () => void host.stdin?.end(),
    /** The host reads nothing more, and lives. */
    freeze: () => void host.kill("SIGSTOP"),
    die(how: Death): void {
      if (how === "is killed") return void host.kill("SIGKILL");
      host.stdin?.end();
      host.kill("SIGCONT");
    },
    /** Resolves once none of these processes is left. */
    untilGone: (...also: readonly number[]) =>
      untilThere(() => ([pid, ...also].some(isAlive) ? undefined : true)),
  };
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return list.split("\n").flatMap((line) => {
    const [child = 0, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid ? [child] : [];
  });
}

function end(pid: number): void {
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
}
