/** @import { MeasureResult, Peer, PeerFacts, Run, Settings } from "./contract.js" */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { budgets } from "./budgets.mjs";
import { measures } from "./measures/index.mjs";
import { repeat } from "./repeat.mjs";
import { budgetTable, judge, measureSummary, measureTable } from "./report.mjs";
import { describeCommit, describeMachine, pinnableCores, stayOn } from "./system.mjs";

/** A folder for the command's sessions, outside the home directory. */
const home = mkdtempSync(join(tmpdir(), "askwire-bench-"));
process.env.ASKWIRE_HOME = home;
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

const usage = `node bench/run.mjs [--quick] [--only MEASURE[,MEASURE]] [--peers PEER[,PEER]] [--reps N]

measures: ${measures.map(({ name }) => name).join(", ")}
`;

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    peers: { type: "string" },
    reps: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}

/** @type {(what: string, wanted: string | undefined, known: readonly string[]) => Set<string>} */
function chosen(what, wanted, known) {
  const names = wanted?.split(",").map((name) => name.trim()) ?? known;
  const strange = names.filter((name) => !known.includes(name));
  if (strange.length > 0) {
    process.stderr.write(`--${what}: no "${strange.join('", "')}"; there are ${known.join(", ")}\n`);
    process.exit(2);
  }
  return new Set(names);
}

const here = (/** @type {string} */ path) => new URL(path, import.meta.url);

/** The floor first. @returns {Peer[]} */
function findPeers() {
  return readdirSync(here("peers"))
    .filter((name) => existsSync(here(`peers/${name}/peer.json`)))
    .map((name) => {
      /** @type {PeerFacts} */
      const facts = JSON.parse(readFileSync(here(`peers/${name}/peer.json`), "utf8"));
      return { name, ...facts };
    })
    .sort((a, b) => Number(b.floor ?? false) - Number(a.floor ?? false) || a.name.localeCompare(b.name));
}

const reps = Number(flags.reps ?? (flags.quick ? 1 : 5));
if (!Number.isInteger(reps) || reps < 1) {
  process.stderr.write("--reps: expected a whole number from 1\n");
  process.exit(2);
}

/** @type {Settings} */
const settings = { quick: flags.quick, reps, cores: pinnableCores() };
const peers = findPeers();
const measureNames = chosen(
  "only",
  flags.only,
  measures.map(({ name }) => name),
);
const peerNames = chosen(
  "peers",
  flags.peers,
  peers.map(({ name }) => name),
);

/** The packages of the rivals that run, with the versions that package.json pins. @returns {Record<string, string>} */
function rivalVersions() {
  /** @type {{ devDependencies: Record<string, string> }} */
  const { devDependencies } = JSON.parse(readFileSync(here("package.json"), "utf8"));
  const running = peers.filter(
    ({ name, measures: own }) => peerNames.has(name) && own.some((measure) => measureNames.has(measure)),
  );
  const names = new Set(running.flatMap(({ package: rival }) => rival ?? []));
  return Object.fromEntries([...names].map((name) => [name, devDependencies[name] ?? ""]));
}

const showProgress = process.stderr.isTTY;
const start = performance.now();
const about = {
  date: new Date().toISOString(),
  commit: describeCommit(),
  machine: describeMachine(),
  load: loadavg()[0] ?? 0,
  versions: rivalVersions(),
};
/** @type {MeasureResult[]} */
const results = [];
const heading = [
  "# Benchmark",
  "",
  `${about.date}, ${about.machine}, load ${about.load.toFixed(1)} before the run, commit ${about.commit ?? "unknown"}.`,
  `${settings.reps} interleaved repetitions at most; median [min–max]; × is the median of the ratios to the floor of the same repetition.`,
  settings.cores.length > 0
    ? `Pinned runs use core ${settings.cores[0]}; the benchmark itself stays off it.`
    : "**taskset is absent: nothing was pinned, latencies are not comparable.**",
  "The floor is a program of a hundred lines that exchanges the same bytes as Askwire in its base profile: `JSON.parse`, no validation, no limits, no errors. The other peers put the same question in the words of their own protocols.",
  ...(settings.quick ? ["Quick run: short, for a first look only."] : []),
  "",
].join("\n");
process.stdout.write(`${heading}\n`);
stayOn(settings.cores.slice(1));

for (const measure of measures) {
  if (!measureNames.has(measure.name)) continue;
  const taking = peers.filter(
    (peer) => peer.measures.includes(measure.name) && (peer.floor || peerNames.has(peer.name)),
  );
  const result = await repeat(measure, taking, settings, (text) => {
    if (showProgress) process.stderr.write(`\r\x1b[K${text}`);
  });
  if (showProgress) process.stderr.write("\r\x1b[K");
  results.push(result);
  process.stdout.write(`${measureTable(result)}\n`);
}

const verdicts = judge(budgets, results);
const summary = budgetTable(verdicts);
process.stdout.write(`${summary}\n`);
const seconds = Math.round((performance.now() - start) / 1000);
process.stdout.write(`Took ${seconds} s.\n`);
mkdirSync(here("results"), { recursive: true });
writeFileSync(
  here("results/latest.md"),
  `${[heading, summary, ...results.map(measureTable)].join("\n")}\nTook ${seconds} s.\n`,
);
/** @type {Run} */
const run = { ...about, settings, seconds, budgets: verdicts, measures: results.map(measureSummary) };
writeFileSync(here("results/latest.json"), `${JSON.stringify(run, null, 2)}\n`);
process.exitCode = results.some(({ peers }) => peers.some(({ error }) => error !== undefined)) ? 1 : 0;
