import { readdir, stat } from "node:fs/promises";
import { readInside, resolveInside } from "@askwire/agent/internal";
import { WorkFolderError } from "@askwire/agent/work-folder";
import { oneLine } from "@askwire/server/internal";
import { LiquidProblem, type LiquidScope, renderText } from "./liquid.js";
import type { Fact, Questionnaire } from "./questionnaire-format.js";

/** The facts of the work folder, by name. */
export type Facts = LiquidScope;

const maxFolderEntries = 1_000;

/** The readers of facts that name a path. */
const readers: Readonly<
  Record<Exclude<keyof Fact, "value">, (workDir: string, path: string) => Promise<unknown>>
> = {
  json: async (workDir, path) => {
    const text = await readInside(workDir, path);
    if (text === null) return null;
    try {
      return JSON.parse(text.replace(/^\uFEFF/, ""));
    } catch (cause) {
      throw new WorkFolderError(path, `expected valid JSON: ${(cause as Error).message}`, cause);
    }
  },
  text: async (workDir, path) => (await readInside(workDir, path))?.trim() || null,
  exists: async (workDir, path) => (await statInside(workDir, path)) !== null,
  folder: async (workDir, path) => {
    const found = await statInside(workDir, path);
    if (!found?.isDirectory()) return null;
    const names = await readdir(await resolveInside(workDir, path));
    return names.sort().slice(0, maxFolderEntries);
  },
};

/**
 * Reads a questionnaire's facts in their order. Files have at most 1 MiB, folders at most 1000 names (the first in
 * order). A missing file is `null`; nothing outside the folder is read.
 *
 * @throws QuestionnaireError that names the fact, for an existing file that cannot be used
 */
export async function readFacts(questionnaire: Questionnaire, workDir: string): Promise<Facts> {
  const facts: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(questionnaire.facts)) {
    for (const [kind, source] of Object.entries(fact) as [keyof Fact, string][]) {
      try {
        facts[name] =
          kind === "value" ? renderText(source, facts).trim() || null : await readers[kind](workDir, source);
      } catch (error) {
        const within = error instanceof LiquidProblem ? error.position : undefined;
        throw questionnaire.problemAt(
          ["facts", name, kind],
          oneLine((error as Error).message),
          within,
          error,
        );
      }
    }
  }
  return facts;
}

async function statInside(workDir: string, path: string) {
  const absolute = await resolveInside(workDir, path);
  return stat(absolute).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
}
