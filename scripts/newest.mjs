// Runs the tests of text, form, lines and page on the newest Node and in the newest Chromium that can be installed
// here. Where neither can, it says so and ends well. Usage: node scripts/newest.mjs
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../examples/test/launch-browser.mjs";
import { endProcesses } from "./matrix/end-processes.mjs";
import { newestNode, setUpNode } from "./matrix/nodes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** How long an installation may take, in milliseconds. */
const INSTALLING = 180_000;
/** How long the tests may take: far longer than they do. */
const TESTING = 900_000;

/** What engines do differently first: patterns over text, lines, keys, and effects of the page. */
const onNode = [
  "packages/client/test/form/",
  "packages/client/test/visible-text.test.ts",
  "packages/protocol/test/lines.test.ts",
  "apps/cli/test/lines/lines.test.ts",
];
const inBrowser = [
  "apps/web/test/answers.test.ts",
  "apps/web/test/conversation.test.ts",
  "apps/web/test/drafts.test.ts",
  "apps/web/test/keys.test.ts",
  "examples/test/react-prompt.test.ts",
];

const tell = (/** @type {string} */ line) => process.stdout.write(`newest: ${line}\n`);
const wordsOf = (/** @type {unknown} */ error) =>
  error instanceof Error ? error.message.split("\n")[0] : String(error);

/** Installs Debian's Chromium where that may be done. A refusal changes nothing. */
function installChromium() {
  if (process.platform !== "linux" || !existsSync("/etc/debian_version") || process.getuid?.() !== 0) return;
  if (existsSync("/usr/bin/chromium")) return;
  tell("installing Chromium by apt-get");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", ["-q", "-o", "Acquire::Retries=1", "-o", "DPkg::Lock::Timeout=60", ...args], {
      ...{
        env,
        timeout: args.includes("--download-only") ? INSTALLING : 2 * INSTALLING,
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe"],
      },
    });
  apt("update");
  // Only the download has little time: an installation that is cut off would leave half of it.
  const chromium = ["install", "-y", "--no-install-recommends", "chromium"];
  const fetched = apt(...chromium, "--download-only");
  const { status, error, stderr } = fetched.status === 0 ? apt(...chromium) : fetched;
  if (status === 0) return;
  const reason = error?.message ?? (stderr ?? "").trim().split("\n").at(-1);
  tell(`Chromium could not be installed (${reason})`);
}

/** The installed Chromium's version, if there is one that starts. */
async function installedChromium() {
  try {
    installChromium();
    const browser = await launchBrowser("chromium");
    const version = browser.version();
    await browser.close();
    return version;
  } catch (error) {
    tell(`no tests in a newer Chromium: ${wordsOf(error)}`);
    return undefined;
  }
}

async function newestNodeHere() {
  try {
    return await setUpNode(newestNode);
  } catch (error) {
    tell(`no tests on a newer Node: ${wordsOf(error)}`);
    return undefined;
  }
}

/** Runs the tests, whose lines go to standard output, and resolves with the exit code. */
async function runTests(
  /** @type {string} */ node,
  /** @type {string[]} */ files,
  /** @type {string} */ browser,
) {
  const args = ["node_modules/vitest/vitest.mjs", "run", ...files];
  const path = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, ASKWIRE_BROWSER: browser };
  const child = spawn(node, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], env });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    process.on(signal, () => void endProcesses(child).then(() => process.exit(130)));
  }
  const late = setTimeout(() => {
    tell(`the tests were ended after ${TESTING / 60_000} minutes`);
    void endProcesses(child);
  }, TESTING);
  const code = await new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", resolve);
  });
  clearTimeout(late);
  return code ?? 1;
}

const node = await newestNodeHere();
const chromium = await installedChromium();
if (node === undefined && chromium === undefined) tell("skipped, since neither can be had here");
else {
  const files = [...(node === undefined ? [] : onNode), ...(chromium === undefined ? [] : inBrowser)];
  const missing = files.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0)
    throw new Error(`scripts/newest.mjs names tests that are gone: ${missing.join(", ")}`);
  const parts = [node && `Node ${node.version}`, chromium && `Chromium ${chromium}`];
  tell(`${files.length} parts of the tests on ${parts.filter(Boolean).join(" and ")}`);
  process.exitCode = await runTests(
    node?.path ?? process.execPath,
    files,
    chromium === undefined ? "" : "chromium",
  );
}
