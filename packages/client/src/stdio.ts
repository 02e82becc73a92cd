import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Limits, LocalError } from "@askwire/protocol";
import { type LineChannelOptions, lineChannel, validateCompiled } from "@askwire/protocol/node";
import type { ClientSession, ConnectOptions, DialedChannel } from "./contract/session.js";
import { NO_AGENT, type ProgramOutput, programOutput } from "./process/program-output.js";
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
 * The time for reading the last output after a process ended, in milliseconds. Its own children may hold the pipes
 * open forever.
 */
const DRAIN_MS = 200;

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
  const gone = watch(child, command, output, options.onStderr);
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

function lineLimits({ inboundBytes, unsentBytes }: Partial<Limits> = {}): LineChannelOptions {
  return {
    ...(inboundBytes === undefined ? {} : { inboundBytes }),
    ...(unsentBytes === undefined ? {} : { unsentBytes }),
  };
}

/** Resolves with an error that tells the end of the process. Every end is an error for a waiting caller. */
function watch(
  child: ChildProcess,
  command: string,
  output: ProgramOutput,
  onStderr?: (text: string) => void,
): Promise<LocalError> {
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.log(text);
    onStderr?.(text);
  });
  return new Promise((resolve) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      const why = error.code === "ENOENT" ? "it was not found; check the name or the PATH" : error.message;
      resolve(new LocalError("SPAWN_FAILED", `could not start "${command}": ${why}`, { cause: error }));
    });
    child.once("exit", () => {
      const timer = setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy();
      }, DRAIN_MS);
      child.once("close", () => clearTimeout(timer));
    });
    child.once("close", (code, signal) => {
      const how = signal === null ? `with status ${code}` : `by ${signal}`;
      resolve(new LocalError("PROCESS_EXITED", `"${command}" ended ${how}${output.ending()}`));
    });
  });
}

/** The channel of a child process. The channel closes after the process is gone, with its end as the cause. */
function childChannel(
  child: ChildProcess,
  command: string,
  gone: Promise<LocalError>,
  output: ProgramOutput,
  { closeTimeoutMs = 3_000, limits }: SpawnOptions,
): DialedChannel {
  const lines = lineChannel(child.stdout as Readable, child.stdin as Writable, lineLimits(limits));
  const stop = () => void endProcess(child, closeTimeoutMs);
  return {
    ...lines,
    introduced: () => output.introduced(),
    send(text) {
      output.sent(text);
      lines.send(text);
    },
    listen(sink) {
      let echo: LocalError | undefined;
      lines.listen({
        ...sink,
        message(text) {
          if (!output.echoes(text)) return sink.message(text);
          echo = new LocalError("BAD_PEER", `"${command}" sends back what it is sent${NO_AGENT}`);
          lines.close();
        },
        closed() {
          stop();
          void gone.then((error) => sink.closed(echo ?? error));
        },
      });
    },
    close() {
      lines.close();
      stop();
    },
  };
}

/** Ends a process: first its input, which ends an agent, then SIGTERM, then SIGKILL. */
async function endProcess(child: ChildProcess, timeoutMs: number): Promise<void> {
  child.stdin?.end();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const waited = new AbortController();
    const timer = setTimeout(() => waited.abort(), timeoutMs);
    await once(child, "exit", { signal: waited.signal }).catch(() => child.kill(signal));
    clearTimeout(timer);
  }
}
