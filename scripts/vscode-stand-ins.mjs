// Modules in JavaScript in place of the native ones of VS Code's server, so that no compiler is needed. Left out are the
// terminal and the search in files, which no test of ours uses.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The log: output channels stay empty without it. The loader finds only names written as `exports.NAME`. */
const log = `
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");
const levels = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, critical: 5 };
class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = levels.info;
    this.bare = false;
    mkdirSync(dirname(file), { recursive: true });
  }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.bare = true; }
  flush() {}
  drop() {}
}
for (const [name, level] of Object.entries(levels)) {
  Logger.prototype[name] = function (text) {
    if (level < this.level) return;
    const line = this.bare ? text : new Date().toISOString() + " [" + name + "] " + text + "\\n";
    try { appendFileSync(this.file, line); } catch {} // the folder of a test may be gone already
  };
}
const create = async (name, file) => new Logger("rotating", name, file);
exports.version = "1";
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
`;

/** Ends the extension host once its parent is gone. */
const watchdog = `
exports.start = (pid) => {
  const look = () => {
    try { process.kill(pid, 0); } catch { process.exit(87); }
  };
  setInterval(look, 3000).unref();
};
exports.exit = (code) => process.exit(code);
`;

/** Finds nothing, in no time. */
const search = "#!/bin/sh\nexit 1\n";

/** Writes the modules into the folder of a VS Code server. */
export async function writeStandIns(/** @type {string} */ folder) {
  const files = {
    "@vscode/spdlog/index.js": log,
    "native-watchdog/index.js": watchdog,
    "@vscode/native-watchdog/index.js": watchdog,
    "@vscode/ripgrep/bin/rg": search,
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, "node_modules", name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o755 });
  }
}
