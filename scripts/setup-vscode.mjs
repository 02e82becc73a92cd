// Makes a VS Code server for tests from the package code-server of the npm registry, without a compiler. The cache
// node_modules/.cache/askwire-vscode keeps the two versions that were used last, each some 120 MB, newer ones 600 MB.
// Usage: node scripts/setup-vscode.mjs [VERSION], where version 4.100.3 brings VS Code 1.100.3.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { npm, unpack } from "./npm-package.mjs";
import { writeStandIns } from "./vscode-stand-ins.mjs";

/** The last version for Node 20. */
const usual = "4.100.3";
const cache = fileURLToPath(new URL("../node_modules/.cache/askwire-vscode", import.meta.url));

/**
 * @typedef {object} VsCode
 * @property {string} version of the package code-server
 * @property {string} node the program that runs the server
 * @property {string} main the server's main file
 */

async function make(/** @type {string} */ folder, /** @type {string} */ version) {
  await unpack(folder, `code-server@${version}`, "package/lib/vscode", 3);
  await unpack(join(folder, "about"), `code-server@${version}`, "package/package.json", 1);
  // By its shrinkwrap, which `npm ci` calls out of step with its package.json.
  await npm(folder, "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund");
  await writeStandIns(folder);
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith(".map")) await rm(join(folder, name), { force: true });
  }
}

/** The Node that the server is made for: the one that runs this, or its own, which is fetched once. */
async function nodeFor(/** @type {string} */ folder) {
  const { engines } = JSON.parse(await readFile(join(folder, "about/package.json"), "utf8"));
  const major = /\d+/.exec(engines.node)?.[0] ?? "";
  if (process.versions.node.split(".")[0] === major) return process.execPath;
  const own = join(folder, "node");
  if (!existsSync(join(own, "node"))) {
    await unpack(own, `node-${process.platform}-${process.arch}@${major}`, "package/bin", 2);
  }
  return join(own, "node");
}

/** True while the process that wrote its id into a file runs. */
async function isHeld(/** @type {string} */ lock) {
  try {
    return process.kill(Number(await readFile(lock, "utf8")), 0);
  } catch {
    return false;
  }
}

/** Holds the lock of a folder while `work` runs. A lock of a process that is gone does not count. */
async function alone(/** @type {string} */ lock, /** @type {() => Promise<void>} */ work) {
  for (;;) {
    const held = await writeFile(lock, String(process.pid), { flag: "wx" }).then(
      () => true,
      () => false,
    );
    if (held) break;
    await delay(200);
    if (!(await isHeld(lock))) await rm(lock, { force: true });
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Removes all versions but the two that were used last. */
async function forget() {
  const names = (await readdir(cache)).filter((name) => /^[\d.]+$/.test(name));
  const used = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(cache, name))).mtimeMs })),
  );
  for (const { name } of used.sort((one, other) => other.at - one.at).slice(2)) {
    await rm(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * The VS Code server of a version, which is made where the cache has none.
 *
 * @param {string} [version] of code-server. Default: the variable ASKWIRE_VSCODE, then the last one for Node 20.
 * @returns {Promise<VsCode>}
 * @throws Error for a version that cannot be had, with the next step.
 */
export async function setUpVsCode(version = process.env["ASKWIRE_VSCODE"] || usual) {
  const folder = join(cache, version);
  let node = process.execPath;
  await mkdir(cache, { recursive: true });
  await alone(`${folder}.lock`, async () => {
    const isMade = existsSync(folder);
    const making = `${folder}-making`;
    await rm(making, { recursive: true, force: true });
    try {
      if (!isMade) {
        await make(making, version);
        await rename(making, folder);
      }
      node = await nodeFor(folder);
    } catch (error) {
      const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
      const step = "check that the npm registry can be reached, then run this again";
      throw new Error(`VS Code ${version} could not be set up (${said}): ${step}`, { cause: error });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    if (isMade) return;
    await writeFile(join(folder, "made"), new Date().toISOString());
    await forget();
  });
  const now = new Date();
  await utimes(folder, now, now);
  return { version, node, main: join(folder, "out/server-main.js") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { node, main } = await setUpVsCode(process.argv[2]);
  process.stdout.write(`${node} ${main}\n`);
}
