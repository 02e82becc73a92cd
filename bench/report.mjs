/** @import { Budget, Column, MeasureResult, MeasureSummary, PeerResult, Sample, Spread, Verdict } from "./contract.js" */

/** @type {(values: readonly number[]) => { median: number, min: number, max: number }} */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (/** @type {number} */ n) => sorted[n] ?? Number.NaN;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1) };
}

/** Three significant digits, more only before the point. @type {(value: number) => string} */
export function shown(value) {
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

/** @typedef {{ readonly samples: readonly Sample[] }} Sampled */

/** @type {(found: Spread | null, unit?: string) => string} */
export function medianText(found, unit) {
  return found === null ? "–" : spreadText([found.min, found.median, found.max], unit);
}

/** @type {(result: Sampled, key: string) => number[]} */
export function valuesOf({ samples }, key) {
  return samples.flatMap((sample) => sample[key] ?? []);
}

/** Each value divided by the other peer's of the same repetition. @type {(result: Sampled, other: Sampled | undefined, key: string) => number[]} */
export function ratiosOf({ samples }, other, key) {
  return samples.flatMap((sample, rep) => {
    const own = sample[key];
    const base = other?.samples[rep]?.[key];
    return own == null || base == null || base === 0 ? [] : [own / base];
  });
}

/** Each value divided by its own of the repetition before: what a peer differs from itself. @type {(result: Sampled, key: string) => number[]} */
export function ratiosToItself(result, key) {
  return ratiosOf({ samples: result.samples.slice(1) }, result, key);
}

/** @type {(cells: readonly string[]) => string} */
export const row = (cells) => `| ${cells.join(" | ")} |`;

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
    const { peer: name = "askwire", key, to, least = -Infinity, most = Infinity } = budget;
    const peers = results.find(({ measure }) => measure.name === budget.measure)?.peers ?? [];
    const called = (/** @type {string} */ wanted) => peers.find(({ peer }) => peer.name === wanted);
    const own = called(name) ?? { samples: [] };
    const values = to === undefined ? valuesOf(own, key) : ratiosOf(own, called(to), key);
    if (values.length === 0) return { ...budget, measured: null, itself: null, met: null };
    const measured = spread(values);
    const again = ratiosToItself(own, key);
    const itself = again.length === 0 ? null : spread(again);
    return { ...budget, measured, itself, met: measured.median >= least && measured.median <= most };
  });
}

/** @type {(verdicts: readonly Verdict[]) => string} */
export function budgetTable(verdicts) {
  const rows = verdicts.map(({ what, to, least, most, measured, itself, met }) => {
    const unit = to === undefined ? "" : "×";
    const bounds = [
      ...(least === undefined ? [] : [`≥ ${shown(least)}${unit}`]),
      ...(most === undefined ? [] : [`≤ ${shown(most)}${unit}`]),
    ];
    return row([
      what,
      to === undefined ? "" : `\`${to}\``,
      bounds.join(", "),
      medianText(measured, unit),
      medianText(itself, "×"),
      met === null ? "not measured" : met ? "met" : "**missed**",
    ]);
  });
  return [
    "## Budgets",
    "",
    "Medians of Askwire, [smallest–largest]; × is the ratio to the named peer in the same repetition. The noise is Askwire's value over its own of the repetition before.",
    "",
    row(["", "to", "budget", "measured", "noise", ""]),
    row(["---", "---", "---:", "---:", "---:", "---"]),
    ...rows,
    "",
  ].join("\n");
}

/** The medians of every column and ratio, for a program that compares runs. @type {(result: MeasureResult) => MeasureSummary} */
export function measureSummary({ measure, columns, peers }) {
  const floor = peers.find(({ peer }) => peer.floor);
  return {
    ...measure,
    peers: peers.map((result) => ({
      name: result.peer.name,
      title: result.peer.title,
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
