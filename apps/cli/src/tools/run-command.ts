import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { endProcessGroup, isGroupAlive, killAtExit } from "../process/process-group.js";
import { keptOutput } from "./kept-output.js";

export interface CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /**
   * Asked when the time is up while the command goes on. Resolves with more milliseconds; 0 or a failure ends the
   * command.
   * The signal is aborted when the command has ended meanwhile.
   */
  readonly moreTime: (signal: AbortSignal) => Promise<number>;
  /** The time for a process to end by itself after being told, in milliseconds. */
  readonly graceMs: number;
  /** The most characters of output that are kept. */
  readonly maxOutput: number;
  readonly signal: AbortSignal;
}

/** The end of a command, with its output. */
export interface CommandEnding {
  readonly output: string;
  /** The exit code. Null when a signal ended the command. */
  readonly exitCode: number | null;
  readonly endedBy: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** Set if a process that the command started was still running. */
  readonly leftOver: boolean;
}

/** The time to wait for output after the command's end, and for the end of killed processes, in milliseconds. */
const SETTLE_MS = 500;

/**
 * Runs a command in a shell, in a process group of its own. On abort, when its time is up and after its end, the
 * remaining group is ended, then killed.
 * When our own process exits, the group is killed at once.
 *
 * @throws the error of starting the shell.
 */
export function runCommand(options: CommandOptions): Promise<CommandEnding> {
  const { timeoutMs, moreTime, graceMs, signal } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = startShell(options);
    const letLive = killAtExit(child);
    const output = keptOutput(options.maxOutput);
    let timedOut = false;
    let leftOver = false;
    /** Set once the group is being ended. */
    let spareRest: (() => void) | undefined;
    let settling: NodeJS.Timeout | undefined;

    const endGroup = () => {
      spareRest ??= endProcessGroup(child, graceMs, () => {
        letLive();
        settling ??= setTimeout(finish, SETTLE_MS);
      });
    };
    /** Aborted when the command has ended. */
    const over = new AbortController();
    const timeUp = async () => {
      const ms = await moreTime(over.signal).catch(() => 0);
      if (over.signal.aborted || signal.aborted) return;
      if (ms > 0) timeout = setTimeout(timeUp, ms);
      else {
        timedOut = true;
        endGroup();
      }
    };
    let timeout = setTimeout(timeUp, timeoutMs);
    const stopClock = () => {
      clearTimeout(timeout);
      over.abort(new Error("the command has ended"));
    };
    signal.addEventListener("abort", endGroup, { once: true });

    function release(): void {
      stopClock();
      clearTimeout(settling);
      signal.removeEventListener("abort", endGroup);
      child.stdout?.destroy();
      child.stderr?.destroy();
    }

    function finish(): void {
      if (!isGroupAlive(child)) {
        spareRest?.();
        letLive();
      } else if (spareRest === undefined) {
        leftOver = true;
        endGroup();
      }
      release();
      const { exitCode, signalCode } = child;
      resolve({ output: output.text(), exitCode, endedBy: signalCode, timedOut, leftOver });
    }

    for (const stream of [child.stdout, child.stderr]) {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      stream?.on("data", (bytes: Buffer) => output.push(decoder.decode(bytes, { stream: true })));
      stream?.on("end", () => output.push(decoder.decode()));
    }
    child.once("error", (error) => {
      letLive();
      release();
      reject(error);
    });
    child.once("exit", () => {
      stopClock();
      clearTimeout(settling);
      settling = setTimeout(finish, SETTLE_MS);
    });
    child.once("close", finish);
  });
}

/** Starts the shell with both outputs in one pipe, so that their order is kept. Windows has two pipes. */
function startShell({ command, cwd, env }: CommandOptions): ChildProcess {
  if (process.platform === "win32") {
    return spawn(command, { cwd, env, shell: true, windowsHide: true, stdio: ["ignore", "pipe", "pipe"] });
  }
  const args = ["-c", 'exec "$0" -c "$1" 2>&1', shellPath(), command];
  return spawn("/bin/sh", args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
}

/** The shell to use. Models write for bash; without bash the system's shell reads most of it. */
function shellPath(): string {
  return ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find((path) => existsSync(path)) ?? "/bin/sh";
}
