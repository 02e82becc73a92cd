// Makes mutants of the conformance checks themselves, such as one assertion less, and says which of them nothing tells
// from the checks: no correct peer turns red, and no broken peer green.
//   node scripts/check-mutants.mjs server|gateway|client [--sample 40] [--seed 1] [--only S05,S06] [--faults 40]
// The peers are the programs in Python with faults in their messages. Build first.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultsOf, finerThan } from "./check-mutants/faults.mjs";
import { checksIn, mutationsOf } from "./check-mutants/mutations.mjs";
import { checkFolders, suitePlace } from "./check-mutants/suite.mjs";
import { commandOf, kinds, readMutants, rewritten, writeMutant } from "./mutant-programs.mjs";

/** @typedef {import("./check-mutants/mutations.mjs").Mutation} Mutation */
/** @typedef {import("./check-mutants/suite.mjs").Suite} Suite */
/** @typedef {import("./check-mutants/faults.mjs").Fault} Fault */
/** @typedef {string | Record<string, unknown>} Peer a program in Python, or a fault of the correct one. */

const usage = `Usage: node scripts/check-mutants.mjs ${kinds.join("|")} [options]
  --sample <number>      how many mutants (default: 40)
  --seed <number>        which ones (default: 1)
  --only <ids>           mutants of these checks, by commas
  --faults <number>      how many faults a mutant is tried with (default: 120)
  --concurrency <number> how many peers run at the same time (default: 3)
`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    faults: { type: "string", default: "120" },
    concurrency: { type: "string", default: "3" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const kind = kinds.find((one) => one === positionals[0]);
if (kind === undefined || values.help) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}

const tests = new URL("../packages/conformance-tests/test/", import.meta.url);
/** The mutants that stay alive, with the reason. @type {Record<string, string>} */
const reasons = JSON.parse(await readFile(new URL("check-mutants.json", tests), "utf8"));
/** The peers of broken-peers.test.ts. @type {{ fault: Record<string, unknown>, caught: string[], passed?: string[] }[]} */
const listed = JSON.parse(await readFile(new URL(`python/${kind}-rewrites.json`, tests), "utf8"));

/** The least time for a check of a broken peer, and the time for one of the correct peer, in milliseconds. */
const BROKEN_MS = 3_000;
const CORRECT_MS = 20_000;
/** Numbers that follow from a seed (mulberry32). @param {number} seed */
function chanceOf(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) * (below / 2 ** 32));
  };
}

/** The command of a peer: a file of its own, or the correct program with a fault. @param {Peer} peer */
const commandFor = (peer) => (typeof peer === "string" ? commandOf(kind, peer) : rewritten(kind, peer));

/** The checks that need a person's acts. @type {Set<string>} */
const acting = new Set();

/** Runs one check. @param {Suite} suite @param {string} id @param {Peer} peer @param {number} timeoutMs */
async function result(suite, id, peer, timeoutMs) {
  const command = commandFor(peer);
  const only = new Set([id]);
  const { results } = await suite.run({
    command,
    only,
    timeoutMs,
    pace: 1,
    probes: false,
    retries: 0,
    traces: true,
    ...(acting.has(id) && { acts: { to: "stdin" } }),
  });
  const [one] = results;
  if (one === undefined) throw new Error(`there is no check ${id}`);
  return /** @type {typeof one & { failure?: { stack?: string } }} */ (one);
}

const isLate = (/** @type {string | undefined} */ expected) => /, within [\d.]+ s$/.test(expected ?? "");

/**
 * Makes out the conversation of a check with the correct peer, and finds out by which lines it sees a broken one.
 *
 * @param {Suite} suite @param {string} id @param {string} path @param {string} source
 */
async function studied(suite, id, path, source) {
  let right = await result(suite, id, {}, CORRECT_MS);
  if (right.status === "skipped" && kind === "client") {
    acting.add(id);
    right = await result(suite, id, {}, CORRECT_MS);
  }
  if (right.status !== "passed") return undefined;
  const timeoutMs = Math.max(BROKEN_MS, 3 * right.durationMs);
  const isAbout = (/** @type {string} */ rule) => right.rules.some((one) => rule.startsWith(one));
  const files = mutants
    .filter(({ caught, also, rule }) => caught === id || also?.includes(id) || isAbout(rule))
    .map((one) => writeMutant(kind, one, folder));
  const rows = listed.filter(({ caught }) => caught.includes(id)).map(({ fault }) => fault);
  const name = path.replaceAll("\\", "/").split("/").slice(-2).join("/").replace(".", "\\.");
  const line = new RegExp(`${name}:(\\d+):`, "g");
  /** @type {Map<string, Promise<number[] | undefined>>} */
  const seen = new Map();
  const peers = [...rows, ...(await Promise.all(files))];
  const isListed = (/** @type {Peer} */ peer) => peers.includes(peer);
  const look = async (/** @type {Peer} */ peer) => {
    const { status, failure } = await result(suite, id, peer, timeoutMs);
    if (status !== "failed") return undefined;
    // A fault of the conversation may only make a message late. A peer of the lists is silent on purpose.
    if (isLate(failure?.expected)) return isListed(peer) ? [] : undefined;
    return [...(failure?.stack ?? "").matchAll(line)].map(([, number]) => Number(number));
  };
  return {
    id,
    timeoutMs,
    faults: faultsOf(right.trace ?? [], source, kind === "gateway"),
    /** As many faults as take the time of the wanted number with a quick check. */
    most: Math.ceil((Number(values.faults) * BROKEN_MS) / timeoutMs),
    correct: [{}, ...listed.filter(({ passed }) => passed?.includes(id)).map(({ fault }) => fault)],
    peers,
    knows: (/** @type {Peer} */ peer) => seen.has(JSON.stringify(peer)),
    /** The lines of the source by which a peer is found, none where time is up; undefined where it is not found. */
    linesFor(/** @type {Peer} */ peer) {
      const key = JSON.stringify(peer);
      const lines = seen.get(key) ?? look(peer);
      seen.set(key, lines);
      return lines;
    },
  };
}

