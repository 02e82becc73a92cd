// The tests of a copy of the project: which of them come to which mutant, and whether they tell it.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./copy.mjs";

const vitest = ["node_modules/.bin/vitest", "run", "--config", "vitest.mutants.config.ts"];

/** Where a first run writes what it came to. */
const REACHED = "reached.txt";
/** The tests of a mutant run in parts, so that most mutants cost the first one: seconds of tests of each part. */
const PARTS = [4, 15, 60];
/** How much longer than usual a part may take, and the least time, in milliseconds. A mutant may go on for ever. */
const SLOWNESS = 6;
const LEAST_MS = 60_000;

/**
 * @typedef {object} Known
 * @property {ReadonlyMap<number, ReadonlySet<string>>} reached the files of tests that come to a mutant, by its number.
 * @property {ReadonlyMap<string, number>} seconds the time of each file of tests that passes.
 * @property {string[]} failed the files that fail without any mutant, and can tell nothing.
 */

/**
 * Runs all tests once, without a mutant.
 *
 * @param {string} folder @param {string[]} tests @param {number} workers
 * @returns {Promise<Known>}
 */
export async function studied(folder, tests, workers) {
  await rm(join(folder, REACHED), { force: true });
  const report = join(folder, "report.json");
  const env = {
    ASKWIRE_MUTANTS_REACHED: join(folder, REACHED),
    ASKWIRE_MUTANT_WORKERS: String(workers),
  };
  await run(folder, [...vitest, "--reporter", "json", "--outputFile", report, ...tests], env);
  /** @type {{ testResults: { name: string, status: string, startTime: number, endTime: number }[] }} */
  const { testResults } = JSON.parse(await readFile(report, "utf8"));
  const reached = new Map();
  for (const line of (await readFile(join(folder, REACHED), "utf8")).split("\n")) {
    const [number = "", test = ""] = line.split("\t");
    if (!reached.has(Number(number))) reached.set(Number(number), new Set());
    reached.get(Number(number)).add(test);
  }
  const passed = testResults.filter(({ status }) => status === "passed");
  return {
    reached,
    seconds: new Map(
      passed.map(({ name, startTime, endTime }) => [name, Math.max(0.1, (endTime - startTime) / 1000)]),
    ),
    failed: testResults.filter(({ status }) => status === "failed").map(({ name }) => name),
  };
}

/**
 * True if a test fails with the mutant, or hangs.
 *
 * @param {string} folder @param {number} number @param {Known} known @param {readonly string[]} files those that come to it.
 * @param {number} most seconds of tests that are tried.
 */
export async function isTold(folder, number, { seconds }, files, most) {
  const queue = files
    .filter((file) => seconds.has(file))
    .sort((a, b) => (seconds.get(a) ?? 0) - (seconds.get(b) ?? 0));
  const limits = [...PARTS.filter((part) => part < most), most];
  for (const limit of limits) {
    /** @type {string[]} */
    const part = [];
    let sum = 0;
    for (let [file] = queue; file !== undefined; [file] = queue) {
      const time = seconds.get(file) ?? 0;
      if (part.length > 0 && sum + time > limit) break;
      sum += time;
      part.push(file);
      queue.shift();
    }
    if (part.length === 0) return false;
    const timeoutMs = Math.max(LEAST_MS, SLOWNESS * 1000 * sum);
    const env = { ASKWIRE_MUTANT: String(number) };
    const { code } = await run(folder, [...vitest, "--bail", "1", ...part], env, timeoutMs);
    if (code !== 0) return true;
  }
  return false;
}
