import type { Log } from "../runtime/log.js";
import type { SkippedLine } from "./read-journal.js";

/** How many skipped lines a log is told of by number; of the others it is told how many there are. */
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
