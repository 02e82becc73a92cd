import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The longest that a step may take, in milliseconds. */
const STEP_MS = 60_000;

/**
 * The place where an executable is tried.
 *
 * @typedef {object} Place
 * @property {string} file the executable
 * @property {string} folder an empty folder
 * @property {Record<string, string | undefined>} env an environment in which no other program is found
 */

/** Runs the executable to its end. @returns {Promise<string>} what it printed. @throws Error with its words, if it failed. */
async function ran(
  /** @type {Place} */ { file, folder, env },
  /** @type {string[]} */ args,
  /** @type {string} */ input = "",
) {
  const child = spawn(file, args, { cwd: folder, env, timeout: STEP_MS });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said.err += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [status, signal] = await once(child, "close");
  if (status === 0) return said.out;
  throw new Error(`askwire ${args.join(" ")} ended with ${status ?? signal}: ${said.err.trim() || said.out}`);
}

/** @throws Error for a text without another one. */
function expectIn(/** @type {string} */ text, /** @type {string} */ part, /** @type {string} */ step) {
  if (!text.includes(part))
    throw new Error(`${step}: expected ${JSON.stringify(part)} in: ${text.slice(0, 2_000)}`);
}

/** Loads a page, and every script and style that it names. */
async function expectPage(/** @type {string} */ origin, /** @type {string} */ step) {
  const load = async (/** @type {string} */ path) => {
    const got = await fetch(new URL(path, origin));
    if (!got.ok) throw new Error(`${step}: ${path} answers ${got.status}`);
    return got.text();
  };
  const index = await load("/");
  expectIn(index, "<title>Askwire</title>", step);
  const named = [...index.matchAll(/(?:src|href)="(\/?[\w./-]+)"/g)].map(([, path = ""]) => path);
  if (!named.some((path) => path.endsWith(".js"))) throw new Error(`${step}: the page names no script`);
  for (const path of named) await load(path);
}

async function info(/** @type {Place} */ place) {
  expectIn(await ran(place, ["info"]), "wire protocol", "info");
}

/** Answers the interview for a project of Node. */
async function chat(/** @type {Place} */ place) {
  const project = join(place.folder, "project");
  await mkdir(project);
  const manifest = { name: "demo", scripts: { test: "vitest run" }, engines: { node: ">=20" } };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  const printed = await ran({ ...place, folder: project }, ["chat", "--plain"], "1\n1\n1\ny\n");
  expectIn(printed, "Wrote .github/workflows/ci.yml", "chat --plain");
  expectIn(await readFile(join(project, ".github/workflows/ci.yml"), "utf8"), "name: CI", "chat --plain");
}

async function serve(/** @type {Place} */ { file, folder, env }) {
  const child = spawn(file, ["serve", "--listen", "127.0.0.1:0"], { cwd: folder, env, timeout: STEP_MS });
  try {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    const ended = once(child, "close").then(([status]) => {
      throw new Error(`serve --listen ended with ${status}: ${said}`);
    });
    let printed = "";
    child.stdout.setEncoding("utf8");
    const origin = new Promise((resolve) => {
      child.stdout.on("data", (text) => {
        printed += text;
        const [, host] = /^ws:\/\/([\w.:]+)\S*\n/.exec(printed) ?? [];
        if (host !== undefined) resolve(`http://${host}`);
      });
    });
    await expectPage(await Promise.race([origin, ended]), "serve --listen");
  } finally {
    child.kill("SIGKILL");
  }
}

/** Opens the person's page, which starts the gateway: a second process of the executable. */
async function open(/** @type {Place} */ place) {
  const printed = await ran(place, ["open"]);
  const state = await readFile(join(place.env["ASKWIRE_HOME"] ?? "", "gateway", "gateway.json"), "utf8");
  try {
    // No program opens a browser here, so the address is printed.
    expectIn(printed, "http://127.0.0.1:", "open");
    await expectPage(printed.trim(), "open");
  } finally {
    process.kill(JSON.parse(state).pid, "SIGKILL");
  }
}

/** Prints the lines for a host, which start the executable alone, and has `askwire mcp` say what tools it has. */
async function mcp(/** @type {Place} */ place) {
  const entry = JSON.stringify({ command: place.file, args: ["mcp"] });
  const printed = (await ran(place, ["mcp", "--print", "cursor"])).replace(/\s/g, "");
  expectIn(printed, entry.replace(/\s/g, ""), "mcp --print");
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "drive", version: "1" },
  };
  const messages = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: hello },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
  ];
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  expectIn(await ran(place, ["mcp"], lines), '"ask_user_question"', "mcp");
}

async function templates(/** @type {Place} */ place) {
  const printed = await ran(place, ["conformance", "template", "python", "client"]);
  expectIn(printed, "Wrote claims.txt, client.py", "conformance template");
  const written = (await readdir(join(place.folder, "client"))).sort();
  expectIn(written.join(), "claims.txt,client.py", "conformance template");
}

/** Runs a script by the executable, as `conformance client` runs its agents. */
async function script(/** @type {Place} */ place) {
  const file = join(place.folder, "script.cjs");
  const text =
    'process.stdout.write(process.argv.slice(2) + " by " + require("node:path").basename(__filename));\n';
  await writeFile(file, text);
  expectIn(await ran(place, ["run-script", file, "one", "two"]), "one,two by script.cjs", "run-script");
}

async function conformance(/** @type {Place} */ place) {
  const command = ["conformance", "server", "--only", "S01", "--", place.file, "--wire"];
  expectIn(await ran(place, command), "1 passed", "conformance server");
}

const steps = {
  info,
  "chat --plain": chat,
  "serve --listen": serve,
  open,
  mcp,
  "conformance template": templates,
  "conformance server": conformance,
  "run-script": script,
};

/** The names of the steps in which an executable is driven, in order. */
export const driveSteps = Object.keys(steps);

/**
 * Drives an executable where no other program is found: no Node, and no browser.
 *
 * @param {string} file the executable
 * @param {(step: string) => void} tell hears of each step that went well
 * @throws Error for the first step that does not, with what was expected.
 */
export async function driveExecutable(file, tell) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-drive-"));
  try {
    const bare = join(folder, "bin");
    await mkdir(bare);
    const home = join(folder, "home");
    const env = {
      PATH: bare,
      HOME: folder,
      ASKWIRE_HOME: home,
      LC_ALL: "C.UTF-8",
      ...(process.platform === "win32" && { SystemRoot: process.env["SystemRoot"], TEMP: folder }),
    };
    for (const [name, step] of Object.entries(steps)) {
      await step({ file, folder, env });
      tell(name);
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
