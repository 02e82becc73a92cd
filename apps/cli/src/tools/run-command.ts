import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import { endProcessGroup, isGroupAlive, killAtExit } from "../process/process-group.js";
import { KeptOutput } from "./kept-output.js";

export interface CommandOptions {
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /**
   * Asked when the time is up while the command still runs. Resolves with more milliseconds; 0 or a failure ends the
   * command.
   * The signal is aborted when the command has ended meanwhile.
   */
  readonly moreTime: (signal: AbortSignal) => Promise<number>;
  /** The time for a process to end by itself after being told, in milliseconds. */
  readonly graceMs: number;
  /** The most characters of output that are kept. */
  readonly maxOutput: number;
  /** Called with each piece of output as it comes. Default: nothing. */
  readonly onOutput?: (text: string) => void;
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
  return new Promise((resolve, reject) => {
    options.signal.throwIfAborted();
    new RunningCommand(options, resolve, reject);
  });
}

/** A command from the start of its shell until the end of its group. */
class RunningCommand {
  readonly #options: CommandOptions;
  readonly #done: (ending: CommandEnding) => void;
  readonly #child: ChildProcess;
  readonly #letLive: () => void;
  readonly #output: KeptOutput;
  /** Aborted when the command has ended. */
  readonly #over = new AbortController();
  #timedOut = false;
  #leftOver = false;
  /** Set once the group is being ended. */
  #spareRest: (() => void) | undefined;
  #timeout: NodeJS.Timeout;
  /** Waits for the rest of the output. */
  #settling: NodeJS.Timeout | undefined;

  constructor(
    options: CommandOptions,
    done: (ending: CommandEnding) => void,
    failed: (error: Error) => void,
  ) {
    this.#options = options;
    this.#done = done;
    this.#child = startShell(options);
    this.#letLive = killAtExit(this.#child);
    this.#output = new KeptOutput(options.maxOutput);
    this.#timeout = setTimeout(this.#timeUp, options.timeoutMs);
    options.signal.addEventListener("abort", this.#endGroup, { once: true });
    for (const stream of [this.#child.stdout, this.#child.stderr]) this.#read(stream);
    this.#child.once("error", (error) => {
      this.#letLive();
      this.#release();
      failed(error);
    });
    this.#child.once("exit", () => this.#exited());
    this.#child.once("close", this.#finish);
  }

  #read(stream: Readable | null): void {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const take = (text: string) => {
      this.#output.push(text);
      this.#options.onOutput?.(text);
    };
    stream?.on("data", (bytes: Buffer) => take(decoder.decode(bytes, { stream: true })));
    stream?.on("end", () => take(decoder.decode()));
  }

  readonly #timeUp = async (): Promise<void> => {
    const { moreTime, signal } = this.#options;
    const ms = await moreTime(this.#over.signal).catch(() => 0);
    if (this.#over.signal.aborted || signal.aborted) return;
    if (ms > 0) {
      this.#timeout = setTimeout(this.#timeUp, ms);
    } else {
      this.#timedOut = true;
      this.#endGroup();
    }
  };

  readonly #endGroup = (): void => {
    this.#spareRest ??= endProcessGroup(this.#child, this.#options.graceMs, () => {
      this.#letLive();
      this.#settling ??= setTimeout(this.#finish, SETTLE_MS);
    });
  };

  #exited(): void {
    this.#stopClock();
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.#finish, SETTLE_MS);
  }

  readonly #finish = (): void => {
    if (!isGroupAlive(this.#child)) {
      this.#spareRest?.();
      this.#letLive();
    } else if (this.#spareRest === undefined) {
      this.#leftOver = true;
      this.#endGroup();
    }
    this.#release();
    const { exitCode, signalCode: endedBy } = this.#child;
    const [timedOut, leftOver] = [this.#timedOut, this.#leftOver];
    this.#done({ output: this.#output.text(), exitCode, endedBy, timedOut, leftOver });
  };

  #release(): void {
    this.#stopClock();
    clearTimeout(this.#settling);
    this.#options.signal.removeEventListener("abort", this.#endGroup);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #stopClock(): void {
    clearTimeout(this.#timeout);
    this.#over.abort(new Error("the command has ended"));
  }
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
