import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Limits, LocalError } from "@askwire/protocol";
import { type LineChannelOptions, lineChannel, validateCompiled } from "@askwire/protocol/node";
import type { ClientSession, ConnectOptions, DialedChannel } from "./contract/session.js";
import { NO_AGENT, type ProgramOutput, programOutput } from "./process/program-output.js";
import { systemTiming } from "./runtime/timing.js";
import { connect } from "./session/connect.js";

/** What {@link connectProcess} takes beside what every connection does. */
export interface SpawnOptions extends ConnectOptions {
  /** The folder that the process starts in. Default: that of this process. */
  readonly cwd?: string;
  /**
   * Its whole environment. Default: that of this process without `DEBUG`, which was set for this process and makes some
   * agents write to their standard output (P-CLI-10).
   */
  readonly env?: NodeJS.ProcessEnv;
  /** Where the agent's log goes. Default: nowhere; its last 4,096 characters are kept for errors in any case. */
  readonly onStderr?: (text: string) => void;
  /**
   * Told once where the process has not introduced itself 3 seconds after its start: with what it printed on its standard
   * output that is no message, empty if nothing. It is still waited for, as `initializeTimeoutMs` says. Default: nobody.
   */
  readonly onSlowStart?: (printed: string) => void;
  /** Aborted before the process has introduced itself, it ends the process, and connecting fails. Default: nothing does. */
  readonly signal?: AbortSignal;
  /** How long the process may take to end after its input, and after SIGTERM, in milliseconds. Default: 3,000. */
  readonly closeTimeoutMs?: number;
}

/** How long a process may take to introduce itself before that is told, in milliseconds. */
const SLOW_MS = 3_000;
/** How long what a process said last is read after its end: its own children may hold the pipes open for good. */
const DRAIN_MS = 200;

/**
 * Starts an agent as a child process and connects to it over its standard input and output.
 *
 * @param command the executable; looked up in PATH.
 * @throws LocalError SPAWN_FAILED if it cannot be started, PROCESS_EXITED if it ends at once, BAD_PEER if it sends back
 * what it is sent; else as `connect`. Where it has not introduced itself, they have what it printed.
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
    // Onto the session itself: its status is read anew each time.
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

/** Connects over a pair of streams, such as those of a process that somebody else started. */
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

/** Resolves with the error that says how the process ended: every end of it is one for who still waits. */
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

/** The channel of a child process. It closes when the process is gone, so that its end can be told as the cause. */
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

/** Ends a process: its input first, which an agent takes as the end, then SIGTERM, then SIGKILL. */
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
