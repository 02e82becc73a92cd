import { basename } from "node:path";
import type { ClientSession } from "@askwire/client";
import { acpProxy } from "@askwire/relays/acp";
import { shareFolder } from "@askwire/server";
import { proxiedProcess } from "../agents/proxied-agent.js";
import { namedCommand } from "../by-name/named-command.js";
import type { AcpOptions } from "../command-line/acp.js";
import { onEndSignal } from "../input/end-signals.js";
import { connectPlace } from "../mcp/connected-gateway.js";
import { askedPlace } from "./asked-place.js";

/** The time to withdraw what is open at the end, in milliseconds. */
const WITHDRAW_MS = 2_000;

/** The time in which an agent has to end by itself once its host is gone, in milliseconds. */
const LEFT_MS = 2_000;

/** Starts an agent for a host of ACP, and passes on what they say, until one of them ends. */
export async function acp(command: readonly string[], options: AcpOptions): Promise<void> {
  const place = askedPlace("acp", shareFolder(process.env, { kimi: false }), options);
  const { words, env } = await agentOf(command, options.agent);
  const agent = await proxiedProcess(words, env);
  const stop = new AbortController();
  const tell = (line: string) => void process.stderr.write(`askwire: acp: ${line}\n`);
  const name = `${options.agent ?? basename(words[0])} in ${basename(process.cwd())}`;
  let session: ClientSession | undefined;
  const proxy = acpProxy({
    host: { input: process.stdin, output: process.stdout },
    agent,
    async people() {
      session = await connectPlace(name, place, tell, stop.signal);
      return session;
    },
    onProblem: tell,
    lastWords: agent.lastWords,
  });
  let isLeft = false;
  onEndSignal(agent.end);
  // An agent ends by itself when its input does.
  const left = () => {
    isLeft = true;
    setTimeout(agent.end, LEFT_MS).unref();
  };
  process.stdin.once("end", left).once("close", left);
  const end = await agent.gone;
  process.exitCode = end.code;
  if (end.code !== 0 && !isLeft) tell(end.words);
  setTimeout(() => process.exit(), WITHDRAW_MS).unref();
  await proxy.ended;
  stop.abort();
  await session?.close();
  process.exit();
}

async function agentOf(command: readonly string[], agent: string | undefined) {
  if (agent === undefined) {
    const [executable = "", ...args] = command;
    return { words: [executable, ...args] as const, env: process.env };
  }
  const found = await namedCommand(agent, { workDir: process.cwd(), env: process.env, ask: undefined });
  return { words: found.command, env: { ...process.env, ...found.env } };
}
