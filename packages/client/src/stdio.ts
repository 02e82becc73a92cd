import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { LocalError } from "@askwire/protocol";
import { lineChannel, validateCompiled } from "@askwire/protocol/node";
import type { ClientSession, ConnectOptions } from "./contract/session.js";
import { childChannel, endOf, lineLimits } from "./process/child-channel.js";
import { programOutput } from "./process/program-output.js";
import { systemTiming } from "./runtime/timing.js";
import { connect } from "./session/connect.js";

/** The options of {@link connectProcess} beside those of every connection. */
export interface SpawnOptions extends ConnectOptions {
  /** The folder of the process. Default: this process's. */
  readonly cwd?: string;
  /**
   * The whole environment of the process. Default: this process's without `DEBUG`. With that variable some agents
   * write to their standard output (P-CLI-10).
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with the agent's log. Default: none; errors always have its last 4,096 characters. */
  readonly onStderr?: (text: string) => void;
  /**
   * Called once if the process has not introduced itself 3 seconds after its start, with its output so far, without
   * messages.
   * Connecting goes on until `initializeTimeoutMs`. Default: none.
   */
  readonly onSlowStart?: (printed: string) => void;
  /** Ends a process that has not introduced itself when aborted; connecting then fails. Default: none. */
  readonly signal?: AbortSignal;
  /** The time for the process to end after its input, and after SIGTERM, in milliseconds. Default: 3,000. */
  readonly closeTimeoutMs?: number;
}

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
  const { DEBUG: _ours, ...inherited } = process.env;
  options.signal?.throwIfAborted();
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: options.env ?? inherited,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const output = programOutput();
  const gone = endOf(child, command, output, options.onStderr);
  const channel = childChannel(child, command, gone, output, options);
  const { timing = systemTiming, onSlowStart, signal } = options;
  const inTime = timing.after(SLOW_MS, () => onSlowStart?.(output.printed));
  const kill = () => void child.kill();
  signal?.addEventListener("abort", kill);
  try {
    const session = await connect(channel, { validate: validateCompiled, ...options });
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
    if (!(error instanceof LocalError) || error.code !== "TIMEOUT") throw error;
    throw new LocalError("TIMEOUT", `"${command}" did not introduce itself${output.ending()}`, {
      cause: error,
    });
  } finally {
    inTime();
    signal?.removeEventListener("abort", kill);
  }
}

/** Connects over a pair of streams, for example of a process started elsewhere. */
export function connectStreams(
  input: Readable,
  output: Writable,
  options: ConnectOptions = {},
): Promise<ClientSession> {
  return connect(lineChannel(input, output, lineLimits(options.limits)), {
    validate: validateCompiled,
    ...options,
  });
}
