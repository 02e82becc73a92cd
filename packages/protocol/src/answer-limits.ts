/**
 * The bounds of an answer, for forms, pages, editors and servers alike: whoever shows a control allows as much as this,
 * and whoever takes its answer takes that much. docs/limits.md has them as a table.
 */
export const answerLimits = {
  /** UTF-16 units of own text, a note, or the words next to a decision, as forms take them. The wire sets no bound. */
  words: 65_536,
  /** UTF-16 units of a changed text, where its approval has no other bound (P-XAO-3). */
  edited: 1_048_576,
  /** Bytes of one picture (P-XAN-6). */
  picture: 5 * 1_048_576,
  /** Bytes of all pictures of one answer (P-XAN-6). */
  pictures: 10 * 1_048_576,
} as const;

/** Bytes as mebibytes in words. */
export const mebibytes = (bytes: number): string => `${bytes / 1_048_576} MiB`;
