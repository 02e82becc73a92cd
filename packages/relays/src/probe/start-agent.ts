import { type DialedChannel, type ProcessOptions, startProcess } from "@askwire/client/stdio";
import { type ChannelSink, LocalError } from "@askwire/protocol";
import { checkOptions, defined, type OptionRules, option } from "@askwire/protocol/internal";
import type { AgentFactory } from "@askwire/server";
import { acpAgent } from "../acp/acp-agent.js";
import { acpIntroduction, type IntroducedAgent, introduceAgent } from "../acp/introduce.js";
import type { AcpAgentOptions, AcpChosen } from "../acp/options.js";
import { executableOf } from "../process/executable-of.js";
import { AGENT_START_MS } from "../process/start-time.js";
import { startUpstream } from "../wire/upstream-agent.js";
import { wireAgentFrom } from "../wire/wire-agent.js";
import { BothProtocols } from "./both-protocols.js";

/** The options of {@link startAgent}. */
export interface AgentStartOptions extends Pick<ProcessOptions, "env" | "onStderr"> {
  /** The folder that the agent works in. */
  readonly cwd: string;
  /** The protocol of the agent. Default: told by the agent's answer to one `initialize` that has the fields of both. */
  readonly protocol?: "acp" | "wire" | undefined;
  /** The time for the agent to introduce itself, in milliseconds. Default: 180,000, as some agents are downloaded first. */
  readonly startTimeoutMs?: number;
  /** Called once with the output so far if the agent has not introduced itself after 3 seconds. Default: none. */
  readonly onSlowStart?: (printed: string) => void;
  /** Called with problems that change nothing. Default: none. */
  readonly onProblem?: (message: string) => void;
  /** Called with the model and the mode of an ACP agent, and with each change. Default: none. */
  readonly onChosen?: (chosen: AcpChosen) => void;
  /** Gives up an agent that has not introduced itself. Default: never. */
  readonly signal?: AbortSignal;
}

const startRules: OptionRules<AgentStartOptions> = {
  cwd: option.required(option.text),
  env: option.object,
  onStderr: option.callable,
  protocol: option.oneOf(["acp", "wire"]),
  startTimeoutMs: option.amount,
  onSlowStart: option.callable,
  onProblem: option.callable,
  onChosen: option.callable,
  signal: option.signal,
};

/** An agent that has introduced itself. */
export interface StartedAgent {
  readonly protocol: "acp" | "wire";
  /** Makes the agents of sessions: the first takes this process, each further one starts its own. */
  readonly agent: AgentFactory;
  /** Ends the process at once, for one that no session has taken. Resolves once it is gone. */
  end(): Promise<void>;
}

/**
 * Starts an agent, and finds its protocol where none is named.
 *
 * @param command the executable, looked up in PATH, and its arguments.
 * @throws TypeError for an empty command, and for an option that is unknown or does not fit; LocalError as `connectProcess`, with the last words of a program that speaks
 * neither protocol; the signal's reason.
 */
export async function startAgent(
  command: readonly string[],
  options: AgentStartOptions,
): Promise<StartedAgent> {
  checkOptions("startAgent", options, startRules);
  const started = executableOf(command);
  const { protocol } = options;
  if (protocol === "acp") return await startAcp(started, options);
  const { cwd, env, startTimeoutMs, onStderr, onSlowStart, onProblem, signal } = options;
  const start = { command: started, ...defined({ env, startTimeoutMs, onStderr, onProblem }) };
  // Each session says of its own people if they can be asked.
  const connect = (through?: Through) =>
    startUpstream({ ...start, ...defined({ onSlowStart, signal, through }) }, cwd, { planMode: true });
  const found = protocol === "wire" ? await connect() : await eitherProtocol(connect);
  if (!("heardBy" in found)) return acpStarted(started, found, options);
  return {
    protocol: "wire",
    agent: wireAgentFrom(found, start),
    end: found.end,
  };
}

/** Makes the channel that a client of the wire uses of that of a process. */
type Through = (channel: DialedChannel) => DialedChannel;

/**
 * Connects as a client of the wire by an `initialize` that has the fields of both protocols. Resolves with the
 * connection, or with an agent that has answered as one of ACP does and that nobody is connected to.
 *
 * @param connect starts the process and connects over the channel that `through` makes.
 */
export async function eitherProtocol<T>(
  connect: (through: Through) => Promise<T>,
): Promise<T | IntroducedAgent> {
  let answered: (agent: Promise<IntroducedAgent>) => void;
  const acp = new Promise<IntroducedAgent>((resolve) => {
    answered = resolve;
  });
  const wire = connect((channel) => {
    const both = new BothProtocols(channel, acpIntroduction(2));
    answered(both.answered);
    return both.channel;
  });
  // The connection that an ACP agent leaves behind fails once the process is gone.
  wire.catch(() => {});
  return await Promise.race([wire, acp]);
}

/** Starts an agent that is known to be one of ACP. */
async function startAcp(
  command: readonly [string, ...string[]],
  options: AgentStartOptions,
): Promise<StartedAgent> {
  const [executable, ...args] = command;
  const { cwd, env, startTimeoutMs = AGENT_START_MS, onStderr, onSlowStart, signal } = options;
  signal?.throwIfAborted();
  const { channel, gone, printed, silent, kill } = startProcess(executable, args, {
    cwd,
    ...defined({ env, onStderr }),
  });
  const slow = setTimeout(() => onSlowStart?.(printed()), SLOW_MS);
  signal?.addEventListener("abort", kill);
  try {
    return acpStarted(command, await introduceAgent(channel, 2, startTimeoutMs), options);
  } catch (error) {
    await gone;
    throw error instanceof LocalError && error.code === "TIMEOUT" ? silent(error) : error;
  } finally {
    clearTimeout(slow);
    signal?.removeEventListener("abort", kill);
  }
}

const SLOW_MS = 3_000;

function acpStarted(
  command: readonly string[],
  introduced: IntroducedAgent,
  { env, startTimeoutMs, onStderr, onProblem, onChosen }: AgentStartOptions,
): StartedAgent {
  const { end, ...watched } = endedBy(introduced);
  const settings: AcpAgentOptions = {
    introduced: watched,
    ...defined({ env, startTimeoutMs, onStderr, onStray: onProblem, onChosen }),
  };
  return {
    protocol: "acp",
    agent: acpAgent(command, settings),
    end,
  };
}

/** An agent with what ends it, also before somebody listens to it. */
function endedBy({ channel, initialized }: IntroducedAgent): IntroducedAgent & Pick<StartedAgent, "end"> {
  let hasListener = false;
  let gone = () => {};
  const isGone = new Promise<void>((resolve) => {
    gone = resolve;
  });
  function listen(sink: ChannelSink): void {
    hasListener = true;
    channel.listen({
      message: (text) => sink.message(text),
      oversized: (bytes) => sink.oversized(bytes),
      unreadable: (problem) => sink.unreadable?.(problem),
      closed(cause) {
        gone();
        sink.closed(cause);
      },
    });
  }
  return {
    channel: { ...channel, listen },
    initialized,
    async end() {
      if (!hasListener) listen({ message() {}, oversized() {}, closed() {} });
      channel.kill?.();
      channel.close();
      await isGone;
    },
  };
}
