// Fonts for pictures of pages: the browser that comes as a package has none for code, and none for Chinese.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @typedef {import("./capture-web-scenes.mjs").Page} Page */

const { resolve } = createRequire(import.meta.url);

/** The faces of a font, each for some characters. @param {string} name */
async function readFaces(name) {
  const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`));
  const css = await readFile(join(folder, "index.css"), "utf8");
  const rules = css.matchAll(
    /font-family: '([^']+)'[\s\S]*?url\(\.\/(files\/[^)]+)\)[\s\S]*?unicode-range: ([^;]+);/g,
  );
  return Promise.all(
    [...rules].map(async ([, family = "", file = "", unicodeRange = ""]) => ({
      ...{ family, unicodeRange },
      data: await readFile(join(folder, file), "base64"),
    })),
  );
}

/**
 * Gives a page its fonts before it begins. The page's policy stays in force, since the page fetches nothing.
 *
 * @param {Page} page
 * @param {{ chinese: boolean }} options
 */
export async function addFonts(page, { chinese }) {
  const names = ["noto-sans-mono", ...(chinese ? ["noto-sans-sc"] : [])];
  const faces = (await Promise.all(names.map(readFaces))).flat();
  await page.addInitScript((faces) => {
    for (const { family, data, unicodeRange } of faces) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      document.fonts.add(new FontFace(family, bytes, { weight: "100 900", unicodeRange }));
    }
    const sheet = new CSSStyleSheet();
    const [mono, han] = ['"Noto Sans Mono Variable"', '"Noto Sans SC Variable"'];
    sheet.replaceSync(`
      * { font-family: system-ui, sans-serif, ${han} }
      :is(pre:not(.askwire-text), code, .askwire-change td, pre.askwire-code *, code *, .askwire-change td *) {
        font-family: ${mono}, ${han};
      }
    `);
    document.adoptedStyleSheets = [sheet];
  }, faces);
}
