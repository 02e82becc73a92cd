// Fonts for pictures of pages: the browser that comes as a package has none for code, and none for Chinese.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @typedef {import("./page-scenes/scene.mjs").Page} Page */

const { resolve } = createRequire(import.meta.url);

/** The font of code. */
export const codeFont = "Noto Sans Mono Variable";

const hanFont = "Noto Sans SC Variable";

/** The fonts by their packages. */
const fonts = { [codeFont]: "noto-sans-mono", [hanFont]: "noto-sans-sc" };

/** The faces of a font, each for some characters. @param {string} name */
async function readFaces(name) {
  const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`));
  const css = await readFile(join(folder, "index.css"), "utf8");
  const rules = css.matchAll(
    /font-family: '[^']+'[\s\S]*?url\(\.\/(files\/[^)]+)\)[\s\S]*?unicode-range: ([^;]+);/g,
  );
  return Promise.all(
    [...rules].map(async ([, file = "", unicodeRange = ""]) => ({
      unicodeRange,
      data: await readFile(join(folder, file), "base64"),
    })),
  );
}

/**
 * Reads fonts.
 *
 * @param {Readonly<Record<string, string>>} families the fonts, by the names that a page gets them under.
 */
async function readFonts(families) {
  const named = Object.entries(families).map(async ([family, font]) =>
    (await readFaces(fonts[font] ?? font)).map((face) => ({ ...face, family })),
  );
  return (await Promise.all(named)).flat();
}

/**
 * Adds fonts to a document. Policies stay in force, since nothing is fetched.
 *
 * @param {Awaited<ReturnType<typeof readFonts>>} faces
 */
function addFaces(faces) {
  for (const { family, data, unicodeRange } of faces) {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    document.fonts.add(new FontFace(family, bytes, { weight: "100 900", unicodeRange }));
  }
}

/**
 * Gives the page of the command its fonts before it begins.
 *
 * @param {Page} page
 * @param {{ chinese: boolean }} options
 */
export async function addFonts(page, { chinese }) {
  await page.addInitScript(
    addFaces,
    await readFonts({ [codeFont]: codeFont, ...(chinese && { [hanFont]: hanFont }) }),
  );
  await page.addInitScript(
    ([mono, han]) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
      :root, .askwire:not(.askwire *), .askwire-tokens {
        --askwire-font: system-ui, sans-serif, "${han}";
        --askwire-mono: "${mono}", "${han}";
      }
      code { font-family: var(--askwire-mono) }
    `);
      document.adoptedStyleSheets = [sheet];
    },
    [codeFont, hanFont],
  );
}

/**
 * Gives a window of VS Code and the frames of its views their fonts. Chinese characters are drawn by the next font that
 * it asks for, which has no others.
 *
 * @param {Page} page
 * @param {{ chinese: boolean }} options
 */
export async function addEditorFonts(page, { chinese }) {
  const faces = await readFonts({ [codeFont]: codeFont, ...(chinese && { "Droid Sans": hanFont }) });
  for (const frame of page.frames()) await frame.evaluate(addFaces, faces);
}
