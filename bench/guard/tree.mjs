// A commit in a folder of its own, built, with the benchmark of this one.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folders that have packages of their own, beside the root and the benchmark. */
const members = ["examples", ...["packages", "apps"].flatMap(namesIn)];

/** @param {string} folder @returns {string[]} */
function namesIn(folder) {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
}

/**
 * Puts a commit into a new folder and builds it. Packages of others are those that are installed here. The folder goes with
 * this process.
 *
 * @param {string} commit
 * @returns {string} the folder.
 * @throws Error for a commit that is not there, or cannot be built.
 */
export function builtTree(commit) {
  const folder = mkdtempSync(join(tmpdir(), "askwire-guard-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const member of members) {
    const modules = join(root, member, "node_modules");
    if (!existsSync(modules) || !existsSync(join(folder, member))) continue;
    cpSync(modules, join(folder, member, "node_modules"), { recursive: true, verbatimSymlinks: true });
  }
  // Both are asked the same questions, by what measures now.
  rmSync(join(folder, "bench"), { recursive: true, force: true });
  cpSync(join(root, "bench"), join(folder, "bench"), { recursive: true, verbatimSymlinks: true });
  for (const script of ["scripts/bundle.mjs", "apps/cli/build.mjs"])
    execFileSync(process.execPath, [script], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}
