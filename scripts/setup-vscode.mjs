// Makes a VS Code server for tests from the package code-server of the npm registry, without a compiler. The cache
// node_modules/.cache/askwire-vscode keeps the two versions that were used last, each some 120 MB, newer ones 600 MB.
// Usage: node scripts/setup-vscode.mjs [VERSION], where version 4.100.3 brings VS Code 1.100.3.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeStandIns } from "./vscode-stand-ins.mjs";

/** The last version for Node 20. */
const usual = "4.100.3";
const cache = fileURLToPath(new URL("../node_modules/.cache/askwire-vscode", import.meta.url));
const run = promisify(execFile);

/**
 * @typedef {object} VsCode
 * @property {string} version of the package code-server
 * @property {string} node the program that runs the server
 * @property {string} main the server's main file
 */

/** Runs npm without the settings of an npm that runs us. No step takes longer than five minutes. */
async function npm(/** @type {string} */ cwd, /** @type {string[]} */ ...args) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(local_prefix|workspace)|package_)/i.test(name),
    ),
  );
  const quick = ["--silent", "--fetch-retries", "1", "--fetch-timeout", "60000"];
  const shell = process.platform === "win32";
  await run("npm", [...args, ...quick], { cwd, env, shell, timeout: 300_000, maxBuffer: 2 ** 24 });
}

/** Unpacks a part of a package into a folder. */
async function unpack(
  /** @type {string} */ folder,
  /** @type {string} */ name,
  /** @type {string} */ part,
  /** @type {number} */ depth,
) {
  await mkdir(folder, { recursive: true });
  await npm(folder, "pack", name);
  const archive = (await readdir(folder)).find((file) => file.endsWith(".tgz")) ?? "";
  await run("tar", ["-xzf", archive, "--strip-components", String(depth), part], { cwd: folder });
  await rm(join(folder, archive));
}

async function make(/** @type {string} */ folder, /** @type {string} */ version) {
  await unpack(folder, `code-server@${version}`, "package/lib/vscode", 3);
  await unpack(join(folder, "about"), `code-server@${version}`, "package/package.json", 1);
  const { engines } = JSON.parse(await readFile(join(folder, "about/package.json"), "utf8"));
  const major = /\d+/.exec(engines.node)?.[0] ?? "";
  if (process.versions.node.split(".")[0] !== major) {
    await unpack(join(folder, "node"), `node-${process.platform}-${process.arch}@${major}`, "package/bin", 2);
  }
  // By its shrinkwrap, which `npm ci` calls out of step with its package.json.
  await npm(folder, "install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund");
  await writeStandIns(folder);
  for (const name of await readdir(folder, { recursive: true })) {
    if (name.endsWith(".map")) await rm(join(folder, name), { force: true });
  }
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
  await mkdir(cache, { recursive: true });
  await alone(`${folder}.lock`, async () => {
    if (existsSync(folder)) return;
    const making = `${folder}-making`;
    await rm(making, { recursive: true, force: true });
    try {
      await make(making, version);
      await rename(making, folder);
    } catch (error) {
      const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
      const step = "check that the npm registry can be reached, then run this again";
      throw new Error(`VS Code ${version} could not be set up (${said}): ${step}`, { cause: error });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
    await writeFile(join(folder, "made"), new Date().toISOString());
    await forget();
  });
  const now = new Date();
  await utimes(folder, now, now);
  const ownNode = join(folder, "node/node");
  const node = existsSync(ownNode) ? ownNode : process.execPath;
  return { version, node, main: join(folder, "out/server-main.js") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { node, main } = await setUpVsCode(process.argv[2]);
  process.stdout.write(`${node} ${main}\n`);
}
