// Compares this commit with another one, and says which lines became slower beyond the noise that it measured itself.
//   node bench/guard.mjs COMMIT [--pairs 10]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lines, sampled } from "./guard/lines.mjs";
import { builtTree } from "./guard/tree.mjs";
import { verdictOn } from "./guard/verdict.mjs";
import { spread } from "./report.mjs";
import { cpuMs, pinnableCores, stayOn } from "./system.mjs";

/** @typedef {import("./guard/lines.mjs").Sample} Sample */

const usage = `node bench/guard.mjs COMMIT [--pairs 10] [--head COMMIT]

Compares HEAD with COMMIT by CPU time, interleaved, over five lines: ${Object.keys(lines).join(", ")}.
The exit code is 1 when a line became slower beyond the noise of COMMIT against itself.
`;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: "string", default: "10" },
    head: { type: "string", default: "HEAD" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [base] = positionals;
const pairs = Number(flags.pairs);
if (flags.help || base === undefined || !Number.isInteger(pairs) || pairs < 2) {
  (flags.help ? process.stdout : process.stderr).write(usage);
  process.exit(flags.help ? 0 : 2);
}

if (cpuMs(process.pid) === null) {
  process.stderr.write(
    "bench/guard.mjs: this system does not tell the CPU time of a process: run it on Linux\n",
  );
  process.exit(2);
}

const home = mkdtempSync(join(tmpdir(), "askwire-bench-"));
process.env.ASKWIRE_HOME = home;
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const cores = pinnableCores();
// What measures stays out of the way of what is measured.
if (cores.length > 1) stayOn(cores.slice(1));

const [old, head] = [builtTree(base), builtTree(flags.head)];
/** The builds of a pair, each with its samples. The old one is there twice. @type {Record<string, { folder: string, samples: Sample[] }>} */
const builds = {
  old: { folder: old, samples: [] },
  head: { folder: head, samples: [] },
  again: { folder: old, samples: [] },
};
const order = Object.values(builds);
for (let pair = 0; pair < pairs; pair++) {
  for (const { folder, samples } of order) samples.push(await sampled(folder, cores));
  // Each has each place in turn, since a machine becomes slower as it becomes warm.
  order.push(...order.splice(0, 1));
  process.stderr.write(`${pair + 1} of ${pairs}\n`);
}

process.stdout.write(`| line | ${base}, µs | ${flags.head}, µs | ratio | least to most | noise | |\n`);
process.stdout.write("| --- | --- | --- | --- | --- | --- | --- |\n");
for (const [name, what] of Object.entries(lines)) {
  const [olds = [], heads = [], again = []] = Object.values(builds).map(({ samples }) =>
    samples.map((sample) => sample[name] ?? Number.NaN),
  );
  const toOld = (/** @type {readonly number[]} */ values) =>
    values.map((value, at) => value / (olds[at] ?? Number.NaN));
  const { ratio, least, most, noise, isSlower } = verdictOn(toOld(heads), toOld(again));
  const shown = [olds, heads].map((values) => spread(values).median.toPrecision(4)).join(" | ");
  const range = `${least.toFixed(3)} to ${most.toFixed(3)} | ±${(100 * noise).toFixed(1)} %`;
  const verdict = isSlower ? "SLOWER" : "";
  process.stdout.write(`| ${name}: ${what} | ${shown} | ${ratio.toFixed(3)} | ${range} | ${verdict} |\n`);
  if (isSlower) process.exitCode = 1;
}
