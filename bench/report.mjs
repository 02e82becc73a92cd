/** @import { Budget, Column, MeasureResult, PeerResult, Verdict } from "./contract.js" */

/** @type {(values: readonly number[]) => { median: number, min: number, max: number }} */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ n) => sorted[n] ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Three significant digits, more only before the point. @type {(value: number) => string} */
function shown(value) {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.995 || size === 0 ? 2 : 3;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** @type {(values: readonly number[], unit?: string) => string} */
function spreadText(values, unit = "") {
  if (values.length === 0) return "–";
  const { median, min, max } = spread(values);
  const range = values.length > 1 ? ` [${shown(min)}–${shown(max)}]` : "";
  return `${shown(median)}${unit}${range}`;
}

/** @type {(result: PeerResult, key: string) => number[]} */
function valuesOf({ samples }, key) {
  return samples.flatMap((sample) => sample[key] ?? []);
}

/** Each value divided by the floor's of the same repetition. @type {(result: PeerResult, floor: PeerResult | undefined, key: string) => number[]} */
export function ratiosOf({ samples }, floor, key) {
  return samples.flatMap((sample, rep) => {
    const own = sample[key];
    const base = floor?.samples[rep]?.[key];
    return own == null || base == null || base === 0 ? [] : [own / base];
  });
}

/** @type {(cells: readonly string[]) => string} */
const row = (cells) => `| ${cells.join(" | ")} |`;

/** @type {(result: MeasureResult) => string} */
export function measureTable({ measure, columns, peers }) {
  const floor = peers.find(({ peer }) => peer.floor);
  const heads = columns.flatMap(({ label, ratio }) => (ratio ? [label, "×"] : [label]));
  /** @type {(result: PeerResult, column: Column) => string[]} */
  const cells = (result, { key, ratio }) => {
    const value = spreadText(valuesOf(result, key));
    return ratio ? [value, spreadText(ratiosOf(result, floor, key), "×")] : [value];
  };
  const rows = peers.map((result) =>
    row([result.peer.title, ...columns.flatMap((column) => cells(result, column))]),
  );
  const errors = peers.flatMap(({ peer, error }) =>
    error ? [`- **${peer.title} failed**: ${error.split("\n")[0]}`] : [],
  );
  return [
    `## ${measure.title}`,
    "",
    measure.note,
    "",
    row(["", ...heads]),
    row(["---", ...heads.map(() => "---:")]),
    ...rows,
    ...(errors.length > 0 ? ["", ...errors] : []),
    "",
  ].join("\n");
}

/** @type {(budgets: readonly Budget[], results: readonly MeasureResult[]) => Verdict[]} */
export function judge(budgets, results) {
  return budgets.map((budget) => {
    const { peer: name = "askwire", key, ratio = false, least = -Infinity, most = Infinity } = budget;
    const peers = results.find(({ measure }) => measure.name === budget.measure)?.peers ?? [];
    const own = peers.find(({ peer }) => peer.name === name);
    const floor = peers.find(({ peer }) => peer.floor);
    const values = own === undefined ? [] : ratio ? ratiosOf(own, floor, key) : valuesOf(own, key);
    if (values.length === 0) return { ...budget, measured: null, met: null };
    const measured = spread(values);
    return { ...budget, measured, met: measured.median >= least && measured.median <= most };
  });
}

/** @type {(verdicts: readonly Verdict[]) => string} */
export function budgetTable(verdicts) {
  const rows = verdicts.map(({ what, ratio, least, most, measured, met }) => {
    const unit = ratio ? "×" : "";
    const bounds = [
      ...(least === undefined ? [] : [`≥ ${shown(least)}${unit}`]),
      ...(most === undefined ? [] : [`≤ ${shown(most)}${unit}`]),
    ];
    const range = measured === null ? "–" : spreadText([measured.min, measured.median, measured.max], unit);
    return row([what, bounds.join(", "), range, met === null ? "not measured" : met ? "met" : "**missed**"]);
  });
  return [
    "## Budgets",
    "",
    "Medians of Askwire; × is the ratio to the floor.",
    "",
    row(["", "budget", "measured", ""]),
    row(["---", "---:", "---:", "---"]),
    ...rows,
    "",
  ].join("\n");
}

/** The medians of every column and ratio, for a program that compares runs. @type {(result: MeasureResult) => object} */
export function measureSummary({ measure, columns, peers }) {
  const floor = peers.find(({ peer }) => peer.floor);
  return {
    ...measure,
    peers: peers.map((result) => ({
      name: result.peer.name,
      error: result.error ?? null,
      values: Object.fromEntries(
        columns.map(({ key, ratio }) => [
          key,
          {
            ...spread(valuesOf(result, key)),
            ...(ratio ? { ratio: spread(ratiosOf(result, floor, key)) } : {}),
          },
        ]),
      ),
      samples: result.samples,
    })),
  };
}
