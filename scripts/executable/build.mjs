import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);
const dist = fileURLToPath(new URL("../../apps/cli/dist", import.meta.url));
/** The text in a Node by which it sees that a program was put in. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
/** The oldest Node that carries files, and requires modules of ECMAScript. */
const OLDEST = { major: 20, minor: 19 };
/** The folders beside the bundle that the command reads at run time (apps/cli/src/installed/shipped-files.ts). */
const SHIPPED = ["web", "templates"];

/** The name of the executable on this platform. */
export const executableName = process.platform === "win32" ? "askwire.exe" : "askwire";

/**
 * Says why a Node cannot become an executable, with the next step.
 *
 * @param {{ version: string, path: string }} node
 * @returns {Promise<string | undefined>} undefined for a Node that can.
 */
export async function unfitNode({ version, path }) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < OLDEST.major || (major === OLDEST.major && minor < OLDEST.minor))
    return `Node ${version} is too old for an executable: name another, as in --node 24`;
  if ((await readFile(path)).includes(FUSE)) return undefined;
  return `${path} takes no program, as a Node that shares its library does: name one of npm, as in --node 24`;
}

/** The program that puts a blob into Node. @throws Error where it is not installed, with the next step. */
function injector() {
  try {
    return fileURLToPath(import.meta.resolve("postject/dist/cli.js"));
  } catch (error) {
    const text = "postject, which puts the program into Node, is not installed: run npm run setup first";
    throw new Error(text, { cause: error });
  }
}

/** The paths of all files in a folder, in order. */
async function filesIn(/** @type {string} */ folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Writes the bundle as one file, the list of its files, and the blob that Node makes of them. */
async function makeBlob(/** @type {string} */ node, /** @type {string} */ work) {
  const main = join(work, "askwire.cjs");
  await build({
    entryPoints: [join(dist, "askwire.cjs")],
    outfile: main,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    logLevel: "error",
  });
  const files = (await Promise.all(SHIPPED.map((name) => filesIn(join(dist, name))))).flat();
  const assets = Object.fromEntries(files.map((file) => [relative(dist, file).replaceAll(sep, "/"), file]));
  const list = join(work, "files.json");
  await writeFile(list, JSON.stringify(Object.keys(assets)));
  const output = join(work, "askwire.blob");
  const config = join(work, "config.json");
  const settings = { disableExperimentalSEAWarning: true, useCodeCache: true };
  await writeFile(
    config,
    JSON.stringify({ main, output, ...settings, assets: { ...assets, "files.json": list } }),
  );
  await run(node, ["--experimental-sea-config", config], { maxBuffer: 2 ** 24 });
  return { blob: output, files: files.length };
}

/** Puts a blob into a copy of Node, which macOS signs anew for this machine. */
async function inject(
  /** @type {string} */ node,
  /** @type {string} */ file,
  /** @type {string} */ blob,
  /** @type {string} */ platform,
) {
  const segment = platform === "darwin" ? ["--macho-segment-name", "NODE_SEA"] : [];
  // A file that runs cannot be written, but it can be replaced.
  await rm(file, { force: true });
  await copyFile(node, file);
  await chmod(file, 0o755);
  if (platform === "darwin") await run("codesign", ["--remove-signature", file]);
  await run(process.execPath, [injector(), file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE, ...segment]);
  if (platform === "darwin") await run("codesign", ["--sign", "-", file]);
}

/**
 * Builds one file for this platform out of Node, the bundle of the command, its page and its templates.
 *
 * @param {string} folder the folder for it, which is made.
 * @param {{ version: string, path: string }} node the Node that becomes the executable.
 * @returns {Promise<{ file: string, files: number }>} the executable, and the number of files in it.
 * @throws Error where this Node, or this machine, builds none, with the next step.
 */
export async function buildExecutable(folder, node) {
  const problem = await unfitNode(node);
  if (problem !== undefined) throw new Error(problem);
  const work = await mkdtemp(join(tmpdir(), "askwire-executable-"));
  try {
    const { blob, files } = await makeBlob(node.path, work);
    await mkdir(folder, { recursive: true });
    const file = join(folder, executableName);
    await inject(node.path, file, blob, process.platform);
    return { file, files };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
