import type { Log } from "../runtime/log.js";
import type { SkippedLine } from "./read-journal.js";

/** The number of skipped lines that a log names. The others are only counted. */
const NAMED = 20;

/** Gathers the lines of a file that were skipped, for one line in the log. */
export function skippedLines(file: string, log: Log) {
  const named: SkippedLine[] = [];
  let count = 0;
  return {
    add(skipped: SkippedLine): void {
      count += 1;
      if (named.length < NAMED) named.push(skipped);
    },
    tell(): void {
      if (count > 0) log.warn({ file, count, lines: named }, "lines that cannot be read were skipped");
    },
  };
}
