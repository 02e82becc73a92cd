import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/setup.mjs", import.meta.url));

/** Installs as pnpm does, as far as set-up can see: the packages of each package.json, and the lock file. */
const NPX = `#!/usr/bin/env node
const fs = require("node:fs");
const path = require("node:path");
const root = process.argv[process.argv.indexOf("--dir") + 1];
for (const folder of ["", "examples"]) {
  const modules = path.join(root, folder, "node_modules");
  fs.rmSync(modules, { recursive: true, force: true });
  const { dependencies, devDependencies } = JSON.parse(fs.readFileSync(path.join(root, folder, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    fs.mkdirSync(path.join(modules, name, "bin"), { recursive: true });
    fs.writeFileSync(path.join(modules, name, "package.json"), "{}");
    fs.writeFileSync(path.join(modules, name, "bin/tsc"), "");
  }
}
fs.mkdirSync(path.join(root, "node_modules/.pnpm"));
fs.copyFileSync(path.join(root, "pnpm-lock.yaml"), path.join(root, "node_modules/.pnpm/lock.yaml"));
`;

/** A repository with one workspace beside the root, and an npx of its own. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), "askwire-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (file: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text, { mode });
  };
  mkdirSync(join(root, "packages"));
  for (const file of ["scripts/bundle.mjs", "apps/cli/build.mjs"]) write(file, "");
  write("pnpm-workspace.yaml", "");
  write("package.json", JSON.stringify({ devDependencies: { typescript: "1" } }));
  write("bin/npx", NPX, 0o755);
  cpSync(script, join(root, "scripts/setup.mjs"));
  const env = { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env.PATH}` };
  return {
    has: (file: string) => existsSync(join(root, file)),
    remove: (file: string) => rmSync(join(root, file), { recursive: true }),
    /** Writes what is wanted: the dependencies of the examples, with their lock file. */
    want(...names: string[]) {
      const dependencies = Object.fromEntries(names.map((name) => [name, "1"]));
      write("examples/package.json", JSON.stringify({ dependencies }));
      write("pnpm-lock.yaml", names.join("\n"));
    },
    /** An install that somebody runs by hand. */
    install: () => execFileSync(join(root, "bin/npx"), ["--dir", root]),
    /** Runs set-up, and tells whether it has installed. */
    setUp() {
      const log = join(root, "log");
      execFileSync("sh", ["-c", `"$0" scripts/setup.mjs 2>"$1"`, process.execPath, log], { cwd: root, env });
      return readFileSync(log, "utf8").includes("installing");
    },
  };
}

describe.skipIf(process.platform === "win32")("set-up", () => {
  test("the set-up installs once, and again where a package.json or the lock file is another", () => {
    const { want, setUp, has } = repository();
    want("one");
    expect([setUp(), setUp()]).toEqual([true, false]);
    want("one", "two");
    expect([setUp(), setUp()]).toEqual([true, false]);
    expect(has("examples/node_modules/two")).toBe(true);
  });

  test("the set-up installs again where somebody has installed other dependencies since, and these are wanted again", () => {
    const { want, setUp, install, has } = repository();
    want("one", "two");
    setUp();
    want("one");
    install();
    want("one", "two");
    expect(setUp()).toBe(true);
    expect(has("examples/node_modules/two")).toBe(true);
  });

  test("the set-up installs again where a dependency of a workspace is gone", () => {
    const { want, setUp, remove, has } = repository();
    want("one");
    setUp();
    remove("examples/node_modules/one");
    expect(setUp()).toBe(true);
    expect(has("examples/node_modules/one")).toBe(true);
  });
});
