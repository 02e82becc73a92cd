/** The size of a terminal that reports none, or none in one direction. */
const DEFAULT_SIZE = { columns: 80, rows: 24 };

/** The size of an output. A size of zero, as some terminals report, counts as unknown. */
export function terminalSize({ columns, rows }: { columns?: number; rows?: number }): {
  columns: number;
  rows: number;
} {
  return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows };
}
