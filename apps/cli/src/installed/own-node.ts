import { createRequire } from "node:module";
import { ownExecutable } from "./own-executable.js";
import type { StartWords } from "./own-start.js";

/** The first word by which a single executable runs a script of Node instead of a command. */
const RUN_SCRIPT = "run-script";

/** The words before the path of a CommonJS script that run it: this Node, or the executable, which brings its own. */
export const ownNode = (): StartWords =>
  ownExecutable() === undefined ? [process.execPath] : [process.execPath, RUN_SCRIPT];

/**
 * Runs the script that a start of the executable names, with the arguments that Node would give it.
 *
 * @param argv of the process; of a script's start it loses the first word.
 * @returns false where the start names none.
 */
export function runNamedScript(argv: string[]): boolean {
  const [, , word, file] = argv;
  if (word !== RUN_SCRIPT || file === undefined) return false;
  argv.splice(1, 2);
  createRequire(file)(file);
  return true;
}
