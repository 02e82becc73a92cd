import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { npm, unpack } from "../npm-package.mjs";

const cache = fileURLToPath(new URL("../../node_modules/.cache/askwire-nodes", import.meta.url));
const run = promisify(execFile);

/** The versions of Node that the project is tried on, the oldest first. */
export const nodes = ["20", "22", "24", "26"];

/** The newest of them. */
export const newestNode = nodes.at(-1) ?? "";

/** True if a version, such as 24.21.0, is one of these, such as 24 or 24.21. */
const isOf = (/** @type {string} */ version, /** @type {string} */ wanted) =>
  `${version}.`.startsWith(`${wanted}.`);

const parts = (/** @type {string} */ version) => version.split(".").map(Number);

const byAge = (/** @type {string} */ one, /** @type {string} */ other) => {
  const [before, after] = [parts(one), parts(other)];
  const at = before.findIndex((part, index) => part !== after[index]);
  return at < 0 ? 0 : (before[at] ?? 0) - (after[at] ?? 0);
};

/** The newest version that npm's package `node` has, or else the newest that was fetched before. */
async function newestOf(/** @type {string} */ wanted) {
  await mkdir(cache, { recursive: true });
  const fetched = (await readdir(cache)).filter((name) => isOf(name, wanted) && !name.endsWith("-making"));
  const told = await npm(cache, "view", `node@${wanted}`, "version", "--json").catch(() => "");
  const versions = told.trim() === "" ? fetched : [JSON.parse(told)].flat();
  const newest = versions.sort(byAge).at(-1);
  if (newest !== undefined) return newest;
  throw new Error(
    `Node ${wanted} cannot be fetched: check the version and that the npm registry can be reached, then run this again`,
  );
}

/**
 * A Node of this version: the one that runs this, or the newest of npm's package `node`, fetched once.
 *
 * @param {string} wanted such as `24` or `24.21.0`
 * @returns {Promise<{ version: string, path: string }>}
 * @throws Error for a version that cannot be had, with the next step.
 */
export async function setUpNode(wanted) {
  if (!/^\d+(\.\d+){0,2}$/.test(wanted)) {
    throw new Error(`there is no Node “${wanted}”: give a version such as ${newestNode}`);
  }
  if (isOf(process.versions.node, wanted)) return { version: process.versions.node, path: process.execPath };
  const version = await newestOf(wanted);
  const folder = join(cache, version);
  if (!existsSync(folder)) await fetch(version, folder);
  const path = join(folder, process.platform === "win32" ? "node.exe" : "node");
  try {
    return { version: (await run(path, ["-p", "process.versions.node"])).stdout.trim(), path };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`Node ${version} does not start on this machine: install it, and run this with it`, {
      cause: error,
    });
  }
}

async function fetch(/** @type {string} */ version, /** @type {string} */ folder) {
  const making = `${folder}-${process.pid}-making`;
  try {
    await unpack(making, `node-${process.platform}-${process.arch}@${version}`, "package/bin", 2);
    // Somebody else may have been first.
    await rename(making, folder).catch(() => {});
  } catch (error) {
    throw new Error(
      `Node ${version} could not be fetched: check that the npm registry can be reached, then run this again`,
      { cause: error },
    );
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}
