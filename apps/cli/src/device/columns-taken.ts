import stringWidth from "string-width";
import { segmentsOf } from "./segments-of.js";

/** The most columns of a tab. */
const TAB = 8;

/** The most columns of a text on one line. Some terminals draw signs such as `…` wide. */
export const columnsTaken = (text: string): number =>
  stringWidth(text, { ambiguousIsNarrow: false }) + TAB * (text.split("\t").length - 1);

/** The longest beginning of a text that fits, in whole characters. */
export function fitting(text: string, room: number): string {
  let end = 0;
  let taken = 0;
  for (const { segment } of segmentsOf(text)) {
    taken += columnsTaken(segment);
    if (taken > room) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
