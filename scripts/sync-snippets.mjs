// Copies code into the fences of README.md and docs/*.md, so that the printed code is the tested code. A comment above
// a fence names the source: <!-- snippet: examples/first-server.mjs#first-server -->, or without #region the whole
// file. A number behind <!-- lines: examples/first-server.mjs --> is the lines of that file, of all below a folder that
// ends in "/", or of several such, by a space between them. A comment <!-- install: names --> above a fence has it filled
// with the commands that install these packages. With --check nothing is written, and a page that differs from its
// sources fails.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installation } from "./names.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const marked =
  /(?<head>^<!-- snippet: (?<file>[^\s#]+)(?:#(?<region>[\w-]+))? -->\n+(?<fence>```+)[^\n]*\n)(?<body>[\s\S]*?)(?<tail>^\k<fence>$)/gm;

/** The lines between `#region name` and `#endregion name`, without the indentation that they share. */
function cutRegion(text, file, region) {
  const lines = text.split("\n");
  const find = (word) => lines.findIndex((line) => new RegExp(`#${word} ${region}\\s*$`).test(line));
  const [start, end] = [find("region"), find("endregion")];
  if (start === -1 || end < start) throw new Error(`${file}: no #region ${region} … #endregion ${region}`);
  const cut = lines.slice(start + 1, end);
  const indents = cut
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  return `${cut.map((line) => line.slice(Math.min(...indents))).join("\n")}\n`;
}

const counted = /(?<=<!-- lines: (?<sources>[^>]+) -->)\d*/g;

/** The number of lines of a file, or of all files below a folder. */
async function linesOf(source) {
  const names = source.endsWith("/")
    ? (await readdir(join(root, source), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
    : [join(root, source)];
  const texts = await Promise.all(names.map((name) => readFile(name, "utf8")));
  return texts.reduce((sum, text) => sum + text.trimEnd().split("\n").length, 0);
}

async function sumOf({ sources }) {
  const sums = await Promise.all(sources.split(" ").map(linesOf));
  return String(sums.reduce((sum, lines) => sum + lines));
}

async function sourceOf({ file, region }) {
  const text = await readFile(join(root, file), "utf8");
  return region === undefined ? `${text.trimEnd()}\n` : cutRegion(text, file, region);
}

const installs = /(?<head>^<!-- install: (?<words>[^>]+) -->\n+```sh\n)[\s\S]*?(?<tail>^```$)/gm;

async function synchronized(page, text) {
  const snippets = [...text.matchAll(marked)];
  const markers = text.match(/^<!-- snippet: /gm) ?? [];
  if (snippets.length !== markers.length) throw new Error(`${page}: a snippet comment has no fence below it`);
  const places = text.match(/^<!-- install: /gm) ?? [];
  if ([...text.matchAll(installs)].length !== places.length)
    throw new Error(`${page}: an install comment has no fence of sh below it`);
  const bodies = await Promise.all(snippets.map(({ groups }) => sourceOf(groups)));
  const copied = text
    .replace(marked, (...match) => {
      const { head, tail } = match.at(-1);
      return head + bodies.shift() + tail;
    })
    .replace(installs, (...match) => {
      const { head, words, tail } = match.at(-1);
      return head + installation(words) + tail;
    });
  const sums = await Promise.all([...copied.matchAll(counted)].map(({ groups }) => sumOf(groups)));
  return copied.replace(counted, () => sums.shift());
}

const pages = [
  ...["README.md", "packages/conformance-tests/README.md"],
  ...(await readdir(join(root, "docs"))).map((name) => `docs/${name}`),
];
const stale = [];
for (const page of pages.filter((name) => name.endsWith(".md"))) {
  const text = await readFile(join(root, page), "utf8");
  const wanted = await synchronized(page, text);
  if (wanted === text) continue;
  stale.push(page);
  if (!process.argv.includes("--check")) await writeFile(join(root, page), wanted);
}

if (process.argv.includes("--check") && stale.length > 0) {
  process.stderr.write(`${stale.join(", ")}: a snippet differs from its source\n`);
  process.exitCode = 1;
}
