import { stripVTControlCharacters } from "node:util";
import type { ToolReturnValue } from "@askwire/protocol";
import { visibleText } from "../device/visible-text.js";

/** What the commands of an agent printed, of which the last is kept. */
export interface CommandOutput {
  /** A tool is called. */
  called(id: string, tool: string): void;
  /** The lines that stay of a call's result; none for what is no command, or printed nothing. */
  folded(id: string, value: ToolReturnValue): string[];
  /** All that the last command printed; undefined before the first that printed anything. */
  last(): string[] | undefined;
  /** The turn is over: no result comes of what was called in it. */
  forget(): void;
}

/** What a command is called by, here and in Kimi CLI. */
const SHELL = "Shell";
/** Lines of an output that stay, from its beginning and its end; a longer line is cut. */
const FIRST = 3;
const LAST = 5;
const WIDTH = 200;
/** UTF-16 units of an output that are read: a command of ours gives 50,000 at most. */
const READ = 256 * 1024;

/** @param more says how many lines are missing, 0 where only their ends are, and how to see them. */
export function commandOutput(more: (lines: number) => string): CommandOutput {
  const commands = new Set<string>();
  let all: string[] | undefined;
  return {
    called(id, tool) {
      if (tool === SHELL) commands.add(id);
    },
    folded(id, { output }) {
      if (!commands.delete(id)) return [];
      const lines = linesOf(textOf(output));
      if (lines.length === 0) return [];
      all = lines;
      return foldedLines(lines, more);
    },
    last: () => all,
    forget: () => commands.clear(),
  };
}

function foldedLines(lines: readonly string[], more: (lines: number) => string): string[] {
  const short = lines.map((line) => (line.length > WIDTH ? cut(line) : line));
  // One line more takes as much room as saying so.
  if (lines.length <= FIRST + LAST + 1) {
    return lines.some((line) => line.length > WIDTH) ? [...short, more(0)] : short;
  }
  return [...short.slice(0, FIRST), more(lines.length - FIRST - LAST), ...short.slice(-LAST)];
}

/** Without half a character at its end. */
const cut = (line: string) => `${line.slice(0, WIDTH).replace(/[\ud800-\udbff]$/, "")}…`;

const textOf = (output: ToolReturnValue["output"]): string =>
  typeof output === "string"
    ? output.slice(0, READ)
    : output
        .flatMap((part) => (part.type === "text" ? [part.text] : []))
        .join("\n")
        .slice(0, READ);

/** As a terminal would end up with them: without colours, and of a line that was written over the last of it. */
function linesOf(text: string): string[] {
  const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n").trimEnd();
  if (plain === "") return [];
  return visibleText(plain.replace(/^.*\r(?=[^\r\n])/gm, "").replaceAll("\r", "")).split("\n");
}
