import { widthOf, wrapped } from "./fitted-text.js";
import { HANGS, hangingRows } from "./hanging-rows.js";

/** Sequences ahead of a text that are not shown: bells, notifications, the clipboard. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these begin and end with one.
const SILENT = /^(?:\u0007|\u001b[\]P].*?(?:\u0007|\u001b\\))*/s;
/** Colours, blanks, and a sign with a blank behind it, if there is one: further rows begin below what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const INDENT = /^(?:\u001b\[[0-9;]*m)* *(?:(?:\u001b\[[0-9;]*m)*[•●○✗✔→↳↪](?:\u001b\[[0-9;]*m)* )?/;
const SIGN = /[•●○✗✔→↳↪]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const COLOURS = /\u001b\[[0-9;]*m/g;
/** The widest indent that further rows of a line have too. */
const WIDEST = 8;

/** The rows of a line of our own words, broken at blanks; further rows are as far in as the words of the first. */
export function noticeRows(line: string, columns: number): string[] {
  if (line.includes(HANGS)) return [...hangingRows(line, columns)];
  const [silent = ""] = SILENT.exec(line) ?? [];
  const shown = line.slice(silent.length);
  const [begin = ""] = INDENT.exec(shown) ?? [];
  const width = widthOf(begin);
  if (width > Math.min(WIDEST, columns / 2)) return [line];
  const colours = begin.match(COLOURS)?.join("") ?? "";
  const rows = [...wrapped(colours + shown.slice(begin.length), columns - width)];
  const blanks = " ".repeat(width);
  const first = silent + (SIGN.test(begin) ? begin : blanks);
  return rows.map((row, at) => (at === 0 ? first : blanks) + row);
}
