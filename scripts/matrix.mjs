// Runs the tests on every Node and in every browser that the project promises, and prints one table.
// Usage: node scripts/matrix.mjs --help
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "../examples/test/launch-browser.mjs";
import { nodes, setUpNode } from "./matrix/nodes.mjs";
import { runTests } from "./matrix/run-tests.mjs";
import { failuresOf, tableOf } from "./matrix/table.mjs";
import { mainDrives, testsOf } from "./matrix/tests-of-browsers.mjs";

const browsers = ["packaged", "chromium", "firefox"];

const help = `Runs the tests on every Node and in every browser that the project promises.

Usage: node scripts/matrix.mjs [options]

Without options: the whole suite on Node ${nodes.join(", ")}, and the tests of the
browser in each of: ${browsers.join(", ")}. That takes about an hour.

  --node VERSION   only this Node, such as 24 or 24.21.0; may be repeated
  --browser NAME   only the tests of the browser, in this one; may be repeated:
                   packaged   the Chromium that comes as a package
                   chromium   the one that is installed, or that CHROMIUM_PATH names
                   firefox    the one that is installed, or that FIREFOX_PATH names
  --only PATH      only test files with this in their path; may be repeated
  --main           only the page's main drives: what a person does there most
  --help           prints this

With --node and --browser, each of these browsers runs with each of these Nodes.
Nodes come from npm's package "node" and stay in node_modules/.cache.

Progress goes to standard error, the table to standard output. Exit code 0: all
passed; 1: something failed or could not be run; 2: the options are wrong;
130: interrupted.
`;

function options() {
  const multiple = /** @type {const} */ ({ type: "string", multiple: true, default: [] });
  try {
    const { values } = parseArgs({
      options: {
        node: multiple,
        browser: multiple,
        only: multiple,
        main: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const unknown = values.browser.find((name) => !browsers.includes(name));
    if (unknown === undefined) return values;
    throw new Error(`--browser ${unknown}: expected one of ${browsers.join(", ")}`);
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\nSee: node scripts/matrix.mjs --help\n`,
    );
    process.exit(2);
  }
}

const interrupt = new AbortController();
const tell = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

/** What is run: a Node, and for the tests of the browser, the browser. */
function planned(/** @type {ReturnType<typeof options>} */ { node, browser }) {
  const own = process.versions.node;
  const suites = browser.length > 0 ? [] : (node.length > 0 ? node : nodes).map((version) => ({ version }));
  const drives = node.length > 0 && browser.length === 0 ? [] : browser.length > 0 ? browser : browsers;
  return [
    ...suites.map((suite) => ({ ...suite, browser: undefined })),
    ...drives.flatMap((name) =>
      (node.length > 0 ? node : [own]).map((version) => ({ version, browser: name })),
    ),
  ];
}

/** Starts the browser once, for its version. */
async function versionOf(/** @type {string | undefined} */ name) {
  const browser = await launchBrowser(name);
  const version = browser.version();
  await browser.close();
  return version;
}

/** Runs one row of the table. What is not there becomes the row's reason. */
async function row(
  /** @type {ReturnType<typeof planned>[number]} */ { version, browser },
  /** @type {string[]} */ only,
  /** @type {string} */ folder,
) {
  const name = `Node ${version}, ${browser ?? "the whole suite"}`;
  try {
    tell(`${name}: getting ready`);
    const node = await setUpNode(version);
    const title = { node: node.version, browser: browser ?? "", browserVersion: await versionOf(browser) };
    const ofBrowser = browser === undefined ? [] : testsOf(browser);
    const files = browser === undefined ? only : ofBrowser.filter((path) => wanted(path, only));
    if (browser !== undefined && files.length === 0) {
      return { ...title, reason: `no test of the browser has ${only.join(" or ")} in its path` };
    }
    const log = join(folder, `node-${node.version}-${browser ?? "suite"}.txt`);
    tell(`${name}: running, all lines in ${log}`);
    const { signal } = interrupt;
    const result = await runTests({
      ...{ node: node.path, browser, files, log, signal },
      tell: (line) => tell(`${name}: ${line}`),
    });
    return { ...title, result };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    tell(`${name}: not run: ${reason}`);
    return { node: version, browser: browser ?? "", browserVersion: "", reason };
  }
}

const wanted = (/** @type {string} */ path, /** @type {string[]} */ only) =>
  only.length === 0 || only.some((part) => path.includes(part.replace(/^\.\//, "")));

const given = options();
if (given.help) {
  process.stdout.write(help);
  process.exit(0);
}
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    if (!interrupt.signal.aborted) tell("ending what runs, then the table");
    interrupt.abort();
  });
}
const folder = join(tmpdir(), `askwire-matrix-${process.pid}`);
mkdirSync(folder, { recursive: true });
const rows = [];
const only = given.main ? [...given.only, ...mainDrives] : given.only;
for (const plan of planned(given)) {
  if (!interrupt.signal.aborted) rows.push(await row(plan, only, folder));
}
process.stdout.write(`${tableOf(rows)}\n${failuresOf(rows)}`);
const isGreen = rows.every((row) => "result" in row && row.result.ok);
process.exitCode = interrupt.signal.aborted ? 130 : isGreen ? 0 : 1;
