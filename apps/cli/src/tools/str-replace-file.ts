import {
  linedText,
  replacedIn,
  type TextRange,
  withLineFeeds,
  writtenText,
} from "@askwire/protocol/internal";
import { defineTool, type Tool, ToolError } from "@askwire/server";
import * as z from "zod/mini";
import type { EditFile } from "./edit-file.js";
import { strReplaceFile as description } from "./prose.js";

const Edit = z.looseObject({
  old: z.string().check(z.minLength(1), z.describe("The text to find, exactly. May have several lines.")),
  new: z.string().check(z.describe("The text to put in its place.")),
  replace_all: z._default(z.boolean().check(z.describe("Whether to replace it wherever it occurs.")), false),
});
type Edit = z.output<typeof Edit>;

const Params = z.looseObject({
  path: z.string().check(z.describe("The file, from the work directory or absolute.")),
  edit: z
    .union([Edit, z.array(Edit).check(z.minLength(1), z.maxLength(100))])
    .check(z.describe("One edit, or a list of them.")),
});

/** The most UTF-16 units that a file may grow to, since `replace_all` multiplies. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Replaces texts in a file, once the person approved the difference. */
export function strReplaceFileTool(editFile: EditFile): Tool {
  return defineTool({
    name: "StrReplaceFile",
    description,
    parameters: Params,
    restart: "asks-first",
    run: ({ path, edit }, run) =>
      editFile(run, path, (oldText) => {
        if (oldText === null) {
          throw refused(`${path}: there is no such file. Write a new one with WriteFile.`);
        }
        const edits = Array.isArray(edit) ? edit : [edit];
        return edits.reduce((text, one, index) => {
          const which = edits.length === 1 ? "`old`" : `\`old\` of edit ${index + 1}`;
          return replace(text, one, which);
        }, oldText);
      }),
  });
}

/**
 * Replaces a text. Line ends are found as the file has them, and written so: a model sees none. Only a text with
 * carriage returns, found exactly, is replaced verbatim.
 */
function replace(text: string, edit: Edit, which: string): string {
  const isExact = edit.old.includes("\r") && text.includes(edit.old);
  const lined = linedText(text);
  const wanted = isExact ? edit.old : withLineFeeds(edit.old);
  const places = placesOf(isExact ? text : lined.shown, wanted);
  const found = places.length;
  if (found === 0) {
    throw refused(`${which} is not in the file, and nothing was changed. Read the file and copy it exactly.`);
  }
  if (found > 1 && !edit.replace_all) {
    throw refused(
      `${which} occurs ${found} times, and nothing was changed. Add lines around it until it occurs once, or set replace_all.`,
    );
  }
  const length = text.length + found * (edit.new.length - wanted.length);
  if (length > MAX_LENGTH) {
    throw refused(`The file would grow to ${length} characters; expected at most ${MAX_LENGTH}.`);
  }
  if (isExact) return text.split(edit.old).join(edit.new);
  // Carriage returns that the file does not have in `old` are no word on `new` either.
  const now = edit.old.includes("\r") ? withLineFeeds(edit.new) : edit.new;
  return writtenText(replacedIn(lined, places, now));
}

/** The places of a text, none of which overlap. */
function placesOf(text: string, wanted: string): TextRange[] {
  const places: TextRange[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    places.push({ from: at, to: at + wanted.length });
  return places;
}

const refused = (message: string) => new ToolError({ message, brief: "Edit refused" });
