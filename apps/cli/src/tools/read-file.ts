import type { FileHandle } from "node:fs/promises";
import { openInside } from "@askwire/agent/work-folder";
import { defineTool, type Tool, ToolError } from "@askwire/server";
import * as z from "zod/mini";
import { readFile as description } from "./prose.js";
import {
  countLines,
  type LinesRead,
  MAX_LINE,
  MAX_SCANNED,
  MAX_TEXT,
  NotText,
  readTextLines,
} from "./read-lines.js";
import { fromWorkDir, telling } from "./work-path.js";

const MAX_LINES = 1_000;

const Params = z.looseObject({
  path: z.string().check(z.describe("The file, from the work directory or absolute.")),
  line_offset: z._default(
    z.int().check(
      z.minimum(-MAX_LINES),
      z.refine((line) => line !== 0, "a line from 1, or from -1 at the end"),
      z.describe("The number of the first line to read, from 1; from the end, -1 is the last line."),
    ),
    1,
  ),
  n_lines: z._default(
    z.int().check(z.minimum(1), z.maximum(MAX_LINES), z.describe("How many lines to read.")),
    MAX_LINES,
  ),
});

/** Reads lines of a text file in the work directory. */
export function readFileTool(workDir: string): Tool {
  return defineTool({
    name: "ReadFile",
    description,
    parameters: Params,
    restart: "again",
    async run({ path, line_offset, n_lines: count }, { signal }) {
      const handle = await telling(async () => openInside(workDir, await fromWorkDir(workDir, path)));
      if (handle === null) throw refused(`${path}: there is no such file.`);
      try {
        const first = line_offset > 0 ? line_offset : await fromEnd(handle, line_offset, path, signal);
        const read = await readTextLines(handle, { first, count }, signal);
        const output = read.lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`);
        return {
          output: output.join("\n") + (read.open || output.length === 0 ? "" : "\n"),
          message: tell(read, first),
        };
      } catch (error) {
        if (!(error instanceof NotText)) throw error;
        throw refused(`${path}: this is no text in UTF-8, so it cannot be read here.`);
      } finally {
        await handle.close();
      }
    },
  });
}

/** The number of a line counted from the end. */
async function fromEnd(handle: FileHandle, line: number, path: string, signal: AbortSignal): Promise<number> {
  const all = await countLines(handle, signal);
  if (all !== undefined) return Math.max(1, all + 1 + line);
  throw refused(`${path}: the file is too long to find its end. Read it with a line_offset from 1.`);
}

const refused = (message: string) => new ToolError({ message, brief: message.replace(/\.$/, "") });

/** States the position of the output in the file, and the missing parts. */
function tell({ lines, cut, stopped, last }: LinesRead, first: number): string {
  const read = lines.length === 0 ? "No lines" : `Lines ${first} to ${first + lines.length - 1}`;
  const told = [`${read}.`, endings[stopped](last)];
  if (cut.length > 0) told.push(`Cut after ${MAX_LINE} characters: ${named(cut)}.`);
  return told.join(" ");
}

const endings: Readonly<Record<LinesRead["stopped"], (last: number) => string>> = {
  end: (last) => (last === 0 ? "The file is empty." : `The file ends with line ${last}.`),
  count: (last) => `The file goes on: read it with line_offset ${last + 1}.`,
  length: (last) =>
    `Stopped at ${MAX_TEXT} characters; the file goes on: read it with line_offset ${last + 1}.`,
  scanned: (last) =>
    `Stopped at ${MAX_SCANNED} bytes, in line ${last + 1}: what comes after cannot be read here.`,
};

/** The numbers of the first of these lines, and the count of the others. */
function named(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10);
  const more = numbers.length - shown.length;
  return `line${numbers.length === 1 ? "" : "s"} ${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}
