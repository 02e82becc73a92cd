// Makes a fresh clone ready: installs, compiles and bundles all missing or stale parts, and nothing else. Runs before
// `npm start` and `npm test`, so it uses Node alone and leaves standard input to them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const npmState = join(modules, ".package-lock.json");
const pnpmState = join(modules, ".pnpm/lock.yaml");
const installStamp = join(modules, ".askwire-setup");
const buildStamp = join(modules, ".askwire-build");

const workspaces = ["packages", "apps"]
  .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name)))
  .concat("examples", "bench")
  .filter((folder) => existsSync(join(root, folder, "package.json")));
const manifests = ["package.json", ...workspaces.map((folder) => join(folder, "package.json"))];

function fail(problem, nextStep) {
  process.stderr.write(`askwire set-up: ${problem} ${nextStep}\n`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options });
  return result.status === 0;
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

const modified = (file) => statSync(file).mtimeMs;

/** Hashes the wanted dependencies, and the dependencies that the last install left, whoever ran it. */
function dependenciesHash() {
  const hash = createHash("sha256");
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  for (const file of [npmState, pnpmState]) hash.update(readStamp(file));
  return hash.digest("hex");
}

/** True if every dependency of every package.json is there. `npm install --omit=dev` leaves tools out. */
function dependenciesArePresent() {
  return ["", ...workspaces].every((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const places = [join(root, folder, "node_modules"), modules];
    return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).every((name) =>
      places.some((place) => existsSync(join(place, name, "package.json"))),
    );
  });
}

/** True if `npm install` made node_modules after the last set-up and from the current package.json files. */
function npmHasJustInstalled() {
  if (!existsSync(npmState)) return false;
  const at = modified(npmState);
  const sinceSetup = !existsSync(installStamp) || at > modified(installStamp);
  return sinceSetup && manifests.every((file) => modified(join(root, file)) < at);
}

function install() {
  if (dependenciesArePresent()) {
    if (readStamp(installStamp) === dependenciesHash()) return;
    if (npmHasJustInstalled()) return writeFileSync(installStamp, dependenciesHash());
  }
  process.stderr.write("askwire set-up: installing dependencies\n");
  if (existsSync(npmState)) {
    for (const folder of ["", ...workspaces]) {
      rmSync(join(root, folder, "node_modules"), { recursive: true, force: true });
    }
  }
  // Another folder, and no npm settings of this run, keep npx from the pnpm in node_modules, which the install
  // replaces.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_(local_prefix|workspace)|package_)/i.test(name),
    ),
  );
  const args = ["--yes", "pnpm@10.34.9", "--dir", root, "install", "--frozen-lockfile"];
  const windows = process.platform === "win32";
  if (!run("npx", args, { cwd: tmpdir(), env, shell: windows })) {
    fail(
      "the dependencies could not be installed (see above).",
      "Check that the npm registry can be reached, then run the same command again.",
    );
  }
  writeFileSync(installStamp, dependenciesHash());
}

/** Name, size and time of every file that a build reads. */
function sourcesFingerprint() {
  const hash = createHash("sha256").update(readStamp(installStamp));
  const add = (path) => {
    const stats = statSync(join(root, path));
    if (!stats.isDirectory()) return hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
    for (const name of readdirSync(join(root, path)).sort()) add(join(path, name));
  };
  for (const folder of ["", ...workspaces]) {
    for (const name of [
      "src",
      "static",
      "theme.css",
      "package.json",
      "tsconfig.json",
      "tsconfig.base.json",
      "build.mjs",
    ]) {
      if (existsSync(join(root, folder, name))) add(join(folder, name));
    }
  }
  add("scripts/bundle.mjs");
  return hash.digest("hex");
}

function outputsArePresent() {
  return workspaces.every((folder) => {
    const has = (file) => existsSync(join(root, folder, file));
    return (!has("src/index.ts") || has("dist/index.js")) && (!has("src/main.ts") || has("dist/askwire.cjs"));
  });
}

function build() {
  const fingerprint = sourcesFingerprint();
  if (readStamp(buildStamp) === fingerprint && outputsArePresent()) return;
  process.stderr.write("askwire set-up: building\n");
  const projects = workspaces.filter((folder) => existsSync(join(root, folder, "src")));
  const node = process.execPath;
  const done =
    run(node, [join(modules, "typescript/bin/tsc"), "-b", ...projects]) &&
    run(node, ["scripts/bundle.mjs"]) &&
    run(node, ["apps/cli/build.mjs"]);
  if (!done) fail("the build failed (see above).", "Fix the errors, then run the same command again.");
  writeFileSync(buildStamp, fingerprint);
}

if (Number.parseInt(process.versions.node, 10) < 20) {
  fail(`Node ${process.versions.node} is too old.`, "Install Node 20 or later.");
}
install();
build();
