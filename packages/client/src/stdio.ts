import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type Limits, LocalError } from "@askwire/protocol";
import { checkOptions, limitRules, type OptionRules, option } from "@askwire/protocol/internal";
import { lineChannel, validateCompiled } from "@askwire/protocol/node";
import { connectRules, refuseMisplaced } from "./checks/node.js";
import type { ClientSession, ConnectOptions, DialedChannel } from "./contract/session.js";

export { textLines } from "@askwire/protocol/node";
export type { DialedChannel } from "./contract/session.js";

import { childChannel, endOf, lineLimits } from "./process/child-channel.js";
import { ProgramOutput } from "./process/program-output.js";
import { systemTiming } from "./runtime/timing.js";
import { openSession } from "./session/open-session.js";

/** The options of {@link startProcess}. */
export interface ProcessOptions {
  /** The folder of the process. Default: this process's. */
  readonly cwd?: string;
  /**
   * The whole environment of the process. Default: this process's without `DEBUG`. With that variable some agents
   * write to their standard output (P-CLI-10).
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with the agent's log. Default: none; errors always have its last 4,096 characters. */
  readonly onStderr?: (text: string) => void;
  /** The time for the process to end after its input, and after SIGTERM, in milliseconds. Default: 3,000. */
  readonly closeTimeoutMs?: number;
  /** The bounds of lines and of unsent bytes. Default: `defaultLimits` of the protocol, and 64 MiB unsent. */
  readonly limits?: Partial<Limits>;
}

/** A program that was started, with its standard streams as a channel. */
export interface StartedProcess {
  /** Closing it ends the process: its input first, then SIGTERM, then SIGKILL. */
  readonly channel: DialedChannel;
  /** Resolves when the process is gone, with an error that reports the end and the last words of the process. */
  readonly gone: Promise<LocalError>;
  /** The output so far that is no message, in one line; empty without any. */
  readonly printed: () => string;
  /** The error for a process that did not introduce itself in time, with its output. */
  readonly silent: (cause: unknown) => LocalError;
  /** Ends the process: by SIGTERM at once, then by SIGKILL after `closeTimeoutMs`. */
  readonly kill: () => void;
}

const processRules: OptionRules<ProcessOptions> = {
  cwd: option.text,
  env: option.object,
  onStderr: option.callable,
  closeTimeoutMs: option.amount,
  limits: option.of<Partial<Limits>>(limitRules),
};

/**
 * Starts a program, with lines of its standard streams as messages. A program that cannot be started is `gone`
 * with LocalError SPAWN_FAILED.
 *
 * @param command the executable; looked up in PATH.
 * @throws TypeError for an option that is unknown or does not fit.
 * @throws LocalError SPAWN_FAILED for a program that the system refuses at once.
 */
export function startProcess(
  command: string,
  args: readonly string[] = [],
  options: ProcessOptions = {},
): StartedProcess {
  checkOptions("startProcess", options, processRules);
  return started(command, args, options);
}

