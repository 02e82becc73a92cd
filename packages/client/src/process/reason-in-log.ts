import { placeInStack } from "../text/stack-place.js";

/** An uncaught error of Node or of Python, in one line. */
const ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)(?: \[\w+\])?: \S/;
/** A line of a traceback of Python. */
const PYTHON_PLACE = /^\s+File "([^"]+)", line (\d+)/;

/**
 * The reason at the end of a program's log: of a crash with a stack the error and its place, in one line; otherwise all of
 * it.
 */
export function reasonIn(log: string): string {
  const lines = log.trim().split(/\r?\n/);
  const at = lines.map((line) => ERROR.test(line)).lastIndexOf(true);
  const error = lines[at];
  if (error === undefined) return log.trim();
  const place = placeInStack(lines.slice(at + 1).join("\n")) ?? pythonPlace(lines.slice(0, at));
  if (place !== undefined) return `${error} (${place})`;
  return lines[at + 1]?.startsWith("    at ") === true ? error : log.trim();
}

function pythonPlace(before: readonly string[]): string | undefined {
  const [, file, line] =
    before.map((text) => PYTHON_PLACE.exec(text)).findLast((found) => found !== null) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}
