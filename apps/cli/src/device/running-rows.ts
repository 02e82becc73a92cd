import { brokenRows, type Cell, cellsOf, follow, RESET, withoutTabs } from "./fitted-text.js";

/** The distance of tab stops on a terminal, in columns. */
const TERMINAL_TAB = 8;

/** Stands behind the last character, so that a blank at which the last row was broken begins another one. */
const END: Cell = { text: "", width: 0, colour: false, length: 0 };

/**
 * The rows of a line that still grows, broken as {@link brokenRows} does. Each row has the colours of its text, and all
 * but the last end them: the last one is as it came, so that more can follow.
 */
export function runningRows(line: string, columns: number): string[] {
  const colours: string[] = [];
  const rows = [...brokenRows([...cellsOf(withoutTabs(line, TERMINAL_TAB)), END], columns)];
  return rows.map((cells, at) => {
    const lead = colours.join("");
    for (const { colour, text } of cells) if (colour) follow(colours, text);
    const shown = cells.map(({ text }) => text).join("");
    if (at === rows.length - 1) return lead + shown;
    return lead + shown.trimEnd() + (colours.length > 0 ? RESET : "");
  });
}
