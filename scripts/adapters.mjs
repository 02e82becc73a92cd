// Runs the adapters with the frameworks themselves, in the versions of examples/adapters/package-lock.json, on Node 22,
// which two of them need: the types, the examples of docs/adapters.md, and a test for each trap that the page names. They
// take 1 GB, most of it Claude's own program, so the suite has only what is small. Usage: node scripts/adapters.mjs, after `npm run build`.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setUpNode } from "./matrix/nodes.mjs";
import { npm } from "./npm-package.mjs";

const folder = fileURLToPath(new URL("../examples/adapters/", import.meta.url));
const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

/** Runs a program and shows what it prints. Ends this one where it fails. */
function must(/** @type {string} */ command, /** @type {string[]} */ args) {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: "inherit", timeout: 600_000 });
  if (status !== 0) process.exit(1);
}

const node = await setUpNode("22");
await npm(folder, "ci", "--workspaces=false", "--ignore-scripts", "--no-audit", "--no-fund");
must(process.execPath, [tsc, "-p", "."]);
const tests = readdirSync(join(folder, "test")).filter((name) => name.endsWith(".test.mjs"));
must(node.path, [
  "--test",
  "--test-timeout",
  "60000",
  "--test-reporter",
  "spec",
  ...tests.map((name) => join("test", name)),
]);
