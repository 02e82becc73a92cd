import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { endProcesses } from "./end-processes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const reporter = join(root, "scripts/matrix/reporter.mjs");

/**
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {number} seconds
 * @property {string[]} names of what failed
 * @property {boolean} ok
 */

/**
 * Runs tests with this Node and browser, and writes what vitest prints into a file.
 *
 * @param {object} run
 * @param {string} run.node the program
 * @param {string | undefined} run.browser the value of ASKWIRE_BROWSER, if any
 * @param {readonly string[]} run.files parts of the paths of test files. Empty: all.
 * @param {string} run.log
 * @param {(line: string) => void} run.tell called with the progress after each file
 * @param {AbortSignal} run.signal ends the tests and all that they started
 * @returns {Promise<Result>}
 */
export async function runTests({ node, browser, files, log, tell, signal }) {
  const start = performance.now();
  /** @type {Result} */
  const result = { passed: 0, failed: 0, skipped: 0, seconds: 0, names: [], ok: false };
  const { ASKWIRE_BROWSER: _, ...env } = process.env;
  const child = spawn(
    node,
    [vitest, "run", ...files, "--reporter=default", `--reporter=${reporter}`, "--no-color"],
    {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...env,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
        ...(browser !== undefined && { ASKWIRE_BROWSER: browser }),
      },
    },
  );
  const written = createWriteStream(log);
  child.stdout?.pipe(written, { end: false });
  child.stderr?.pipe(written, { end: false });
  const abort = () => void endProcesses(child);
  signal.addEventListener("abort", abort, { once: true });
  let [done, all] = [0, 0];
  child.on("message", (message) => {
    const told = /** @type {any} */ (message);
    if (told.type === "start") all = told.files;
    result.names.push(...(told.names ?? []));
    if (told.type !== "file") return;
    done += 1;
    for (const state of /** @type {const} */ (["passed", "failed", "skipped"])) result[state] += told[state];
    tell(`${done} of ${all} files, ${result.passed} passed, ${result.failed} failed`);
  });
  const code = await new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", resolve);
  });
  signal.removeEventListener("abort", abort);
  written.end();
  result.seconds = (performance.now() - start) / 1_000;
  result.ok = code === 0;
  if (!result.ok && result.names.length === 0) result.names.push(`vitest ended with ${code}: see ${log}`);
  return result;
}
