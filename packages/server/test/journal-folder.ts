import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Log, systemClock } from "../src/index.js";
import type { JournalRecord } from "../src/journal/entries.js";
import { type JournalOptions, openJournal } from "../src/journal/journal.js";
import { type JournalReading, readJournal } from "../src/journal/read-journal.js";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "askwire-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A log that keeps warnings and errors with their details. */
export function detailedLog(): Log & { readonly told: { text: string; details: Record<string, unknown> }[] } {
  const told: { text: string; details: Record<string, unknown> }[] = [];
  const keep = (details: object, text: string) => void told.push({ text, details: { ...details } });
  const ignore = () => {};
  return { told, debug: ignore, info: ignore, warn: keep, error: keep };
}

/** The journal of a session that is opened in a folder; closed with the test, if not before. */
export function openedJournal(folder: string, options: Partial<JournalOptions> = {}) {
  const log = detailedLog();
  const journal = openJournal({ folder, log, clock: systemClock, ...options });
  onTestFinished(() => journal.close());
  return { journal, told: log.told };
}

/** The lines of a journal, parsed. */
export function linesOf(folder: string, name = "wire.jsonl"): Record<string, unknown>[] {
  const text = readFileSync(join(folder, name), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The `{type, payload}` of each record of a journal, without its header and the openings by processes. */
export function messagesOf(folder: string): { type: string; payload: Record<string, unknown> }[] {
  return messagesOfLines(linesOf(folder));
}

/** The records of lines that are given, as {@link messagesOf} reads them. */
export const messagesIn = (lines: readonly string[]) =>
  messagesOfLines(lines.map((line) => JSON.parse(line)));

const messagesOfLines = (lines: readonly Record<string, unknown>[]) =>
  lines
    .filter(({ type }) => type !== "metadata")
    .map(({ message }) => message as { type: string; payload: Record<string, unknown> })
    .filter(({ type }) => type !== "SessionOpened");

export const typesOf = (folder: string) => messagesOf(folder).map(({ type }) => type);

/** All records that can be read of a file. */
export async function recordsIn(file: string, reading: JournalReading = {}): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const record of readJournal(file, reading)) records.push(record);
  return records;
}

/** A question as it is recorded. */
export const questionMessage = (id: string) => ({
  type: "QuestionRequest" as const,
  payload: {
    id,
    tool_call_id: "tc-1",
    questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B" }] }],
  },
});

export const answered = {
  status: "answered",
  by: "human",
  at: "2026-01-02T03:04:05.000Z",
} as const;
