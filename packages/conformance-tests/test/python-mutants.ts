import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { Suite } from "../src/run/suite.js";

export type Kind = "client" | "server" | "gateway";

/** A copy of a program with one fault, as `scripts/mutant-programs.mjs` describes it. */
export interface Mutant {
  readonly name: string;
  readonly rule: string;
  readonly caught?: string;
  readonly survives?: string;
}

interface MutantPrograms {
  readonly hasPython: boolean;
  readonly python: readonly string[];
  commandOf(kind: Kind, file: string): string[];
  rewritten(kind: Kind, fault: object): string[];
  programOf(kind: Kind): string;
  readMutants(kind: Kind): Promise<Mutant[]>;
  writeMutant(kind: Kind, mutant: Mutant, folder: string): Promise<string>;
}

const { href } = new URL("../../../scripts/mutant-programs.mjs", import.meta.url);
const programs: MutantPrograms = await import(href);
export const { commandOf, hasPython, programOf, readMutants, rewritten, writeMutant } = programs;

/** The file of Python, or its name where none is installed. */
export const [python = ""] = programs.python;
/** With `ASKWIRE_MUTANTS=all` every mutant is run and every check of the correct programs. */
export const isWhole = process.env.ASKWIRE_MUTANTS === "all";

/** The share of mutants that runs: one of 18, unless `ASKWIRE_MUTANTS=all` asks for all. */
export const SAMPLE = isWhole ? 1 : 18;

/** Every how manieth of some values, unless `ASKWIRE_MUTANTS=all` asks for all. */
export const sampleOf = <T>(stride: number, values: readonly T[]): T[] =>
  values.filter((_, n) => isWhole || n % stride === 0);

/** A folder for mutants, gone after the tests of a file. Its path is known once these begin. */
export function mutantsFolder(): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Expects that each mutant can be written, and names the check that catches it or the reason why none can. */
export async function wantDescribed(
  kind: Kind,
  mutants: readonly Mutant[],
  ids: readonly string[],
  folder: string,
) {
  for (const mutant of mutants) {
    expect(await writeMutant(kind, mutant, folder), mutant.name).toMatch(/\.py$/);
    const { name, caught, survives, rule } = mutant;
    expect([caught, survives].filter(Boolean), name).toHaveLength(1);
    if (caught !== undefined) expect(ids, name).toContain(caught);
    expect(rule, name).not.toBe("");
  }
}

/** Runs some checks against a program. Returns the ids of green and of red checks, and why others were skipped. */
export async function check(
  suite: Suite,
  command: string[],
  ids: Iterable<string>,
  timeoutMs: number,
  pace?: number,
) {
  const { results } = await suite.run({
    command,
    only: new Set(ids),
    timeoutMs,
    concurrency: 4,
    probes: false,
    retries: 0,
    ...(pace !== undefined && { pace }),
  });
  const having = (status: string) => results.filter((one) => one.status === status).map(({ id }) => id);
  const skipped = results.flatMap(({ id, reason }) => (reason === undefined ? [] : [`${id}: ${reason}`]));
  return { green: having("passed"), red: having("failed"), skipped };
}

/** Runs each mutant against the check that is to catch it. Returns the names of those that get through. */
export async function missed(suite: Suite, kind: Kind, mutants: readonly Mutant[], folder: string) {
  const through: string[] = [];
  const left = [...mutants];
  const runNext = async (): Promise<void> => {
    const mutant = left.shift();
    if (mutant === undefined) return;
    const { name, caught = "" } = mutant;
    const file = await writeMutant(kind, mutant, folder);
    const { red } = await check(suite, commandOf(kind, file), [caught], 8_000, 1);
    if (red.length === 0) through.push(name);
    await runNext();
  };
  await Promise.all(Array.from({ length: 4 }, runNext));
  return through;
}
