// Compares this commit with another one, and says which lines became slower beyond the noise that it measured itself.
//   node bench/guard.mjs COMMIT [--pairs 10]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lines, sampled } from "./guard/lines.mjs";
import { builtTree, removeTree } from "./guard/tree.mjs";
import { median, verdictOn } from "./guard/verdict.mjs";
import { pinnableCores, stayOn } from "./system.mjs";

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

const home = mkdtempSync(join(tmpdir(), "askwire-bench-"));
process.env.ASKWIRE_HOME = home;
const cores = pinnableCores();
// What measures stays out of the way of what is measured.
if (cores.length > 1) stayOn(cores.slice(1));

/** @type {string[]} */
const trees = [];
try {
  trees.push(builtTree(base), builtTree(flags.head));
  const [old = "", head = ""] = trees;
  /** @typedef {import("./guard/lines.mjs").Sample} Sample */
  /** @type {{ old: Sample, head: Sample, again: Sample }[]} */
  const all = [];
  for (let pair = 0; pair < pairs; pair++) {
    /** @type {Partial<Record<"old" | "head" | "again", Sample>>} */
    const found = {};
    // Each has each place in turn, since a machine becomes slower as it becomes warm.
    const order = /** @type {const} */ (["old", "head", "again"]).map(
      (_, at, names) => names[(at + pair) % 3],
    );
    for (const name of order) if (name) found[name] = await sampled(name === "head" ? head : old, cores);
    all.push(/** @type {{ old: Sample, head: Sample, again: Sample }} */ (found));
    process.stderr.write(`${pair + 1} of ${pairs}\n`);
  }
  process.stdout.write(`| line | ${base}, µs | ${flags.head}, µs | ratio | least to most | noise | |\n`);
  process.stdout.write("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const [name, what] of Object.entries(lines)) {
    const of = (/** @type {"old" | "head" | "again"} */ build) => all.map((one) => one[build][name] ?? 0);
    const olds = of("old");
    const toOld = (/** @type {readonly number[]} */ values) =>
      values.map((value, at) => value / (olds[at] ?? 1));
    const { ratio, least, most, noise, isSlower } = verdictOn(toOld(of("head")), toOld(of("again")));
    const shown = [median(olds), median(of("head"))].map((us) => us.toPrecision(4)).join(" | ");
    const spread = `${least.toFixed(3)} to ${most.toFixed(3)} | ±${(100 * noise).toFixed(1)} %`;
    const verdict = isSlower ? "SLOWER" : "";
    process.stdout.write(`| ${name}: ${what} | ${shown} | ${ratio.toFixed(3)} | ${spread} | ${verdict} |\n`);
    if (isSlower) process.exitCode = 1;
  }
} finally {
  for (const tree of trees) removeTree(tree);
  rmSync(home, { recursive: true, force: true });
}
