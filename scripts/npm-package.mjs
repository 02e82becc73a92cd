import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs npm without the settings of an npm that runs us. No step takes longer than five minutes.
 * @returns {Promise<string>} what it printed
 */
export async function npm(/** @type {string} */ cwd, /** @type {string[]} */ ...args) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(local_prefix|workspace)|package_)/i.test(name),
    ),
  );
  const quick = ["--silent", "--fetch-retries", "1", "--fetch-timeout", "60000"];
  const shell = process.platform === "win32";
  const options = { cwd, env, shell, timeout: 300_000, maxBuffer: 2 ** 24 };
  return (await run("npm", [...args, ...quick], options)).stdout;
}

/** Unpacks a part of a package into a folder, without the scripts of the package. */
export async function unpack(
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
