// Mutants are copies of a correct program with one fault each. The conformance checks have to find the fault.
// A list of them lies beside the program: packages/conformance-tests/test/python/client.py and client-mutants.json.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * A copy of a program with one fault.
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} replace a text that occurs once in the program.
 * @property {string} with the text in its place.
 * @property {string} rule the broken sentence of docs/protocol.md, or why this is a fault.
 * @property {string} [caught] the id of a check that catches it.
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

/** The command that runs a program. @param {Kind} kind @param {string} file */
export const commandOf = (kind, file) => ["python3", file, ...argumentsOf[kind]];

/** Reads the list of mutants. @param {Kind} kind @returns {Promise<Mutant[]>} */
export const readMutants = async (kind) => JSON.parse(await readFile(listOf(kind), "utf8"));

/** Writes the list of mutants. @param {Kind} kind @param {readonly Mutant[]} mutants */
export const writeMutants = (kind, mutants) =>
  writeFile(listOf(kind), `${JSON.stringify(mutants, null, 2)}\n`);

/**
 * Writes the copy of the program that is the mutant.
 *
 * @param {Kind} kind
 * @param {Pick<Mutant, "name" | "replace" | "with">} mutant
 * @param {string} target the folder of the copy.
 * @returns {Promise<string>} the file of the copy.
 */
export async function writeMutant(kind, mutant, target) {
  const parts = (await readFile(programOf(kind), "utf8")).split(mutant.replace);
  if (parts.length !== 2)
    throw new Error(`${mutant.name}: its text occurs ${parts.length - 1} times in ${kind}.py, expected once`);
  const file = join(target, `${mutant.name.replace(/[^a-z0-9]+/gi, "-")}.py`);
  await writeFile(file, parts.join(mutant.with));
  return file;
}