/** Starts a program as {@link startProcess} does, by options that were checked. */
function started(command: string, args: readonly string[], options: ProcessOptions): StartedProcess {
  const { DEBUG: _ours, ...inherited } = process.env;
  const child = spawned(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: options.env ?? inherited,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const output = new ProgramOutput();
  const { closeTimeoutMs = 3_000 } = options;
  const gone = endOf(child, command, output, options);
  const channel = childChannel(child, command, gone, output, { ...options, closeTimeoutMs });
  return {
    channel,
    gone,
    printed: () => output.printed,
    silent: (cause) =>
      new LocalError("TIMEOUT", `"${command}" did not introduce itself in time${output.ending(SILENT)}`, {
        cause,
      }),
    kill: channel.kill,
  };
}

/** The next step for a program whose log does not say why it is silent. */
const SILENT = "; try again, or run it by itself to see what it waits for";

/** Starts a process. The system refuses some programs at once, such as one that is being written. */
function spawned(...command: [string, readonly string[], SpawnOptionsWithoutStdio]): ChildProcess {
  if (command[0] === "") {
    throw new LocalError("SPAWN_FAILED", 'the command is empty: name the program to start, such as "node"');
  }
  try {
    return spawn(...command);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LocalError("SPAWN_FAILED", `could not start "${command[0]}": ${why}`, { cause: error });
  }
}

/** The options of {@link connectProcess} in addition to those of every connection. */
export interface SpawnOptions extends ConnectOptions, Omit<ProcessOptions, "limits"> {
  /**
   * Called once if the process has not introduced itself 3 seconds after its start, with its output so far, without
   * messages.
   * Connecting continues until `initializeTimeoutMs`. Default: none.
   */
  readonly onSlowStart?: (printed: string) => void;
  /** Ends a process that has not introduced itself when aborted; connecting then fails. Default: none. */
  readonly signal?: AbortSignal;
  /** Makes the channel that the connection uses of that of the process. Default: the channel of the process. */
  readonly through?: (channel: DialedChannel) => DialedChannel;
}

const spawnRules: OptionRules<SpawnOptions> = {
  ...connectRules,
  ...processRules,
  onSlowStart: option.callable,
  through: option.callable,
};

/** The time for a process to introduce itself before `onSlowStart` is called, in milliseconds. */
const SLOW_MS = 3_000;

/**
 * Starts an agent as a child process and connects to it over its standard input and output.
 *
 * @param command the executable; looked up in PATH.
 * @throws LocalError SPAWN_FAILED if the process cannot be started, PROCESS_EXITED if it ends at once, BAD_PEER if it
 * sends back its input; else as `connect`. Before an introduction, the error has the output of the process.
 */
export async function connectProcess(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): Promise<ClientSession> {
  if (!Array.isArray(args))
    throw new TypeError('connectProcess: args: expected an array of texts, such as ["agent.mjs"]');
  refuseMisplaced("connectProcess", options);
  checkOptions("connectProcess", options, spawnRules);
  options.signal?.throwIfAborted();
  const { channel, gone, printed, silent, kill } = started(command, args, options);
  // The end of the process says more than the reason of the signal.
  const { signal, ...settings } = options;
  const { timing = systemTiming, onSlowStart, through = (channel) => channel } = settings;
  const inTime = timing.after(SLOW_MS, () => onSlowStart?.(printed()));
  signal?.addEventListener("abort", kill);
  const begun = () => {
    inTime();
    signal?.removeEventListener("abort", kill);
  };
  try {
    const session = await openSession(through(channel), false, {
      validate: validateCompiled,
      ...settings,
      ...(options.onProblem !== undefined && { onProblem: withAdvice(options.onProblem) }),
    }).finally(begun);
    const { close } = session;
    // The session itself gets the new member: a copy would freeze its status.
    return Object.assign(session, {
      async close() {
        await close();
        await gone;
      },
    });
  } catch (error) {
    await gone;
    throw error instanceof LocalError && error.code === "TIMEOUT" ? silent(error) : error;
  }
}

/** Adds to the first line of output that is no message what to do about it. */
function withAdvice(onProblem: (message: string) => void): (message: string) => void {
  let isTold = false;
  return (message) => {
    const isStray = !isTold && message.startsWith("Invalid JSON format");
    isTold ||= isStray;
    onProblem(isStray ? `${message}: ${ADVICE}` : message);
  };
}

const ADVICE =
  "standard output carries messages alone, so print to standard error instead, as console.error does";

/** Connects over a pair of streams, for example of a process started elsewhere. */
export async function connectStreams(
  input: Readable,
  output: Writable,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  checkOptions("connectStreams", options, connectRules);
  return await openSession(lineChannel(input, output, lineLimits(options.limits)), false, {
    validate: validateCompiled,
    ...options,
  });
}
