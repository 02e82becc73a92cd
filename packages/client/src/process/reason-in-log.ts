import { placeInStack } from "../text/stack-place.js";

/** An uncaught error of Node or of Python, in one line. */
const ERROR = /^(?:Uncaught )?[\w$.]*(?:Error|Exception)(?: \[\w+\])?: \S/;
/** A line of a traceback of Python. */
const PYTHON_PLACE = /^\s+File "([^"]+)", line (\d+)/;

/** The members of a line in JSON that say what happened, in this order: those of pino, and those of others. */
const SAYING = ["msg", "message", "err", "error"] as const;

/**
 * The reason at the end of a program's log: of a crash with a stack the error and its place, in one line; otherwise all of
 * it. Of a line in JSON, as loggers write them, the words alone.
 */
export function reasonIn(log: string): string {
  const lines = log.trim().split(/\r?\n/).map(wordsOf);
  const at = lines.map((line) => ERROR.test(line)).lastIndexOf(true);
  const error = lines[at];
  if (error === undefined) return lines.join("\n");
  const place = placeInStack(lines.slice(at + 1).join("\n")) ?? pythonPlace(lines.slice(0, at));
  if (place !== undefined) return `${error} (${place})`;
  return lines[at + 1]?.startsWith("    at ") === true ? error : lines.join("\n");
}

/** The words of a line in JSON. Another line as it is. */
function wordsOf(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const words = saidIn(JSON.parse(line));
    return words === "" ? line : words;
  } catch {
    return line;
  }
}

/** The texts of an object that say what happened, without those that are in another already. */
function saidIn(read: Readonly<Record<string, unknown>>): string {
  const texts = SAYING.map((name) => {
    const value = read[name];
    return typeof value === "object" && value !== null ? saidIn({ ...value }) : value;
  });
  const said = texts.filter((text): text is string => typeof text === "string" && text.trim() !== "");
  return said
    .filter((text, at) => !said.some((other, place) => place < at && other.includes(text)))
    .join(": ");
}

function pythonPlace(before: readonly string[]): string | undefined {
  const [, file, line] =
    before.map((text) => PYTHON_PLACE.exec(text)).findLast((found) => found !== null) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}
