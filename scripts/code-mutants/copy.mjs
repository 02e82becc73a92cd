// A copy of the project in a folder of its own, whose sources may be changed.
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What tests do not need, or what is shared with the copy. */
const left = /(^|\/)(\.git|dist|\.vscode-test)(\/|$)/;

/** The configuration of the copy: that of the project, with programs as they were built, and a name for each file of tests. */
const config = `import base from "./vitest.config.ts";
const { globalSetup, ...test } = base.test;
const maxWorkers = Number(process.env.ASKWIRE_MUTANT_WORKERS ?? 1);
const setupFiles = [...test.setupFiles, "./test-file.ts"];
const times = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 10_000 } } };
export default { ...base, test: { ...test, ...times, setupFiles, maxWorkers } };
`;
const setup = `import { expect } from "vitest";
globalThis.$testFile = process.env.ASKWIRE_TEST_FILE = expect.getState().testPath;
`;

/** Copies the project. @returns {Promise<string>} the folder. */
export async function copyOfProject() {
  const folder = await mkdtemp(join(tmpdir(), "askwire-mutants-"));
  for (const name of await readdir(root)) {
    if (name === "node_modules") await symlink(join(root, name), join(folder, name));
    else if (!left.test(name))
      await cp(join(root, name), join(folder, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (from) => !left.test(from.slice(root.length)),
      });
  }
  await writeFile(join(folder, "vitest.mutants.config.ts"), config);
  await writeFile(join(folder, "test-file.ts"), setup);
  return folder;
}

/**
 * Runs a command in the copy.
 *
 * @param {string} folder @param {string[]} command @param {Record<string, string>} env @param {number} [timeoutMs]
 * @returns {Promise<{ code: number | null, text: string }>} code null where time was up.
 */
export function run(folder, command, env, timeoutMs = 3_600_000) {
  return new Promise((resolve, reject) => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        text = (text + chunk).slice(-200_000);
      });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), timeoutMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, text });
    });
  });
}
