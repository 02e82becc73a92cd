// Packs the extension: node apps/vscode/package.mjs [FILE]. The packer is fetched by npx into a folder of its own.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { extensionWords } from "@askwire/client/words";
import buildExtension from "./build.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const run = promisify(execFile);

/** The packer. Later versions want Node 22. */
const packer = "@vscode/vsce@3.9.2";

/** The most bytes of a package. */
export const MOST_BYTES = 1_500_000;

/** The files of the package that are made. */
const made = ["dist", "l10n", "package.nls*.json", "CHANGELOG.md"];

/** Lays out the files that belong into the package in an empty folder. @param {string} folder */
export async function layOut(folder) {
  const { files } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  for (const name of ["package.json", ...files.filter((name) => !made.includes(name))])
    await cp(join(here, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, "l10n"));
  for (const words of Object.values(extensionWords)) await writeWords(folder, words);
  const changes = await readFile(join(here, "../../CHANGELOG.md"), "utf8");
  await writeFile(join(folder, "CHANGELOG.md"), changesOfExtension(changes));
  await buildExtension(join(folder, "dist"));
}

/**
 * The part of the changelog of the repository that is about the extension: the points that name VS Code, below their
 * headings.
 *
 * @param {string} changes
 */
export function changesOfExtension(changes) {
  const kept = changes.split("\n").filter((line) => /^#|^- .*VS Code/.test(line));
  const level = (/** @type {string} */ line) => /^#*/.exec(line)?.[0].length ?? 0;
  // Headings with no point below them go.
  const lines = kept.filter((heading, at) => {
    const below = kept.slice(at + 1);
    const end = below.findIndex((line) => level(line) > 0 && level(line) <= level(heading));
    return (
      level(heading) === 0 || below.slice(0, end === -1 ? undefined : end).some((line) => level(line) === 0)
    );
  });
  const text = lines.map((line) => (line.startsWith("#") ? `\n${line}\n` : line)).join("\n");
  return `${text
    .trim()
    .replace(/\n{3,}/g, "\n\n")
    .replaceAll("](docs/", "](../../docs/")
    .replaceAll("](examples/", "](../../examples/")}\n`;
}

/**
 * Writes the words of a language into the files where the editor looks for them.
 *
 * @type {(folder: string, words: Partial<import("@askwire/client/words").ExtensionWords>) => Promise<void>}
 */
async function writeWords(folder, { locale, manifest, walkthrough, texts }) {
  const write = (name, text) => writeFile(join(folder, name), `${text}\n`);
  const json = (value) => JSON.stringify(value, undefined, 2);
  const end = locale === undefined ? "" : `.${locale}`;
  await write(`package.nls${end}.json`, json(manifest));
  const page = locale === undefined ? "md" : `nls${end}.md`;
  for (const [step, lines] of Object.entries(walkthrough))
    await write(`media/walkthrough-${step}.${page}`, lines.join("\n"));
  if (texts !== undefined) await write(`l10n/bundle.l10n${end}.json`, json(texts));
}

/**
 * Packs the extension into a file.
 *
 * @param {string} file
 * @returns {Promise<number>} its size in bytes.
 * @throws for a package of more than MOST_BYTES.
 */
export default async function packExtension(file) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-vsix-"));
  try {
    await layOut(folder);
    const { repository } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
    // Links of README.md and CHANGELOG.md are those of this folder in the repository.
    const at = (kind) => `${repository.url.replace(/\.git$/, "")}/${kind}/HEAD/${repository.directory}`;
    const links = ["--baseContentUrl", at("blob"), "--baseImagesUrl", at("raw")];
    const args = ["package", "--no-dependencies", ...links, "--out", resolve(file)];
    await run("npx", ["--yes", `--package=${packer}`, "--", "vsce", ...args], { cwd: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new Error(`${file}: expected at most ${MOST_BYTES} bytes, not ${size}`);
  return size;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = process.argv[2] ?? join(here, "askwire.vsix");
  console.log(`${file}: ${await packExtension(file)} bytes`);
}
