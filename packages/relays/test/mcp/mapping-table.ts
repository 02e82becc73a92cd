import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const page = fileURLToPath(new URL("../../../../docs/mcp-mapping.md", import.meta.url));

const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;

/** Wants the table of docs/mcp-mapping.md with this head to have these rows. `vitest -u` writes them. */
export async function wantTable(head: readonly string[], rows: readonly (readonly string[])[]) {
  const [before, after] = readFileSync(page, "utf8").split(lineOf(head));
  if (before === undefined || after === undefined) throw new Error(`${page} has no table ${lineOf(head)}`);
  const table = [head, head.map(() => "---"), ...rows].map(lineOf).join("");
  await expect(`${before}${table}${after.replace(/^(?:\|.*\n?)*/, "")}`).toMatchFileSnapshot(page);
}
