import { type JournalRecord, readRecord } from "./entries.js";
import { type FileLine, type LineReading, readLines } from "./lines.js";

/** A line that was skipped. */
export interface SkippedLine {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

export interface JournalReading extends LineReading {
  /** Told of each line that is no record. Default: nobody is. */
  readonly onSkipped?: (skipped: SkippedLine) => void;
}

/**
 * Reads the records of a journal in order, ours or Kimi's (P-JRN-9). Reading ends at the length of the file at the
 * start. Blank lines and headers are passed over, and unreadable lines are skipped. Without a file there are no
 * records.
 */
export function readJournal(
  file: string,
  { onSkipped, ...reading }: JournalReading = {},
): AsyncGenerator<JournalRecord> {
  return recordsOf(readLines(file, reading), onSkipped);
}

/** The records of lines, in order. */
export async function* recordsOf(
  lines: AsyncIterable<FileLine>,
  onSkipped?: (skipped: SkippedLine) => void,
): AsyncGenerator<JournalRecord> {
  for await (const { number: line, text } of lines) {
    if (text === undefined) {
      onSkipped?.({ line, problem: "it is too long" });
      continue;
    }
    if (text.trim() === "") continue;
    const record = readRecord(text);
    if (record === undefined) continue;
    if ("problem" in record) onSkipped?.({ line, problem: record.problem });
    else yield { line, ...record };
  }
}