/** The order in which the kinds of faults are tried, by the assertion that is changed. @param {string} name */
function kindsFor(name) {
  if (/Order/.test(name)) return ["order", "values", "number", "others"];
  if (/wantNone|Silence|Untouched|NoEntry/.test(name)) return ["others", "number", "values", "order"];
  if (/length|count|typesOf|namesOf/.test(name)) return ["number", "values", "others", "order"];
  return ["values", "number", "order", "others"];
}

/** True if some outcome tells the mutant. @param {Suite} mutant @param {Mutation} mutation @param {NonNullable<Awaited<ReturnType<typeof studied>>>} check */
async function isTold(mutant, { name, first, last }, check) {
  const { id, timeoutMs } = check;
  for (const peer of check.correct) {
    const right = await result(mutant, id, peer, timeoutMs);
    if (right.status === "passed") continue;
    if (!isLate(right.failure?.expected)) return true;
    if ((await result(mutant, id, peer, 2 * timeoutMs)).status !== "passed") return true;
  }
  const order = kindsFor(name);
  const words = name
    .replace(/wantResult|\bturn\b/g, "prompt")
    .replace(/toolResult|result of the tool|outputs?\b/g, "ToolResult")
    .replace(/wantSettled|outcome/g, "InteractionSettled answer");
  const isMeant = (/** @type {Fault} */ { fault, type }) =>
    words.includes(type ?? String(fault.of).split(" ").at(-1) ?? "");
  const place = (/** @type {Fault} */ one) =>
    order.indexOf(one.what) + (one.fault.in ? order.length : 0) - (isMeant(one) ? order.length : 0);
  /** @type {(Fault | { fault: Peer, what?: undefined })[]} */
  const queue = [
    ...check.peers.map((fault) => ({ fault })),
    ...check.faults.toSorted((a, b) => place(a) - place(b)),
  ];
  let isFound = false;
  let tried = 0;
  const worker = async () => {
    for (let one = queue.shift(); one && !isFound && tried < check.most; one = queue.shift()) {
      if (one.what !== undefined && !check.knows(one.fault)) tried += 1;
      const lines = await check.linesFor(one.fault);
      // A peer of the lists may be found elsewhere first.
      const isNear = lines?.some((line) => line >= first && line <= last);
      if (lines === undefined || (!isNear && one.what !== undefined)) {
        // The whole message may be found elsewhere first, or by its form.
        if (one.what !== undefined) queue.push(...finerThan(one));
        continue;
      }
      if ((await result(mutant, id, one.fault, timeoutMs)).status !== "failed") isFound = true;
      else if (one.what !== undefined) queue.unshift(...finerThan(one));
    }
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
  return isFound;
}

const mutants = await readMutants(kind);
const folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
const place = await suitePlace();
/** @type {Map<string, Awaited<ReturnType<typeof studied>>>} */
const known = new Map();
const survivors = [];
let dead = 0;
try {
  const suite = await place.suite(kind);
  const wanted = values.only?.split(",");
  const files = (await readdir(checkFolders[kind])).map((name) => join(checkFolders[kind], name));
  const all = [];
  for (const path of files) {
    const source = await readFile(path, "utf8");
    for (const mutation of mutationsOf(path, source)) {
      const ids = mutation.check ? [mutation.check] : checksIn(source);
      if (wanted === undefined || ids.some((id) => wanted.includes(id)))
        all.push({ path, text: source, ids, mutation });
    }
  }
  const chance = chanceOf(Number(values.seed));
  const sample = all
    .map((one) => ({ ...one, place: chance(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .slice(0, Number(values.sample));
  process.stdout.write(`${sample.length} of ${all.length} mutants\n`);
  for (const [index, { path, text, ids, mutation }] of sample.entries()) {
    const mutant = await place.suite(kind, { path, source: mutation.source });
    let told = false;
    let isJudged = false;
    for (const id of ids) {
      if (!known.has(id)) known.set(id, await studied(suite, id, path, text));
      const check = known.get(id);
      if (check === undefined) continue;
      isJudged = true;
      told = await isTold(mutant, mutation, check);
      if (told) break;
    }
    const reason = reasons[mutation.name];
    if (told) dead += 1;
    else if (isJudged) survivors.push(mutation.name);
    else process.stdout.write(`not judged, since the program in Python does not pass: ${mutation.name}\n`);
    process.stderr.write(`${index + 1} of ${sample.length}: ${told ? "dies" : "lives"}: ${mutation.name}\n`);
    if (!told && isJudged) process.stdout.write(`survives: ${mutation.name}${reason ? `: ${reason}` : ""}\n`);
  }
} finally {
  await place.end();
  await rm(folder, { recursive: true, force: true });
}
const total = dead + survivors.length;
process.stdout.write(`${dead} of ${total} die (${((100 * dead) / total).toFixed(1)} %)\n`);
process.exitCode = survivors.some((name) => reasons[name] === undefined) ? 1 : 0;
