// Runs the conformance checks against mutants of a correct program and prints which checks catch each:
//   node scripts/mutants.mjs client|server|gateway [--only NAME] [--against C24,C28] [--first] [--write]
// Checks that the correct program does not pass do not count. Build first.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as tests from "../packages/conformance-tests/dist/index.js";
import { commandOf, kinds, programOf, readMutants, writeMutant, writeMutants } from "./mutant-programs.mjs";

/** @typedef {import("./mutant-programs.mjs").Kind} Kind */
/** @typedef {import("./mutant-programs.mjs").Mutant} Mutant */

const usage = `Usage: node scripts/mutants.mjs ${kinds.join("|")} [options]
  --only <names>         these mutants, by commas; a part of the name is enough
  --against <ids>        these checks, by commas (default: all)
  --first                end with the first check that catches a mutant; its "caught" is tried first
  --slow                 also the checks for which the correct program needs more than eight seconds
  --write                fill in "caught", the id of one check that catches the mutant
  --timeout <seconds>    how long one check may take (default: 5)
  --concurrency <number> how many checks run at the same time (default: one for each core)
`;
const SLOW_MS = 8_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    against: { type: "string" },
    first: { type: "boolean", default: false },
    slow: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    timeout: { type: "string", default: "5" },
    concurrency: { type: "string", default: String(availableParallelism()) },
    help: { type: "boolean", short: "h", default: false },
  },
});
const kind = kinds.find((one) => one === positionals[0]);
if (kind === undefined || values.help) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const suite = { client: tests.clientSuite, server: tests.serverSuite, gateway: tests.gatewaySuite }[kind];

/**
 * The results of some checks. With `first`, the run ends at the first failure.
 *
 * @param {Kind} kind @param {string} file @param {Iterable<string>} ids @param {boolean} first
 */
async function resultsOf(kind, file, ids, first) {
  const stop = new AbortController();
  /** @type {import("../packages/conformance-tests/dist/index.js").CheckResult[]} */
  const results = [];
  await suite.run({
    command: commandOf(kind, file),
    only: new Set(ids),
    // A program that hides a level from the checks does not get through.
    claims: () => true,
    probes: false,
    retries: 0,
    timeoutMs: Number(values.timeout) * 1_000,
    concurrency: Number(values.concurrency),
    signal: stop.signal,
    onResult(result) {
      if (stop.signal.aborted) return;
      results.push(result);
      if (first && result.status === "failed") stop.abort();
    },
  });
  return results;
}

const wanted = values.against?.split(",").map((id) => id.trim());
const unknown = wanted?.filter((id) => !suite.checks.some((check) => check.id === id)) ?? [];
if (unknown.length > 0) throw new Error(`there is no check ${unknown.join(", ")}`);
const names = values.only?.split(",").map((name) => name.trim());
const mutants = await readMutants(kind);
const chosen = mutants.filter(({ name }) => names?.some((part) => name.includes(part)) ?? true);
if (chosen.length === 0) throw new Error(`there is no mutant ${values.only}`);

const all = wanted ?? suite.checks.map(({ id }) => id);
const sound = await resultsOf(kind, programOf(kind), all, false);
const usable = sound.filter(
  ({ status, durationMs }) => status === "passed" && (values.slow || durationMs < SLOW_MS),
);
const ids = usable.map(({ id }) => id);
const left = all.filter((id) => !ids.includes(id));
process.stdout.write(
  `${ids.length} checks${left.length > 0 ? `; the correct program does not pass, or not soon: ${left.join(", ")}` : ""}\n`,
);

/** True if a mutant's rule, which may say more in words, names one of these sentences. */
/** @param {string} rule @param {readonly string[]} ids */
const isCited = (rule, ids) => ids.some((id) => rule.split(/[^\w-]+/).includes(id));

/**
 * The checks in the order in which they are tried: the one of before, those that cite the rule, all others.
 *
 * @param {Mutant} mutant
 */
function stagesOf({ caught, rule }) {
  const citing = suite.checks.filter(({ rules }) => isCited(rule, rules)).map(({ id }) => id);
  const place = (/** @type {string} */ id) => (id === caught ? 0 : citing.includes(id) ? 1 : 2);
  return [0, 1, 2].map((stage) => ids.filter((id) => place(id) === stage)).filter(({ length }) => length > 0);
}

/**
 * The checks that catch a mutant. With `first` it is one of them, which catches it twice: a busy machine may be the
 * reason for one failure.
 *
 * @param {Mutant} mutant @param {string} file
 */
async function caughtBy(mutant, file) {
  const failed = (/** @type {{ status: string }} */ { status }) => status === "failed";
  if (!values.first) return (await resultsOf(kind, file, ids, false)).filter(failed);
  for (const stage of stagesOf(mutant)) {
    let left = stage;
    for (;;) {
      const found = (await resultsOf(kind, file, left, true)).filter(failed);
      const [one] = found;
      if (one === undefined) break;
      if ((await resultsOf(kind, file, [one.id], true)).some(failed)) return found;
      left = left.filter((id) => id !== one.id);
      if (left.length === 0) break;
    }
  }
  return [];
}

/** The catching check to name: the one of before, one that cites the rule, or the fastest. */
/** @param {Mutant} mutant @param {import("../packages/conformance-tests/dist/index.js").CheckResult[]} by */
function named({ caught, rule }, by) {
  const rank = (/** @type {(typeof by)[number]} */ { id, rules, durationMs }) =>
    (id === caught ? 0 : 1e6) + (isCited(rule, rules) ? 0 : 1e5) + durationMs;
  return [...by].sort((a, b) => rank(a) - rank(b))[0]?.id;
}

const folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
/** @type {Mutant[]} */
const survivors = [];
try {
  for (const mutant of chosen) {
    const file = await writeMutant(kind, mutant, folder);
    const by = await caughtBy(mutant, file);
    process.stdout.write(`${mutant.name}: ${by.map(({ id }) => id).join(", ") || "SURVIVES"}\n`);
    if (by.length === 0) survivors.push(mutant);
    if (!values.write) continue;
    const caught = named(mutant, by);
    if (caught === undefined) delete mutant.caught;
    else mutant.caught = caught;
    await writeMutants(kind, mutants);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

process.stdout.write(`\n${chosen.length - survivors.length} of ${chosen.length} are caught\n`);
for (const { name, rule, survives } of survivors)
  process.stdout.write(`survives: ${name} (${rule})${survives ? `: ${survives}` : ""}\n`);
process.exitCode = survivors.some(({ survives }) => survives === undefined) ? 1 : 0;
