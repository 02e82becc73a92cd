// The words of differences in English, which come with the first difference that is shown.

/** A number of bytes in its unit, for people. */
export const inBytes = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
};

export const changeEnglish = {
  /** The button in place of lines that stay the same. */
  unchanged: (count: number) => (count === 1 ? "… 1 unchanged line" : `… ${count} unchanged lines`),
  /** The button behind the lines that are shown, where more follow. */
  more: (next: number, left: number) =>
    left === next
      ? `Show the last ${next === 1 ? "line" : `${next} lines`}`
      : `Show ${next} of the ${left} lines left`,
  /** Of a press that would allow lines which were left out, and allowed nothing. @param count at least 1. */
  notShown: (count: number) =>
    count === 1
      ? "1 line is not shown yet. Show it first, or press again to allow it unread."
      : `${count} lines are not shown yet. Show them first, or press again to allow them unread.`,
  openInEditor: "Open in the diff editor",
  /**
   * In place of a difference of bytes.
   *
   * @param before 0 for a file that is new, and `after` 0 for an empty one.
   * @param isPart true where the file has more before it.
   */
  binary: (before: number, after: number, isPart: boolean) =>
    before === 0 && !isPart
      ? `A new binary file of about ${inBytes(after)}.`
      : `${isPart ? "Part of a binary file" : "A binary file"}: about ${inBytes(before)} before, about ${inBytes(after)} after.`,
  asText: "Show it as text",
};
/** The words of differences, in one language. */
export type ChangeWords = typeof changeEnglish;
