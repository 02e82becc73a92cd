// Makes the picture of the extension anew, apps/vscode/media/icon.png, of its SVG in a browser: marketplaces take no SVG.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../examples/test/chromium.mjs";

const file = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../apps/vscode/media/${name}`, import.meta.url));
const size = 128;

const svg = await readFile(file("askwire.svg"), "utf8");
const browser = await launchChromium();
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>
    body { margin: 0; display: grid; place-items: center; block-size: 100vh; color: #fff; background: #1f4e79 }
    svg { inline-size: 75%; block-size: 75% }
  </style>${svg}`);
  await writeFile(file("icon.png"), await page.screenshot());
} finally {
  await browser.close();
}
