import { visibleText } from "@askwire/client/text";
import { LocalError } from "@askwire/protocol";
import { agentEnvironment } from "@askwire/relays";
import { type AcpChosen, type StartedAgent, startAgent } from "@askwire/relays/acp";
import { type AskApproval, namedCommand } from "../by-name/named-command.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { inheritedNames } from "../process/command-environment.js";
import type { ServedAgent } from "./named-agent.js";
import { readableLog } from "./readable-log.js";

/** The agent that others wrote: its command, and what the options and the configuration say of it. */
export interface ForeignAgent {
  readonly command: readonly [string, ...string[]];
  /** Default: told by the agent. */
  readonly protocol: "acp" | "wire" | undefined;
  /** The whole environment of its process. */
  readonly env: NodeJS.ProcessEnv;
}

/** The options that say which program is the agent, and how. */
export interface ForeignOptions {
  readonly acp?: boolean;
  readonly wire?: boolean;
  /** The name of an agent in a configuration, or of a shipped one. */
  readonly agent?: string;
}

/**
 * The agent of `-- COMMAND`, or of `--agent NAME`, whose command the configuration has.
 *
 * @param ask shows a person the content of a project's agent. Default: nobody can be asked.
 */
export async function foreignAgent(
  command: readonly string[],
  { agent, acp = false, wire = false }: ForeignOptions,
  workDir: string,
  ask: AskApproval | undefined,
): Promise<ForeignAgent> {
  if (acp && wire) throw usageFailure("--acp and --wire name two protocols: leave one out");
  const { env } = process;
  const said = acp ? "acp" : wire ? "wire" : undefined;
  const inherited = inheritedNames(env);
  if (agent === undefined) {
    const [executable = "", ...args] = command;
    return { command: [executable, ...args], protocol: said, env: agentEnvironment(env, inherited) };
  }
  const named = await namedCommand(agent, { workDir, env, ask });
  const own = agentEnvironment(env, [...inherited, ...named.inherit]);
  return { command: named.command, protocol: said ?? named.protocol, env: { ...own, ...named.env } };
}

/** Reports the start of an agent: lines of the command itself, and the log of the agent. */
export interface StartTeller {
  readonly line: (text: string) => void;
  readonly log: (text: string) => void;
  /** Told the model and the mode of an ACP agent. */
  readonly onChosen?: (chosen: AcpChosen) => void;
  /** Gives up an agent that has not introduced itself. */
  readonly signal?: AbortSignal;
}

/** The time for an agent to introduce itself, in milliseconds. Some agents are downloaded first. */
export const START_MS = 180_000;

/** Starts an agent that others wrote, for the first session of a server. */
export async function startedAgent(
  { command, protocol, env }: ForeignAgent,
  cwd: string,
  { line, log, signal, onChosen }: StartTeller,
): Promise<StartedAgent> {
  const [executable] = command;
  try {
    return await startAgent(command, {
      cwd,
      env,
      protocol,
      startTimeoutMs: START_MS,
      onStderr: readableLog(log),
      onSlowStart: (printed) => line(slowStart(executable, printed)),
      onProblem: firstOnly((problem) => line(`from "${executable}": ${visibleText(problem)}`)),
      ...(signal !== undefined && { signal }),
      ...(onChosen !== undefined && { onChosen }),
    });
  } catch (error) {
    throw error instanceof LocalError ? new CommandFailure(error.message) : error;
  }
}

/** The agent of a server by an agent that has started. */
export const servedAgent = ({ agent }: StartedAgent, [executable]: ForeignAgent["command"]): ServedAgent => ({
  agentName: `command ${executable}`,
  agent,
});

/** The line for an agent that takes its time. */
export function slowStart(executable: string, printed: string): string {
  const so = printed === "" ? "" : `; so far it printed: ${visibleText(printed)}`;
  const wait = `waiting up to ${START_MS / 1_000} s, Ctrl-C leaves`;
  return `"${executable}" has not introduced itself as an agent yet (${wait})${so}`;
}

/** Reports only the first line without a message. A log on standard output would bury the conversation. */
export function firstOnly(report: (problem: string) => void): (problem: string) => void {
  let reported = false;
  return (problem) => {
    if (!reported) report(problem);
    reported = true;
  };
}
