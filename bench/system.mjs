import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { arch, cpus, platform, release, totalmem } from "node:os";

/** @type {(path: string) => string | null} */
function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * The CPU time of a process with all its living threads, in milliseconds; null if /proc has no schedstat.
 * @type {(pid: number) => number | null}
 */
export function cpuMs(pid) {
  let total = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const line = read(`/proc/${pid}/task/${thread}/schedstat`);
      if (line !== null) total += Number(line.split(" ")[0]) / 1e6;
    }
  } catch {
    return null;
  }
  return total > 0 ? total : null;
}

/**
 * The resident memory of a process in bytes; null without /proc.
 * @type {(pid: number) => number | null}
 */
export function rssBytes(pid) {
  const line = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`) ?? "");
  return line === null ? null : Number(line[1]) * 1024;
}

/**
 * The cores that this process may use, the last one first; empty without `taskset`.
 * @returns {number[]}
 */
export function pinnableCores() {
  try {
    const mask = execFileSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" });
    const list = mask.slice(mask.lastIndexOf(":") + 1).trim();
    return list
      .split(",")
      .flatMap((range) => {
        const [first = 0, last = first] = range.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, n) => first + n);
      })
      .reverse();
  } catch {
    return [];
  }
}

/**
 * The command line that runs `node` on these cores, or wherever its parent may run when there are none.
 * @type {(cores: readonly number[], args: readonly string[]) => [string, string[]]}
 */
export function nodeOn(cores, args) {
  return cores.length === 0
    ? [process.execPath, [...args]]
    : ["taskset", ["-c", cores.join(","), process.execPath, ...args]];
}

/**
 * Moves this process with all its threads to the given cores. Without cores the process stays.
 * @type {(cores: readonly number[]) => void}
 */
export function stayOn(cores) {
  if (cores.length > 0) {
    execFileSync("taskset", ["-acp", cores.join(","), String(process.pid)], { stdio: "ignore" });
  }
}

/** @returns {string} */
export function describeMachine() {
  const model = cpus()[0]?.model ?? arch();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${memory} GB, ${platform()} ${release()}, Node ${process.version}`;
}

/**
 * The commit that is checked out, with `-dirty` where files were changed since; null outside of a repository.
 * @returns {string | null}
 */
export function describeCommit() {
  const args = ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"];
  try {
    return execFileSync("git", args, {
      cwd: new URL(".", import.meta.url),
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
  } catch {
    return null;
  }
}
