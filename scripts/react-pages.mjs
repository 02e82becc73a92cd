// Writes what the sources of @askwire/react say into its pages, between their marks: the props of components into
// docs/react.md, of their types, and the tokens into docs/react-parts.md, of the theme. With --check nothing is written,
// and a page that differs from the sources fails: node scripts/react-pages.mjs [--check]
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { propTables } from "./react-pages/props.mjs";
import { tokenRows } from "./react-pages/tokens.mjs";

const root = new URL("../", import.meta.url);
const marked = /(?<head><!-- props: (?<name>\w+) -->\n)[\s\S]*?(?<tail><!-- \/props -->)/g;
const tokens = /(?<head><!-- tokens: [^>]*-->\n)[\s\S]*?(?<tail><!-- \/tokens -->)/g;

const read = (/** @type {string} */ name) => readFile(new URL(name, root), "utf8");

/** A table of Markdown. @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
    .replaceAll(/\| {2}(?=\|)/g, "| ");

/** The pages as the sources have them now. @type {Record<string, (kept: string) => string | Promise<string>>} */
const pages = {
  "docs/react.md": (kept) => {
    const rowsOf = propTables();
    return kept.replace(
      marked,
      (_all, head, name, tail) => `${head}${table(["prop", "type", ""], rowsOf(name))}\n${tail}`,
    );
  },
  "docs/react-parts.md": async (kept) => {
    const rows = tokenRows(await read("packages/react/theme/tokens.css"));
    return kept.replace(tokens, (_all, head, tail) => {
      return `${head}${table(["token", "light", "dark, or on touch", "for"], rows)}\n${tail}`;
    });
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, written] of Object.entries(pages)) {
    const kept = await read(name);
    const now = await written(kept);
    if (now === kept) continue;
    if (process.argv.includes("--check")) {
      process.stdout.write(`${name} is not as the sources have it\n`);
      process.exitCode = 1;
    } else await writeFile(new URL(name, root), now);
  }
}
