// Finds turns of phrase that a reader stumbles over, in comments of sources and on the pages, and names a plainer way:
//   node scripts/tics.mjs [folder...]
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { parsed, report, root, sourcesIn } from "./sources.mjs";

/** Turns of phrase, and a plainer way to say each. @type {readonly [RegExp, string][]} */
export const tics = [
  [/(?<!\bthere\s+)\bis\s+none\b/i, 'say "there is none", "has none" or "is not one"'],
  [/\bany\s+more\b/i, 'say "no longer"'],
  [/\blet\s+in\s+no\s+more\b/i, 'say "no longer let in"'],
  [/\bas\s+it\s+is(?=[,;:]|\s+and\b|$)/i, 'say "unchanged" or "word for word"'],
  [/\bof\s+one's\s+own\b/i, 'say "own" or "custom"'],
  [/\bagents?\s+of\s+others\b/i, `say "other vendors' agents"`],
  [/\bagents?\s+of\s+ACP\b/i, 'say "ACP agent"'],
];

/** Leaves lines and places as they were, and nothing that a phrase could begin in or go across. */
const masked = (text) => text.replace(/\S/g, "|");

/** The comments of a source, each in the place where it stands, without the marks around them. */
function comments(name, text) {
  const source = parsed(name, text);
  const ranges = new Map();
  const visit = (node) => {
    if (ts.isJsxText(node)) return;
    const around = [ts.getLeadingCommentRanges(text, node.pos), ts.getTrailingCommentRanges(text, node.end)];
    for (const range of around.flatMap((found) => found ?? [])) ranges.set(range.pos, range.end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  let prose = "";
  for (const [pos, end] of [...ranges].sort(([a], [b]) => a - b)) {
    prose += masked(text.slice(prose.length, pos));
    prose += text.slice(pos, end).replace(/^\s*(\/\*+|\*+|\/\/)|\*\/$/gm, (mark) => mark.replace(/\S/g, " "));
  }
  return prose;
}

/** A page without its fences. */
const outsideOfFences = (text) => text.replace(/^\s*```[\s\S]*?^\s*```$/gm, masked);

/** @type {(name: string, text: string) => string[]} the tics of a source's comments, or of a page */
export function ticFaults(name, text) {
  if (!tics.some(([tic]) => tic.test(text.replace(/^\s*(\*|\/\/)/gm, "")))) return [];
  const prose = name.endsWith(".md") ? outsideOfFences(text) : comments(name, text);
  return tics.flatMap(([tic, plainer]) =>
    [...prose.matchAll(new RegExp(tic, "gi"))].map(
      ({ 0: phrase, index }) =>
        `${name}:${prose.slice(0, index).split("\n").length}: ${phrase.replace(/\s+/g, " ")} (${plainer})`,
    ),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const looked = folders.length > 0 ? folders : ["packages", "apps", "examples", "scripts"];
  const sources = ["code", "tests"].flatMap((kind) => sourcesIn(looked, kind));
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const read = ["README.md", "CONTRIBUTING.md", ...pages.map((name) => `docs/${name}`)].map((name) => ({
    name,
    text: readFileSync(join(root, name), "utf8"),
  }));
  const faults = [...sources, ...read].flatMap(({ name, text }) => ticFaults(name, text));
  report(faults, `${faults.length} turns of phrase that a reader stumbles over.`);
}
