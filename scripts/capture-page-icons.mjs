// Makes the pictures of the page's icon anew, apps/web/static/*.png, of its SVG in a browser: home screens and
// notifications of some systems take no SVG.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../examples/test/chromium.mjs";

const file = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../apps/web/static/${name}`, import.meta.url));

/** The names of the pictures with their edges in pixels. iOS rounds the corners itself, so its picture has none. */
const pictures = /** @type {const} */ ([
  ["icon-192.png", 192, false],
  ["icon-512.png", 512, false],
  ["apple-touch-icon.png", 180, true],
]);

const svg = await readFile(file("icon.svg"), "utf8");
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  for (const [name, size, isFull] of pictures) {
    await page.setViewportSize({ width: size, height: size });
    const shown = isFull ? svg.replace(' rx="14"', "") : svg;
    await page.setContent(`<style>
      body { margin: 0 }
      svg { display: block; inline-size: ${size}px; block-size: ${size}px }
    </style>${shown}`);
    await writeFile(file(name), await page.screenshot({ omitBackground: true }));
  }
} finally {
  await browser.close();
}
