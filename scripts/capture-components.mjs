// Makes the pictures of the components anew, docs/captures/react-NAME.webp, in the light and in the dark side by side.
// Names choose some: node scripts/capture-components.mjs [NAME …]
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildCards } from "../examples/react/build.mjs";
import { launchChromium } from "../examples/test/chromium.mjs";
import { addFonts } from "./capture-fonts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "components-"));
const browser = await launchChromium();
try {
  await buildCards(folder, join(root, "examples/react"), "../test/mounted-components.tsx");
  const context = await browser.newContext({
    viewport: { width: 900, height: 900 },
    ...{ deviceScaleFactor: 1.5, reducedMotion: "reduce" },
  });
  const page = await context.newPage();
  await addFonts(page, { chinese: false });
  // Files of one origin may load each other only from a server: here they are written into the page.
  await page.goto("data:text/html,<!doctype html><html lang=en><div id=cards></div>");
  await page.addStyleTag({ content: await readFile(join(folder, "theme.css"), "utf8") });
  await page.addScriptTag({ content: await readFile(join(folder, "page.js"), "utf8"), type: "module" });
  const pictured = page.locator("[data-scene]");
  await pictured.first().waitFor();
  // Cards take presses after their first second, and look so.
  await page.locator("[aria-disabled=true]").first().waitFor({ state: "detached" });
  for (const one of await pictured.all()) {
    const name = (await one.getAttribute("data-scene")) ?? "";
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const png = (await one.screenshot({ animations: "disabled" })).toString("base64");
    const webp = await page.evaluate(async (source) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${source}`;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.48 });
      return Array.from(new Uint8Array(await blob.arrayBuffer()));
    }, png);
    const path = `docs/captures/react-${name}.webp`;
    await writeFile(join(root, path), Uint8Array.from(webp));
    process.stdout.write(`${path}: ${(webp.length / 1_000).toFixed(1)} kB\n`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
