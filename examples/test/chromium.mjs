import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const NONE = "no Chromium was found: install one, or say in CHROMIUM_PATH where it is";
const args = ["--no-sandbox"];
const installed = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));
const main = createRequire(import.meta.url).resolve("@sparticuz/chromium");
const { version } = JSON.parse(readFileSync(join(dirname(main), "../package.json"), "utf8"));
const unpacked = join(cache, `askwire-chromium-${version}`);

const pathOfInstalled = () => installed.find((path) => path !== undefined && existsSync(path));

/**
 * Starts the browser that is installed, or else the one that came as a package.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchChromium() {
  return pathOfInstalled() === undefined ? launchPackagedChromium() : launchInstalledChromium();
}

/**
 * Starts the browser that is installed.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchInstalledChromium() {
  const executablePath = pathOfInstalled();
  if (executablePath !== undefined) return chromium.launch({ executablePath, args });
  throw new Error(NONE);
}

/**
 * Starts the browser that came as a package, with its libraries and fonts.
 * @returns {Promise<import("playwright-core").Browser>}
 */
export async function launchPackagedChromium() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(NONE);
  }
  await unpack();
  return chromium.launch({
    executablePath: join(unpacked, "chromium"),
    args,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(unpacked, "al2023", "lib"),
      FONTCONFIG_FILE: join(unpacked, "fonts.conf"),
    },
  });
}

/**
 * Unpacks the package's browser once, in a separate process. The package reads the target folder and the wish for
 * libraries from the environment. A file still open for writing here could not be started.
 */
async function unpack() {
  if (existsSync(unpacked)) return;
  const folder = `${unpacked}-${process.pid}`;
  await mkdir(folder, { recursive: true });
  const script = fileURLToPath(new URL("unpack-chromium.mjs", import.meta.url));
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" };
  await promisify(execFile)(process.execPath, [script], { env });
  // Its own list of font folders names none that is here, and without a font a page crashes.
  const folders = ["/usr/share/fonts", join(unpacked, "fonts")].map((path) => `<dir>${path}</dir>`).join("");
  const fonts = `<fontconfig>${folders}<cachedir>${join(unpacked, "font-cache")}</cachedir></fontconfig>`;
  await writeFile(join(folder, "fonts.conf"), fonts);
  // Somebody else may have been first.
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }));
  for (const name of await readdir(cache)) {
    const isOther = /^askwire-chromium(-\d+\.\d+\.\d+)?$/.test(name) && join(cache, name) !== unpacked;
    if (isOther) await rm(join(cache, name), { recursive: true });
  }
}
