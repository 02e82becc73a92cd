import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setUpVsCode } from "../../scripts/setup-vscode.mjs";

/** @typedef {import("../../scripts/setup-vscode.mjs").VsCode} VsCode */

/**
 * @typedef {object} EditorOptions
 * @property {Readonly<Record<string, string>>} [extensions] folders of extensions that are copied, by `publisher.name`.
 * Default: none.
 * @property {readonly string[]} [packages] `.vsix` files that are installed. Default: none.
 * @property {object} [settings] what a person would set. Default: none.
 * @property {object} [machineSettings] settings of scope "machine". Default: none.
 * @property {boolean} [asksForTrust] true where folders are not trusted until a person says so. Default: false.
 * @property {boolean} [runsTests] true where a page may name tests for the extension host. Default: false.
 * @property {{ readonly name: string, readonly texts: string }} [language] the language of the display, such as
 * "zh-cn", with the file of the editor's own texts in it. Default: English.
 */

/**
 * @typedef {object} Editor a VS Code server on loopback
 * @property {string} url
 * @property {string} home a folder of its own, in which all its data is.
 * @property {(name: string, files?: Readonly<Record<string, string>>) => Promise<string>} folder makes a folder that
 * a page can open, and resolves with its path.
 * @property {(folder: string) => string} at the address of a window on a folder.
 * @property {(settings: object) => Promise<void>} setForMachine replaces the settings of scope "machine".
 * @property {() => Promise<string>} logs all that the extension hosts and the extensions logged, and their errors.
 * @property {() => Promise<void>} end ends the server. Its pages are to be closed before, else hosts wait for them.
 */

/** VS Code's server, or undefined and a line that says why there is none. */
export async function setUpVsCodeOrSkip() {
  try {
    return await setUpVsCode();
  } catch (error) {
    process.stderr.write(`skipped: tests in VS Code. ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}

/** Resolves with the address that a server prints once it listens. */
async function addressOf(/** @type {import("node:child_process").ChildProcessWithoutNullStreams} */ child) {
  let printed = "";
  child.stderr.setEncoding("utf8").on("data", (piece) => {
    printed += piece;
  });
  return await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (piece) => {
      printed += piece;
      const found = /Server bound to (127\.0\.0\.1:\d+)/.exec(printed);
      if (found !== null) resolve(`http://${found[1]}`);
    });
    child.once("close", (code) => reject(new Error(`VS Code's server ended (${code}): ${printed}`)));
  });
}

/** The log files below a folder, one after the other. */
async function readLogs(/** @type {string} */ folder) {
  const names = await readdir(folder, { recursive: true }).catch(() => /** @type {string[]} */ ([]));
  const files = names.filter((name) => name.endsWith(".log"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const said = files.map((name, at) => ({ name, text: texts[at] ?? "" })).filter(({ text }) => text !== "");
  return said.map(({ name, text }) => `--- ${name}\n${text.slice(-8_000)}`).join("\n");
}

/** Runs VS Code's server until it ends by itself. */
async function install(
  /** @type {VsCode} */ { node, main },
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ env,
) {
  const child = spawn(node, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece) => {
      printed += piece;
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${printed}`);
}

/**
 * Starts a VS Code server with folders and settings of its own, and with nothing of our environment but PATH.
 *
 * @param {VsCode} vsCode
 * @param {EditorOptions} [options]
 * @returns {Promise<Editor>}
 */
export async function startEditor(vsCode, options = {}) {
  const { extensions = {}, packages = [], settings = {}, machineSettings = {}, language } = options;
  const home = await mkdtemp(join(tmpdir(), "askwire-editor-"));
  const write = async (/** @type {string} */ name, /** @type {string} */ text) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  };
  const setForMachine = (/** @type {object} */ all) =>
    write("user/Machine/settings.json", JSON.stringify(all));
  await setForMachine(machineSettings);
  await write("user/User/settings.json", JSON.stringify({ "workbench.startupEditor": "none", ...settings }));
  // The editor finds a language pack by the file that its installation writes.
  if (language !== undefined) {
    const named = { extensionIdentifier: { id: `askwire.${language.name}` }, version: "1.0.0" };
    const translations = { vscode: language.texts };
    const pack = { hash: language.name, extensions: [named], translations, label: language.name };
    await write("user/languagepacks.json", JSON.stringify({ [language.name]: pack }));
  }
  const env = { PATH: process.env["PATH"], HOME: join(home, "home"), ASKWIRE_HOME: join(home, "askwire") };
  const places = ["--server-data-dir", join(home, "server"), "--extensions-dir", join(home, "extensions")];
  // A folder that came after the first start would be ignored.
  for (const [name, folder] of Object.entries(extensions)) {
    await cp(folder, join(home, "extensions", `${name}-0.1.0`), { recursive: true, dereference: true });
  }
  for (const file of packages) await install(vsCode, ["--install-extension", file, ...places], env);

  const quiet = ["--without-connection-token", "--accept-server-license-terms", "--telemetry-level", "off"];
  const trust = options.asksForTrust ? [] : ["--disable-workspace-trust"];
  // Newer editors run no tests of a page otherwise.
  const tests = options.runsTests ? ["--enable-smoke-test-driver"] : [];
  const locale = language === undefined ? [] : ["--locale", language.name];
  const args = ["--host", "127.0.0.1", "--port", "0", "--user-data-dir", join(home, "user")];
  const flags = [...quiet, ...trust, ...tests, ...locale];
  const child = spawn(vsCode.node, [vsCode.main, ...args, ...places, ...flags], { env });
  const url = await addressOf(child);
  return {
    ...{ url, home, setForMachine },
    async folder(name, files = {}) {
      await mkdir(join(home, name), { recursive: true });
      for (const [file, text] of Object.entries(files)) await write(join(name, file), text);
      return join(home, name);
    },
    at: (folder) => `${url}/?folder=${encodeURIComponent(folder)}`,
    logs: () => readLogs(join(home, "user/logs")),
    async end() {
      const closed = child.exitCode === null ? once(child, "close") : undefined;
      child.kill();
      await closed;
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
