import { wrapped } from "../device/fitted-text.js";

/** The line in the place of a panel that was put aside, as many rows of it as there is room. */
export const asideLines = (text: string, { columns, rows }: { columns: number; rows: number }): string[] =>
  columns < 1 ? [] : [...wrapped(text, columns)].slice(0, Math.max(0, rows - 1));
