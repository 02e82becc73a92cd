/**
 * @typedef {object} Row
 * @property {string} node its version
 * @property {string} browser its name; empty: the whole suite, in the browser that it takes by default
 * @property {string} browserVersion
 * @property {import("./run-tests.mjs").Result} [result]
 * @property {string} [reason] why it was not run
 */

const heads = ["Node", "tests", "browser", "passed", "failed", "skipped", "time"];

const time = (/** @type {number} */ seconds) =>
  `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;

function cells(/** @type {Row} */ { node, browser, browserVersion, result }) {
  const tests = browser === "" ? "all" : "browser";
  const name = `${browser === "firefox" ? "Firefox" : "Chromium"} ${browserVersion}`;
  const shown = `${name}${browser === "packaged" ? ", packaged" : ""}`;
  if (result === undefined)
    return [node, tests, browserVersion === "" ? browser : shown, "not run", "", "", ""];
  const { passed, failed, skipped, seconds } = result;
  return [node, tests, shown, String(passed), String(failed), String(skipped), time(seconds)];
}

/** The rows as a table of Markdown, whose columns are as wide as they need. */
export function tableOf(/** @type {readonly Row[]} */ rows) {
  const lines = [heads, ...rows.map(cells)];
  const widths = heads.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const [head = "", ...rest] = lines.map(
    (line) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`,
  );
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest].join("\n");
}

/** What failed in each row, and why a row was not run. */
export function failuresOf(/** @type {readonly Row[]} */ rows) {
  const parts = rows.flatMap(({ node, browser, reason, result }) => {
    const title = `Node ${node}, ${browser === "" ? "all tests" : browser}`;
    if (reason !== undefined) return [`${title} was not run: ${reason}`];
    if (result === undefined || result.ok) return [];
    return [`${title}:`, ...result.names.map((name) => `  ${name}`)];
  });
  return parts.length > 0 ? `\n${parts.join("\n")}\n` : "";
}
