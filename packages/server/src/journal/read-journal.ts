import { type JournalRecord, readRecord } from "./entries.js";
import { type LineReading, readLines } from "./lines.js";

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
 * The records of a journal in their order, ours or Kimi's, up to the length that the file has when reading starts
 * (P-JRN-9). Blank lines and headers are passed over; what cannot be read is skipped. No file: no records.
 */
export async function* readJournal(
  file: string,
  { onSkipped, ...reading }: JournalReading = {},
): AsyncGenerator<JournalRecord> {
  for await (const { number: line, text } of readLines(file, reading)) {
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
