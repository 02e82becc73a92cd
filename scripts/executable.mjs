// Builds the command as one file that needs no Node, for the platform at hand, then starts it in every way in which it
// reads files or starts itself. Usage: node scripts/executable.mjs [--node VERSION] [FOLDER]
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import bundleCommand from "../apps/cli/build.mjs";
import { buildExecutable } from "./executable/build.mjs";
import { driveExecutable } from "./executable/drive.mjs";
import { setUpNode } from "./matrix/nodes.mjs";

/** The folder for the executable where none is named. */
const usual = fileURLToPath(new URL("../apps/cli/dist/executable", import.meta.url));

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

try {
  const { values, positionals } = parseArgs({
    options: { node: { type: "string" } },
    allowPositionals: true,
  });
  const [folder = usual, ...more] = positionals;
  if (more.length > 0) throw new Error(`${folder} ${more[0]}: expected one folder for the executable`);
  const own = { version: process.versions.node, path: process.execPath };
  const node = values.node === undefined ? own : await setUpNode(values.node);
  await bundleCommand();
  const { file, files } = await buildExecutable(resolve(folder), node);
  const size = Math.round((await stat(file)).size / 1e6);
  tell(`${file}: ${size} MB, with Node ${node.version} and ${files} files of its own`);
  await driveExecutable(file, (step) => tell(`ok ${step}`));
} catch (error) {
  process.stderr.write(`executable: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
