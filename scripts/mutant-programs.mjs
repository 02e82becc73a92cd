// Mutants are copies of a correct program with one fault each. The conformance checks have to find the fault.
// A list of them lies beside the program: packages/conformance-tests/test/python/client.py and client-mutants.json.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A copy of a program with one fault.
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} [file] the patched file, where it is not the program itself but beside it.
 * @property {string} replace a text that occurs once in the program.
 * @property {string} with the text in its place.
 * @property {string} rule the broken sentence of docs/protocol.md, or why this is a fault.
 * @property {string} [caught] the id of a check that catches it.
 * @property {string[]} [also] further checks that catch it, which need it for their own sake.
 * @property {string} [survives] why no check can catch it, in a sentence.
 */

/** @typedef {"client" | "server" | "gateway"} Kind */

/** The kinds of programs that have mutants. @type {readonly Kind[]} */
export const kinds = ["client", "server", "gateway"];

const folder = fileURLToPath(new URL("../packages/conformance-tests/test/python/", import.meta.url));

/** Arguments after the file's name, by kind. @type {Record<Kind, readonly string[]>} */
const argumentsOf = { client: ["{url}"], server: [], gateway: [] };

/** The file with the list of mutants. @param {Kind} kind */
export const listOf = (kind) => join(folder, `${kind}-mutants.json`);

/** The file of the correct program. @param {Kind} kind */
export const programOf = (kind) => join(folder, `${kind}.py`);

const found = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });

/** True where Python is installed. */
export const hasPython = found.status === 0;

/**
 * Starts Python without its packages, which the programs do not need. `python3` may be a script that looks for the
 * interpreter at each start. @type {readonly string[]}
 */
export const python = [hasPython ? found.stdout.trim() : "python3", "-S"];

/** The command that runs a program. @param {Kind} kind @param {string} file */
export const commandOf = (kind, file) => [...python, file, ...argumentsOf[kind]];

/** The command that runs the correct program with a fault. @param {Kind} kind @param {object} fault */
export const rewritten = (kind, fault) => [
  ...python,
  join(folder, "rewritten.py"),
  kind,
  JSON.stringify(fault),
  ...argumentsOf[kind],
];

/** Reads the list of mutants. @param {Kind} kind @returns {Promise<Mutant[]>} */
export const readMutants = async (kind) => JSON.parse(await readFile(listOf(kind), "utf8"));

/** Writes the list of mutants. @param {Kind} kind @param {readonly Mutant[]} mutants */
export const writeMutants = (kind, mutants) =>
  writeFile(listOf(kind), `${JSON.stringify(mutants, null, 2)}\n`);

/**
 * Writes the copy of the program that is the mutant, with the files beside it, which it may import.
 *
 * @param {Kind} kind
 * @param {Pick<Mutant, "name" | "file" | "replace" | "with">} mutant
 * @param {string} target a folder, in which the mutant has its own.
 * @returns {Promise<string>} the file of the copy.
 */
export async function writeMutant(kind, mutant, target) {
  const { name, file = `${kind}.py`, replace } = mutant;
  const parts = (await readFile(join(folder, file), "utf8")).split(replace);
  if (parts.length !== 2)
    throw new Error(`${name}: its text occurs ${parts.length - 1} times in ${file}, expected once`);
  const own = join(target, name.replace(/[^a-z0-9]+/gi, "-"));
  await mkdir(own, { recursive: true });
  const programs = (await readdir(folder)).filter((one) => one.endsWith(".py"));
  await Promise.all(programs.map((one) => copyFile(join(folder, one), join(own, one))));
  await writeFile(join(own, file), parts.join(mutant.with));
  return join(own, `${kind}.py`);
}
