import { readFileSync } from "node:fs";
import { usageFailure } from "./failure.js";
import { nameProblem } from "./name-problem.js";

/**
 * Reads a text file that an option names.
 *
 * @throws Failure with the option and the next step, if the file cannot be read.
 */
export function readOptionFile(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "no such file; check the path"
        : code === "EISDIR"
          ? "a folder; name a file"
          : (nameProblem(error) ?? message);
    throw usageFailure(`${option} ${file}: ${why}`);
  }
}
