import { relative } from "node:path";
import { placeInStack } from "@askwire/client/text";

/** The beginning of a record of our servers' log. */
const RECORD = '{"level":';
/** UTF-16 units of a record that are waited for. */
const MOST = 65_536;

/**
 * Passes on an agent's log. A record of an error becomes a line with its message and its place, as a person at a
 * terminal reads no JSON; all else is passed on as it comes.
 */
export function readableLog(pass: (text: string) => void): (text: string) => void {
  let begun = "";
  return (text) => {
    const lines = (begun + text).split(/(?<=\n)/);
    const last = lines.at(-1) ?? "";
    const waits = !last.endsWith("\n") && last.startsWith(RECORD) && last.length < MOST;
    begun = waits ? last : "";
    const ready = waits ? lines.slice(0, -1) : lines;
    if (ready.length > 0) pass(ready.map(readable).join(""));
  };
}

/** A line of the log, of an error in words. */
function readable(line: string): string {
  if (!line.startsWith(RECORD)) return line;
  try {
    const { msg, err } = JSON.parse(line);
    if (typeof err?.message !== "string") return line;
    const place = placeOf(err.stack);
    return `${msg}: ${err.type}: ${err.message}${place === undefined ? "" : ` (${place})`}\n`;
  } catch {
    return line;
  }
}

/** The place where an error was thrown, near the folder of this process as a path from there. */
function placeOf(stack: unknown): string | undefined {
  const place = typeof stack === "string" ? placeInStack(stack) : undefined;
  if (place === undefined) return undefined;
  const [, path = place, at = ""] = /^(.*?)(:\d+:\d+)$/.exec(place) ?? [];
  const near = relative(process.cwd(), path);
  return `${near.startsWith("..") ? path : near}${at}`;
}
