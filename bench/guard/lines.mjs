// What the guard measures: CPU time in microseconds, of all processes that have a part in it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cpuMs } from "../system.mjs";

/** @typedef {Record<string, number>} Sample microseconds, by the name of a line. */

/** The lines in their order, and what one is measured by. @type {Readonly<Record<string, string>>} */
export const lines = {
  base: "a question, base profile, one by one",
  many: "a question, base profile, 64 in flight",
  extended: "a question, extended profile, one by one",
  text: "a streamed text of 25 characters",
  start: "a start of the command",
};

const WARM_MS = 1_500;
const MS = 700;
const WARM_TEXTS = 20_000;
const TEXTS = 100_000;
const STARTS = 10;

/**
 * Measures each line once, with the build of a folder.
 *
 * @param {string} folder @param {readonly number[]} cores @returns {Promise<Sample>}
 */
export async function sampled(folder, cores) {
  const module = pathToFileURL(join(folder, "bench/pair.mjs")).href;
  /** @type {typeof import("../pair.mjs")} */
  const { startPair } = await import(module);
  const one = cores.slice(0, 1);

  /** @param {string} peer @param {readonly number[]} inFlight @returns {Promise<number[]>} */
  async function trips(peer, inFlight) {
    const pair = await startPair({ peer, transport: "stdio", clientCores: one });
    try {
      await pair.call("agent", "trips", { inFlight: 64, warmMs: WARM_MS, ms: 0 });
      const found = [];
      for (const count of inFlight) {
        const { cpuPer100k } = await pair.call("agent", "trips", { inFlight: count, warmMs: MS, ms: MS });
        found.push(10 * cpuPer100k);
      }
      return found;
    } finally {
      pair.end();
    }
  }

  async function texts() {
    const pair = await startPair({ peer: "askwire", transport: "stdio", clientCores: one });
    const both = () => (cpuMs(pair.clientPid) ?? Number.NaN) + (cpuMs(pair.agentPid) ?? Number.NaN);
    try {
      await stream(0, WARM_TEXTS);
      const before = both();
      await stream(WARM_TEXTS, TEXTS);
      return ((both() - before) / TEXTS) * 1_000;
    } finally {
      pair.end();
    }
    /** @param {number} first @param {number} count */
    async function stream(first, count) {
      const heard = pair.call("client", "heard", { count: first + count });
      await pair.call("agent", "say", { first, count, size: 20, ms: 30_000 });
      await heard;
    }
  }

  const [base = 0, many = 0] = await trips("askwire", [1, 64]);
  const [extended = 0] = await trips("askwire-extended", [1]);
  return { base, many, extended, text: await texts(), start: starts(folder, one) };
}

/** The CPU time of a start, as a shell counts that of its children. @param {string} folder @param {readonly number[]} cores */
function starts(folder, cores) {
  const command = `for n in $(seq ${STARTS}); do "$0" apps/cli/bin/askwire.js info > /dev/null; done; times`;
  const pinned = cores.length === 0 ? [] : ["taskset", "-c", cores.join(",")];
  const [program = "", ...args] = [...pinned, "bash", "-c", command, process.execPath];
  // The first start compiles what the others find compiled.
  execFileSync(process.execPath, ["apps/cli/bin/askwire.js", "info"], { cwd: folder, stdio: "ignore" });
  const env = { ...process.env, LC_ALL: "C" };
  const times = execFileSync(program, args, { cwd: folder, encoding: "utf8", env });
  const [, children = ""] = times.trim().split("\n");
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s));
  return (seconds.reduce((sum, one) => sum + one, 0) / STARTS) * 1e6;
}
