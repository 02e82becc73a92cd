/** What a terminal has that says no size, or none in one direction. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };

/** The size of an output; some terminals report zero, which is none. */
export function terminalSize({ columns, rows }: { columns?: number; rows?: number }): {
  columns: number;
  rows: number;
} {
  return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows };
}
