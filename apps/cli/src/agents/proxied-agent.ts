import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { visibleText } from "@askwire/client/text";
import { howEnded, lastWords } from "@askwire/protocol/node";
import { CommandFailure } from "../input/failure.js";
import { endProcessGroup, killAtExit } from "../process/process-group.js";

/** The end of an agent. */
export interface AgentEnd {
  /** The exit code that tells how, as a shell has it. */
  readonly code: number;
  /** A sentence on the end, with the exit status or the signal and the last words of the log. */
  readonly words: string;
}

/** The process of an agent whose messages somebody passes on. Its log goes to our standard error. */
export interface ProxiedProcess {
  readonly input: Readable;
  readonly output: Writable;
  /** Asks the process and its children to end. After a while they are killed. */
  end(): void;
  /** Resolves once the process is gone. */
  readonly gone: Promise<AgentEnd>;
  /** Resolves with how the agent ended, or soon after its output has, if it lives on. */
  lastWords(): Promise<string>;
}

/** The time in which an agent has to end once its host is gone, in milliseconds. */
const GRACE_MS = 5_000;

/** The time for reading what a process wrote last, in milliseconds: its own children may hold its pipes for ever. */
const DRAIN_MS = 1_000;

/** The exit code of a process that a signal has ended, less the number of the signal. */
const BY_SIGNAL = 128;

/**
 * Starts an agent in its host's place.
 *
 * @throws Failure for a program that cannot be started, with the next step.
 */
export async function proxiedProcess(
  [executable, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<ProxiedProcess> {
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(executable, args, {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    detached: process.platform !== "win32",
  });
  const said = lastWords(child.stderr);
  child.stderr.pipe(process.stderr);
  const gone = new Promise<AgentEnd>((resolve) => {
    child.once("exit", () => void setTimeout(() => child.stderr.destroy(), DRAIN_MS).unref());
    child.once("close", (code, signal) => {
      const log = said() === "" ? "" : `: ${visibleText(said())}`;
      resolve({
        code: code ?? BY_SIGNAL + constants.signals[signal ?? "SIGKILL"],
        words: `"${executable}" ended ${howEnded(code, signal)}${log}`,
      });
    });
  });
  try {
    await once(child, "spawn");
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailure(
      `acp: ${executable} cannot be started (${message}): expected the command of an ACP agent`,
    );
  }
  const kept = killAtExit(child);
  void gone.then(kept);
  return {
    input: child.stdout,
    output: child.stdin,
    gone,
    end: () => void endProcessGroup(child, GRACE_MS, () => {}),
    lastWords: async () => {
      const late = sleep(2 * DRAIN_MS, { words: `"${executable}" has closed its output` }, { ref: false });
      return (await Promise.race([gone, late])).words;
    },
  };
}
