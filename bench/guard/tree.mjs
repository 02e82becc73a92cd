// A commit in a folder of its own, built, with the benchmark of this one.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folders of a tree that have packages of their own. @param {string} tree @returns {string[]} */
function membersOf(tree) {
  const grouped = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(tree, group)).map((name) => `${group}/${name}`),
  );
  return [...grouped, "examples", "bench"].filter((name) => existsSync(join(tree, name, "package.json")));
}

/**
 * Gives a package what is installed for it here, and links it to those of its own tree, which may have other names.
 *
 * @param {string} tree @param {string} member
 */
function install(tree, member) {
  const modules = join(tree, member, "node_modules");
  const installed = join(root, member, "node_modules");
  if (existsSync(installed)) cpSync(installed, modules, { recursive: true, verbatimSymlinks: true });
  const ours = join(modules, "@askwire");
  rmSync(ours, { recursive: true, force: true });
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(tree, "packages")))
    symlinkSync(join(tree, "packages", name), join(ours, name));
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
  // Both are asked the same questions, by what measures now.
  rmSync(join(folder, "bench"), { recursive: true, force: true });
  const filter = (/** @type {string} */ path) => basename(path) !== "node_modules";
  cpSync(join(root, "bench"), join(folder, "bench"), { recursive: true, filter });
  for (const member of membersOf(folder)) install(folder, member);
  for (const script of ["scripts/bundle.mjs", "apps/cli/build.mjs"])
    execFileSync(process.execPath, [script], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  return folder;
}
