import stringWidth from "string-width";

/** Columns that a tab takes at most. */
const TAB = 8;

/** Columns that a text on one line takes at most: some terminals draw signs such as `…` wide. */
export const columnsTaken = (text: string): number =>
  stringWidth(text, { ambiguousIsNarrow: false }) + TAB * (text.split("\t").length - 1);

/** As much of a text as has room, in whole characters. */
export function fitting(text: string, room: number): string {
  let end = 0;
  let taken = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    taken += columnsTaken(segment);
    if (taken > room) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
