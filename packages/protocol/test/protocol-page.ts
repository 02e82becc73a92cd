import { readFileSync } from "node:fs";

const page = readFileSync(new URL("../../../docs/protocol.md", import.meta.url), "utf8");

/** The first row and the others of the table below a sentence of docs/protocol.md: their cells as they stand. */
export function tableBelow(id: string): { head: string[]; rows: string[][] } {
  const [, after = ""] = page.split(`</a>**${id}**`);
  const lines = after.split("\n").slice(1);
  const start = lines.findIndex((line) => line.startsWith("|"));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  const cells = (line = "") =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  return { head: cells(lines[start]), rows: lines.slice(start + 2, end).map(cells) };
}
