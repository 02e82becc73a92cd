// Makes mutants of the project's own code, such as a condition that always holds, and says which of them no test tells.
//   node scripts/code-mutants.mjs [--sample 300] [--seed 1] [--only text] [--tests folder,folder]
// All mutants are built once into a copy of the project; each is chosen by its number in the environment.
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { copyOfProject, run } from "./code-mutants/copy.mjs";
import { functionsOf, mutationsOf } from "./code-mutants/mutations.mjs";
import { switched } from "./code-mutants/switched.mjs";
import { isTold, studied } from "./code-mutants/tests.mjs";

const rooms = [
  "packages/server/src/session",
  "packages/server/src/requests",
  "packages/server/src/journal",
  "packages/server/src/connection",
  "packages/server/src/transport",
  "packages/client/src/connection",
  "packages/client/src/extended",
  "packages/client/src/form",
];
/** The number of no mutant: they are counted from 1. */
const NO_MUTANT = 0;
const usual = ["protocol", "client", "server", "dialects", "agent", "relays"].map(
  (name) => `packages/${name}/`,
);

const usage = `Usage: node scripts/code-mutants.mjs [options]
  --sample <number>      how many mutants (default: 300)
  --seed <number>        which ones (default: 1)
  --only <text>          mutants whose name has this text
  --names <file>         mutants that this file has a line "survives: NAME" for, such as the output of another run
  --tests <folders>      the tests that may tell them, by commas (default: ${usual.join(",")})
  --most <seconds>       tests that each mutant is tried with (default: 120)
  --concurrency <number> how many mutants are tried at the same time (default: 2)
  --list                 name the mutants of the sample and end
`;
const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    names: { type: "string" },
    tests: { type: "string", default: usual.join(",") },
    most: { type: "string", default: "120" },
    concurrency: { type: "string", default: "2" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

const root = fileURLToPath(new URL("..", import.meta.url));
/** The mutants that nothing can tell, with the reason. @type {Record<string, string>} */
const reasons = JSON.parse(await readFile(new URL("code-mutants.json", import.meta.url), "utf8"));

const paths = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .sort(),
);
const files = await Promise.all(
  paths.map(async (path, index) => {
    const source = await readFile(join(root, path), "utf8");
    return { path, number: index + 1, source, mutations: mutationsOf(path, source) };
  }),
);
const named = values.names && (await readFile(values.names, "utf8")).split("\n");
/** True for the line of a survivor, with its reason or without. @param {string} name */
const isNamed = (name) =>
  !named || named.includes(`survives: ${name}`) || named.includes(`survives: ${name}: ${reasons[name]}`);
/** @param {string} name */
const isWanted = (name) => name.includes(values.only) && isNamed(name);
/** By the name of a mutant, so that a change elsewhere leaves the sample as it is. @param {string} name */
const placeOf = (name) => createHash("sha256").update(`${values.seed} ${name}`).digest("hex");
const all = files.flatMap(({ number: file, mutations }) => mutations.map((one) => ({ ...one, file })));
const sample = all
  .map((one) => ({ ...one, place: placeOf(one.name) }))
  .filter(({ name }) => isWanted(name))
  .sort((a, b) => (a.place < b.place ? -1 : 1))
  .slice(0, Number(values.sample))
  .map((one, index) => ({ ...one, number: index + 1 }));
process.stdout.write(`${sample.length} of ${all.length} mutants\n`);
if (values.list) {
  for (const { name, line } of sample) process.stdout.write(`${line}: ${name}\n`);
  process.exit(0);
}

const folder = await copyOfProject();
const end = () => rm(folder, { recursive: true, force: true });
process.on("SIGINT", () => void end().then(() => process.exit(130)));
/** @type {string[]} */
const survivors = [];
let dead = 0;
try {
  for (const { path, number, source } of files) {
    const here = sample.filter(({ file }) => file === number);
    await writeFile(join(folder, path), switched(source, here, functionsOf(path, source), number));
  }
  for (const script of ["scripts/bundle.mjs", "apps/cli/build.mjs"]) {
    const { code, text } = await run(folder, [process.execPath, script], {});
    if (code !== 0) throw new Error(`${script}: ${text}`);
  }
  const known = await studied(folder, values.tests.split(","), 2 * Number(values.concurrency));
  const { reached, seconds, failed } = known;
  process.stdout.write(`${seconds.size} files of tests pass without a mutant\n`);
  for (const name of failed)
    process.stdout.write(`fails without a mutant: ${name.slice(folder.length + 1)}\n`);

  // Else each mutant would seem to die.
  if (await isTold(folder, NO_MUTANT, known, [...seconds.keys()], 30))
    throw new Error("a test that passed before fails without a mutant: give this machine more room");
  const queue = [...sample];
  async function worker() {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { name, number, file, isStatic, line } = one;
      const tests = [...(reached.get(isStatic ? -file : number) ?? [])];
      const told = await isTold(folder, number, known, tests, Number(values.most));
      if (told) dead += 1;
      else survivors.push(name);
      const how = told ? "dies" : tests.length === 0 ? "is never reached" : "lives";
      process.stderr.write(
        `${dead + survivors.length} of ${sample.length}: ${how}: ${name} (line ${line})\n`,
      );
    }
  }
  await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
} finally {
  await end();
}
const unnamed = survivors.filter((name) => reasons[name] === undefined);
for (const name of survivors)
  process.stdout.write(`survives: ${name}${reasons[name] === undefined ? "" : `: ${reasons[name]}`}\n`);
const tellable = dead + unnamed.length;
process.stdout.write(
  `${dead} of ${tellable} die that can be told (${((100 * dead) / tellable).toFixed(1)} %)\n`,
);
process.exitCode = unnamed.length > 0 ? 1 : 0;
