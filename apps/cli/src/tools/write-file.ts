import { inLineEndsOf, linedText } from "@askwire/protocol/internal";
import { defineTool, type Tool } from "@askwire/server";
import * as z from "zod/mini";
import type { EditFile } from "./edit-file.js";
import { writeFile as description } from "./prose.js";

const Params = z.looseObject({
  path: z.string().check(z.describe("The file, from the work directory or absolute.")),
  content: z.string().check(z.describe("What to write.")),
  mode: z._default(
    z.enum(["overwrite", "append"]).check(z.describe("Whether to replace the file or add to its end.")),
    "overwrite",
  ),
});

/** Writes a whole file or adds to one, once the person approved the difference. */
export function writeFileTool(edit: EditFile): Tool {
  return defineTool({
    name: "WriteFile",
    description,
    parameters: Params,
    restart: "asks-first",
    run: ({ path, content, mode }, run) =>
      edit(run, path, (oldText) => {
        if (oldText === null) return content;
        return mode === "append" ? oldText + endsOfLast(oldText, content) : inLineEndsOf(oldText, content);
      }),
  });
}

/** The text with the end that the last line of a file has. A text with a carriage return says its ends itself. */
function endsOfLast(oldText: string, text: string): string {
  const last = linedText(oldText).ends.at(-1);
  return last === undefined ? text : inLineEndsOf(last, text);
}
