// Writes what the last run measured where it is read: a table into README.md and docs/compared.md, or a line into history.md.
//   node bench/rivals.mjs [--history]
/** @import { MeasureSummary, Run, Verdict } from "./contract.js" */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { medianText, ratiosOf, ratiosToItself, row, shown, spread, valuesOf } from "./report.mjs";

const begin = "<!-- beside rivals: node bench/rivals.mjs -->";
const end = "<!-- /beside rivals -->";

/** Stands where nothing was measured. */
const none = "–";

/** The peers of the table in their order, with the heads of their columns. */
const columns = {
  askwire: "Askwire, base",
  "askwire-extended": "Askwire, extended",
  "acp-elicitation": "ACP elicitation",
  acp: "ACP permission",
  mcp: "MCP, same form",
  "mcp-new-schema": "MCP, new form",
  "vscode-jsonrpc": "vscode-jsonrpc",
  raw: "floor",
};

/** The rows of the table. `unit` is how many of the measure's units are one of the table's. */
const rows = [
  { what: "stdio: a question and its answer, µs", measure: "stdio", key: "p50" },
  { what: "stdio: answers a second, 64 in flight", measure: "stdio", key: "perSecond" },
  { what: "stdio: CPU of 100,000 at 64 in flight, s", measure: "stdio", key: "cpuMany" },
  { what: "WebSocket: a question and its answer, µs", measure: "ws", key: "p50" },
  { what: "WebSocket: answers a second, 64 in flight", measure: "ws", key: "perSecond" },
  { what: "WebSocket: CPU of 100,000 at 64 in flight, s", measure: "ws", key: "cpuMany" },
  { what: "spawn to first answer, ms", measure: "cold-start", key: "ms" },
  { what: "idle connection with a turn begun, kB", measure: "connections", key: "turnRss", unit: 1000 },
  { what: "browser client, gzip kB", measure: "browser", key: "gzip" },
];

/** @typedef {MeasureSummary["peers"]} Peers */

/** @type {(run: Run, measure: string) => Peers} */
const peersOf = (run, measure) => run.measures.find(({ name }) => name === measure)?.peers ?? [];

/** A median, and the ratio to Askwire's base profile. @type {(peers: Peers, name: string, key: string, unit: number) => string} */
function cell(peers, name, key, unit) {
  const own = peers.find((peer) => peer.name === name);
  const values = own === undefined ? [] : valuesOf(own, key);
  if (own === undefined || values.length === 0) return none;
  const median = shown(spread(values).median / unit);
  const ratios = ratiosOf(
    own,
    peers.find((peer) => peer.name === "askwire"),
    key,
  );
  return name === "askwire" || ratios.length === 0 ? median : `${median} (${shown(spread(ratios).median)}×)`;
}

/** A sentence on the difference of Askwire's base profile from itself, over all rows. @type {(run: Run) => string} */
function noise(run) {
  const ratios = rows.flatMap(({ measure, key }) =>
    peersOf(run, measure).flatMap((peer) => (peer.name === "askwire" ? ratiosToItself(peer, key) : [])),
  );
  if (ratios.length === 0) return "";
  const { min, max } = spread(ratios);
  return ` Askwire's own values differed between one repetition and the next by ${shown(min)} to ${shown(max)}×.`;
}

/** @type {(run: Run) => string} */
const machineOf = ({ machine, load }) => `${machine}, load ${load.toFixed(1)} before the run`;

/** @type {(run: Run) => string} */
function rivalsOf({ versions }) {
  return Object.entries(versions)
    .map(([name, version]) => `\`${name}\` ${version}`)
    .join(", ");
}

/**
 * The table of a run, with what it was measured on. Rows and columns without a value are left out.
 * @type {(run: Run) => string}
 */
