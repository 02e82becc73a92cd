import type { DifferentLine } from "./different-lines.js";

/** The lines that are shown around each change, though they stay the same. */
const CONTEXT = 3;
/** The fewest lines that are folded: a control takes a row too. */
const LEAST_FOLDED = 3;

/** A run of the lines of a difference: shown, or folded since they stay the same and are far from every change. */
export interface FoldedRun {
  readonly isFolded: boolean;
  readonly lines: readonly DifferentLine[];
}

/** Folds the lines that stay the same and are more than three lines away from every change. */
export function foldedRuns(lines: readonly DifferentLine[]): FoldedRun[] {
  const runs: FoldedRun[] = [];
  let from = 0;
  const push = (isFolded: boolean, to: number) => {
    if (to > from) runs.push({ isFolded, lines: lines.slice(from, to) });
    from = Math.max(from, to);
  };
  let at = 0;
  while (at < lines.length) {
    const begin = at;
    while (at < lines.length && lines[at]?.sign === " ") at += 1;
    const first = begin === 0 ? 0 : begin + CONTEXT;
    const last = at === lines.length ? at : at - CONTEXT;
    if (last - first >= LEAST_FOLDED) {
      push(false, first);
      push(true, last);
    }
    while (at < lines.length && lines[at]?.sign !== " ") at += 1;
  }
  push(false, lines.length);
  return runs;
}

/** A row of a difference: a line, or the control of folded lines by the number of their run. */
export type DifferenceRow =
  | { readonly line: DifferentLine }
  | { readonly folded: number; readonly run: number };

/** The rows of a difference up to a bound, and the lines behind them, of which folded ones do not count. */
export interface ShownRows {
  readonly rows: readonly DifferenceRow[];
  readonly left: number;
}

/**
 * The rows that are shown.
 *
 * @param unfolded the lines of each folded run that were unfolded.
 * @param most the most lines, of which unfolded ones do not count.
 */
export function shownRows(
  runs: readonly FoldedRun[],
  unfolded: ReadonlyMap<number, number>,
  most: number,
): ShownRows {
  const rows: DifferenceRow[] = [];
  let room = most;
  let left = 0;
  for (const [run, { isFolded, lines }] of runs.entries()) {
    if (left > 0) {
      left += isFolded ? 0 : lines.length;
      continue;
    }
    const count = isFolded ? (unfolded.get(run) ?? 0) : room;
    for (const line of lines.slice(0, count)) rows.push({ line });
    const rest = Math.max(0, lines.length - count);
    if (isFolded && rest > 0) rows.push({ folded: rest, run });
    if (isFolded) continue;
    room -= Math.min(room, lines.length);
    left += rest;
  }
  return { rows, left };
}
