import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Limits, LocalError, type MessageChannel } from "@askwire/protocol";
import { type LineChannelOptions, lineChannel, validateCompiled } from "@askwire/protocol/node";
import { type ClientSession, type ConnectOptions, connect } from "./session.js";

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
  /** How long the process may take to end after its input, and after SIGTERM, in milliseconds. Default: 3,000. */
  readonly closeTimeoutMs?: number;
}

/** Characters of standard error that are kept for errors. */
const TAIL = 4_096;
/** How long what a process said last is read after its end: its own children may hold the pipes open for good. */
const DRAIN_MS = 200;

/**
 * Starts an agent as a child process and connects to it over its standard input and output.
 *
 * @param command the executable; looked up in PATH.
 * @throws LocalError SPAWN_FAILED if it cannot be started, PROCESS_EXITED if it ends at once; else as `connect`.
 */
export async function connectProcess(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): Promise<ClientSession> {
  const { DEBUG: _ours, ...inherited } = process.env;
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: options.env ?? inherited,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const gone = watch(child, command, options.onStderr);
  const channel = childChannel(child, gone, options);
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
    throw error;
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
function watch(child: ChildProcess, command: string, onStderr?: (text: string) => void): Promise<LocalError> {
  let tail = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-TAIL);
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
      const said = tail.trim() === "" ? "" : `: ${tail.trim()}`;
      resolve(new LocalError("PROCESS_EXITED", `"${command}" ended ${how}${said}`));
    });
  });
}

/** The channel of a child process. It closes when the process is gone, so that its end can be told as the cause. */
function childChannel(
  child: ChildProcess,
  gone: Promise<LocalError>,
  { closeTimeoutMs = 3_000, limits }: SpawnOptions,
): MessageChannel {
  const lines = lineChannel(child.stdout as Readable, child.stdin as Writable, lineLimits(limits));
  const stop = () => void endProcess(child, closeTimeoutMs);
  return {
    ...lines,
    listen(sink) {
      lines.listen({
        ...sink,
        closed() {
          stop();
          void gone.then((error) => sink.closed(error));
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
