import { stripVTControlCharacters } from "node:util";
import { visibleText } from "@askwire/client/text";
import type { ToolReturnValue } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import { missingEnds } from "../input/cut-mark.js";

/** The output of an agent's calls, of which the last are kept. */
export interface CommandOutput {
  /**
   * Notes the call of a tool.
   *
   * @param isCommand set for one that runs a command. Default: by its name.
   */
  called(id: string, tool: string, isCommand?: boolean): void;
  /** The lines that stay of a call's result. Empty for another tool than a command, or without output. */
  folded(id: string, value: ToolReturnValue): string[];
  /** The whole output of a call by its number. Default: of the last one. Undefined where there is none. */
  whole(number?: number): string[] | undefined;
  /** Forgets the calls of a turn that is over: their results do not come. */
  forget(): void;
}

/** The tool name of a command, here and in Kimi CLI. */
const SHELL = "Shell";
/** The lines of an output that stay from its beginning, and from its end. Longer lines are cut. */
const FIRST = 3;
const LAST = 5;
const WIDTH = 200;
/** The most outputs kept. */
const MOST_KEPT = 50;
/** The most UTF-16 units of an output that are read. Our own commands give 50,000 at most. */
const READ = 256 * 1024;

interface OutputWords {
  /**
   * The number of missing lines, 0 if only their ends are missing, and the way to see them: by number.
   *
   * @param isCut set if not all of them were kept.
   */
  more(lines: number, number: number, isCut: boolean): string;
  /** The characters at the end that are not kept. */
  notKept(characters: number): string;
}

/** Keeps the output of calls, and numbers those that had any. */
export function commandOutput({ more, notKept }: OutputWords): CommandOutput {
  const commands = new Set<string>();
  const kept = new BoundedMap<number, string[]>(MOST_KEPT);
  let count = 0;
  return {
    called(id, tool, isCommand = tool === SHELL) {
      if (isCommand) commands.add(id);
    },
    folded(id, { output }) {
      const isCommand = commands.delete(id);
      const text = printedText(output);
      const lines = outputLines(text.slice(0, READ));
      const cutLines = linesCut(lines) + linesBehind(text);
      if (text.length > READ) lines.push(notKept(text.length - READ));
      if (lines.length === 0) return [];
      count += 1;
      kept.set(count, lines);
      const isCut = cutLines > 0;
      return isCommand
        ? foldedLines(lines, (left) => more(left > 0 ? left + cutLines : 0, count, isCut))
        : [];
    },
    whole: (number = count) => kept.get(number),
    forget: () => commands.clear(),
  };
}

function foldedLines(lines: readonly string[], more: (lines: number) => string): string[] {
  const short = lines.map((line) => (line.length > WIDTH ? cut(line) : line));
  // A further line takes as much room as a note about it.
  if (lines.length <= FIRST + LAST + 1) {
    return lines.some((line) => line.length > WIDTH) ? [...short, more(0)] : short;
  }
  return [...short.slice(0, FIRST), more(lines.length - FIRST - LAST), ...short.slice(-LAST)];
}

/** The lines behind what is read of a text. The rest of a line that is read in part does not count. */
function linesBehind(text: string): number {
  const rest = text.slice(READ).trimEnd();
  if (rest === "") return 0;
  return rest.split("\n").length - (text[READ - 1] === "\n" ? 0 : 1);
}

/** The lines that a command printed and that are not there: those that the mark of a cut stands for. */
function linesCut(lines: readonly string[]): number {
  for (const line of lines) {
    const ends = missingEnds(line);
    // The mark is a line itself, between the halves of one.
    if (ends !== undefined) return ends - 2;
  }
  return 0;
}

/** The line cut, without half a character at its end. */
const cut = (line: string) => `${line.slice(0, WIDTH).replace(/[\ud800-\udbff]$/, "")}…`;

export const printedText = (output: ToolReturnValue["output"]): string =>
  typeof output === "string"
    ? output
    : output.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** The lines as a terminal would end up with them: without colours, and with the last text of an overwritten line. */
export function outputLines(text: string): string[] {
  const plain = stripVTControlCharacters(text).replaceAll("\r\n", "\n").trimEnd();
  if (plain === "") return [];
  return visibleText(plain.replace(/^.*\r(?=[^\r\n])/gm, "").replaceAll("\r", "")).split("\n");
}