export function rivalsTable(run) {
  const all = rows.map(({ what, measure, key, unit = 1 }) => ({
    what,
    cells: Object.keys(columns).map((name) => cell(peersOf(run, measure), name, key, unit)),
  }));
  const measured = all.filter(({ cells }) => cells.some((text) => text !== none));
  const there = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    measured.some(({ cells }) => cells[at] !== none);
  const heads = Object.values(columns).filter(there);
  return [
    "Each peer asks the same question in the words of its own protocol. MCP has one form object for all questions, or a new one for each, as real questions do. The floor is written by hand, with no validation, no limits and no error handling.",
    "",
    `Medians of interleaved repetitions, and in brackets their ratio to Askwire's base profile in the same repetition.${noise(run)}`,
    "",
    row(["", ...heads]),
    row(["---", ...heads.map(() => "---:")]),
    ...measured.map(({ what, cells }) => row([what, ...cells.filter(there)])),
    "",
    `Measured on ${run.date.slice(0, 10)} at \`${run.commit}\`, on ${machineOf(run)}, with ${rivalsOf(run)}.`,
  ].join("\n");
}

/** A page before, between and after its marks. @type {(page: string) => [string, string, string]} */
function parts(page) {
  const [from, to] = [page.indexOf(begin) + begin.length, page.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`a page has no ${begin} … ${end}`);
  return [page.slice(0, from), page.slice(from, to), page.slice(to)];
}

/** The text that a page has between its marks. @type {(page: string) => string} */
export const tableIn = (page) => parts(page)[1].trim();

/** The page with another text between its marks. @type {(page: string, table: string) => string} */
export function withTable(page, table) {
  const [before, , after] = parts(page);
  return `${before}\n\n${table}\n\n${after}`;
}

/** @type {(verdict: Verdict) => string} */
function ratioCell({ measured, met }) {
  const text = medianText(measured);
  return met === false ? `**${text}**` : text;
}

/**
 * The history with a line of a run. A line that is there is not repeated.
 * @type {(history: string, run: Run) => string}
 */
export function withLine(history, run) {
  const ratios = run.budgets.filter(({ to }) => to !== undefined);
  const heads = ratios.map(({ what, to, least, most }) => {
    const bound = least === undefined ? `≤ ${most}` : `≥ ${least}`;
    return `${what}, to \`${to}\` (${bound})`;
  });
  const titles = ["date", "commit", "machine", "rivals", ...heads];
  const head = row(titles);
  const about = [run.date.slice(0, 10), `\`${run.commit}\``, machineOf(run), rivalsOf(run)];
  const line = row([...about, ...ratios.map(ratioCell)]);
  const lines = history.trimEnd().split("\n");
  if (lines.includes(line)) return history;
  const heading = lines.findLast((text) => text.startsWith("| date "));
  const begun = heading === head ? [] : ["", head, row(titles.map(() => "---"))];
  return `${[...lines, ...begun, line].join("\n")}\n`;
}

/** @type {() => Run} */
function lastRun() {
  const text = readFileSync(new URL("results/latest.json", import.meta.url), "utf8");
  /** @type {Run} */
  const run = JSON.parse(text);
  if (run.settings.quick)
    throw new Error("the last run was a quick one: it compiles too little to be quoted");
  const failed = run.measures.flatMap(({ name, peers }) =>
    peers.flatMap((peer) => (peer.error === null ? [] : [`${peer.name} in ${name}`])),
  );
  if (failed.length > 0) throw new Error(`the last run has failures: ${failed.join(", ")}`);
  return run;
}

/** @type {(path: string, change: (text: string) => string) => void} */
function rewrite(path, change) {
  const file = new URL(path, import.meta.url);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values: flags } = parseArgs({ options: { history: { type: "boolean", default: false } } });
  const run = lastRun();
  if (flags.history) rewrite("history.md", (text) => withLine(text, run));
  else
    for (const path of ["../README.md", "../docs/compared.md"])
      rewrite(path, (page) => withTable(page, rivalsTable(run)));
}
