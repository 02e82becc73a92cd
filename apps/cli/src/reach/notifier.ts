import { type ChildProcess, spawn } from "node:child_process";
import { visibleLine } from "@askwire/client/text";
import { commandEnvironment } from "../process/command-environment.js";
import { endProcessGroup } from "../process/process-group.js";
import type { ReachNotice } from "./notice.js";

/** The most processes at once, and the most notices that wait for one. */
const MOST_RUNNING = 2;
const MOST_WAITING = 100;

/** The time for a process to end, and to end once it is told to, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
const GRACE_MS = 1_000;

/** The characters of a failed command's last words that are told. */
const MOST_TOLD = 500;

/** Gives notices to a person's own command. */
export interface Notifier {
  /** Gives a notice, in turn: those of one request follow each other. Never waits and never fails. */
  send(notice: ReachNotice): void;
  /** Ends what runs, and forgets what waits. */
  close(): void;
}

/**
 * Runs a line of the shell for each notice, which it reads as JSON on its standard input. Its environment has no key
 * and no token of ours.
 *
 * @param tell told the first failure, and once that notices were left out.
 * @param option the option that names the command. Default: `--notify`.
 * @param timeLimitMs the time for a command, in milliseconds. Default: 10,000.
 */
export function createNotifier(
  command: string,
  {
    tell,
    timeLimitMs = TIME_LIMIT_MS,
    option = "--notify",
  }: { readonly tell: (line: string) => void; readonly timeLimitMs?: number; readonly option?: string },
): Notifier {
  const waiting: ReachNotice[] = [];
  /** By the id of the request. */
  const running = new Map<string, ChildProcess>();
  let hasFailed = false;
  let hasDropped = false;

  function fail(why: string): void {
    if (!hasFailed) tell(`${option}: the command ${why}; further failures are not reported`);
    hasFailed = true;
  }

  function next(): void {
    while (running.size < MOST_RUNNING) {
      const index = waiting.findIndex(({ id }) => !running.has(id));
      const [notice] = index < 0 ? [] : waiting.splice(index, 1);
      if (notice === undefined) return;
      start(notice);
    }
  }

  function start(notice: ReachNotice): void {
    const child = startShell(command);
    running.set(notice.id, child);
    let late = false;
    let said = "";
    const limit = setTimeout(() => {
      late = true;
      endProcessGroup(child, GRACE_MS, () => {});
    }, timeLimitMs);

    function over(problem?: string): void {
      if (!running.delete(notice.id)) return;
      clearTimeout(limit);
      child.stderr?.destroy();
      const words = visibleLine(said.trim().slice(0, MOST_TOLD));
      if (late) fail(`took more than ${timeLimitMs / 1_000} s and was ended`);
      else if (problem !== undefined) fail(`${problem}${words === "" ? "" : `: ${words}`}`);
      next();
    }
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(0, MOST_TOLD);
    });
    child.once("error", ({ message }) => over(`could not be started (${message})`));
    child.once("exit", (code, signal) => {
      const problem =
        code === 0 ? undefined : code === null ? `was ended by ${signal}` : `ended with ${code}`;
      // Its last words may come after its end.
      child.once("close", () => over(problem));
      setTimeout(over, GRACE_MS, problem).unref();
    });
    // A command may end without reading.
    child.stdin?.on("error", () => {});
    child.stdin?.end(`${JSON.stringify(notice)}\n`);
  }

  return {
    send(notice) {
      const at = waiting.findIndex(({ id }) => id === notice.id);
      const before = waiting[at]?.event;
      if (before === "asked" && notice.event === "settled") {
        // Nobody was told of the request, and nobody needs to be.
        waiting.splice(at, 1);
        return;
      }
      if (before !== undefined) {
        // The later one says all that the earlier would have.
        waiting[at] = { ...notice, event: before === "asked" ? "asked" : notice.event };
        return;
      }
      waiting.push(notice);
      next();
      if (waiting.length <= MOST_WAITING) return;
      waiting.shift();
      if (!hasDropped)
        tell(`${option}: the command is slower than requests arrive: the oldest notices are dropped`);
      hasDropped = true;
    },
    close() {
      waiting.length = 0;
      for (const child of running.values()) endProcessGroup(child, GRACE_MS, () => {});
    },
  };
}

/** Starts the shell of the system with the person's line. */
function startShell(command: string): ChildProcess {
  const options = { env: commandEnvironment(process.env), stdio: ["pipe", "ignore", "pipe"] as const };
  return process.platform === "win32"
    ? spawn(command, { ...options, stdio: [...options.stdio], shell: true, windowsHide: true })
    : spawn("/bin/sh", ["-c", command], { ...options, stdio: [...options.stdio], detached: true });
}
