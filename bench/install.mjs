import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ readonly folder: string, readonly mb: number }} Installed */
/** @typedef {{ readonly server: Installed, readonly client: Installed, remove(): void }} Installation */

/**
 * Packs the packages as built and installs server and client with npm. Each gets its own folder, beside the peer's
 * programs.
 * @type {(peer: string) => Promise<Installation>}
 */
export async function installPackages(peer) {
  const home = mkdtempSync(join(tmpdir(), "askwire-installed-"));
  const remove = () => rmSync(home, { recursive: true, force: true });
  /** @type {(name: string) => Promise<Installed>} */
  async function install(name) {
    const folder = join(home, name);
    for (const path of ["payload.mjs", "host", `peers/${peer}`])
      cpSync(join(root, "bench", path), join(folder, path), { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const archives = readdirSync(home).filter((file) =>
      new RegExp(`-(protocol|${name})-.*\\.tgz$`).test(file),
    );
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    await execute("npm", ["install", ...quiet, ...archives.map((file) => join(home, file))], { cwd: folder });
    return { folder, mb: bytesOf(join(folder, "node_modules")) / 1e6 };
  }
  try {
    for (const name of ["protocol", "server", "client"]) {
      const args = ["pack", "--pack-destination", home, "--config.ignore-scripts=true"];
      await execute(join(root, "node_modules/.bin/pnpm"), args, { cwd: join(root, "packages", name) });
    }
    return { server: await install("server"), client: await install("client"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** @type {(path: string) => number} */
function bytesOf(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
