/** A record of a journal, as written. */
export interface JournalRecord {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The records of a journal's text, without its header and the lines that are none. */
export function recordsOf(journal: string): JournalRecord[] {
  return linesOf(journal).flatMap((line) => {
    try {
      const { message } = JSON.parse(line);
      return message === undefined ? [] : [message];
    } catch {
      return [];
    }
  });
}

export const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

/** The payloads of the records of a type. */
export const payloadsOf = (records: readonly JournalRecord[], type: string) =>
  records.filter((record) => record.type === type).map(({ payload }) => payload);
