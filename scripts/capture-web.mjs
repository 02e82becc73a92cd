// Makes the pictures of the page anew, docs/captures/web-NAME.png, from the built command in a browser. Names choose
// some: node scripts/capture-web.mjs [NAME …]
// With --all it makes one of every state instead, in both themes and languages on a phone and on a desk, outside of the
// project: node scripts/capture-web.mjs --all [--into FOLDER] [--look phone-en|phone-zh|desk-en|desk-zh …] [SCENE …]
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launchChromium } from "../examples/test/chromium.mjs";
import { addFonts } from "./capture-fonts.mjs";
import { pageScenes } from "./page-scenes/index.mjs";
import { openScene } from "./page-stage.mjs";

/** @typedef {import("./page-scenes/scene.mjs").Scene} Scene */
/** @typedef {{ width: number, height: number, language: "en" | "zh", hasTouch: boolean }} Look */

/** A look of the page. @returns {Look} */
const at = (
  width = 1_100,
  height = 800,
  { language = /** @type {"en" | "zh"} */ ("en"), hasTouch = false } = {},
) => ({
  ...{ width, height, language, hasTouch },
});

/** The pictures of the documents: the scene, its look, and whether it is dark. Default: light. */
const pictures = [
  { name: "question", scene: "question", look: at() },
  { name: "several", scene: "question-tabs", look: at() },
  { name: "approval", scene: "approval-write", look: at() },
  { name: "phone", scene: "question-tabs", look: at(390, 760, { hasTouch: true }) },
  { name: "dark", scene: "question", look: at(), theme: /** @type {const} */ ("dark") },
  { name: "chinese", scene: "question-own", look: at(1_100, 800, { language: "zh" }) },
  { name: "preview", scene: "question-preview", look: at(1_600) },
  { name: "fields", scene: "question-fields", look: at() },
  { name: "sessions", scene: "sessions", look: at() },
  { name: "inbox", scene: "inbox", look: at() },
  { name: "servers", scene: "servers", look: at() },
];

/** The looks of every state. */
const looks = /** @type {const} */ (["en", "zh"]).flatMap((language) => [
  { name: `phone-${language}`, look: at(390, 844, { language, hasTouch: true }) },
  { name: `desk-${language}`, look: at(1_280, 800, { language }) },
]);

const { values, positionals } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    into: { type: "string" },
    look: { type: "string", multiple: true, default: looks.map(({ name }) => name) },
  },
  allowPositionals: true,
});
const browser = await launchChromium();

/** Pictures a scene in a look, once for each theme. */
async function picture(
  /** @type {Scene} */ scene,
  /** @type {Look} */ { width, height, language, hasTouch },
  /** @type {Partial<Record<"light" | "dark", string>>} */ paths,
) {
  const page = await browser.newPage({
    ...{ viewport: { width, height }, hasTouch, locale: language === "zh" ? "zh-CN" : "en" },
    reducedMotion: "reduce",
  });
  page.setDefaultTimeout(20_000);
  try {
    await addFonts(page, { chinese: language === "zh" });
    const { end } = await openScene(scene, { page, language, isPhone: width < 1_024 });
    try {
      for (const [theme, path] of Object.entries(paths)) {
        await page.emulateMedia({ colorScheme: /** @type {"light" | "dark"} */ (theme) });
        await page.screenshot({ path });
        process.stdout.write(`${path}\n`);
      }
    } finally {
      await end();
    }
  } finally {
    await page.close();
  }
}

/** The names that were asked for, or all. */
const isWanted = (/** @type {string} */ name) => positionals.length === 0 || positionals.includes(name);

/** Pictures every state in every look. Goes on where one cannot be made, and says so at the end. */
async function pictureAll() {
  const folder = values.into ?? (await mkdtemp(join(tmpdir(), "askwire-page-")));
  await mkdir(folder, { recursive: true });
  for (const scene of pageScenes.filter(({ name }) => isWanted(name)))
    for (const { name, look } of looks.filter((one) => values.look.includes(one.name))) {
      const path = (/** @type {string} */ theme) => join(folder, `${scene.name}.${name}-${theme}.png`);
      await picture(scene, look, { light: path("light"), dark: path("dark") }).catch((error) => {
        process.stderr.write(`${scene.name}.${name}: ${error}\n`);
        process.exitCode = 1;
      });
    }
  process.stdout.write(`The pictures are in ${folder}\n`);
}

/** Makes the pictures of the documents anew. */
async function pictureDocs() {
  const captures = fileURLToPath(new URL("../docs/captures/", import.meta.url));
  for (const { name, scene: of, look, theme = "light" } of pictures.filter(({ name }) => isWanted(name))) {
    const scene = pageScenes.find((one) => one.name === of);
    if (scene === undefined) throw new Error(`expected a scene of the page, and ${of} is none`);
    await picture(scene, look, { [theme]: join(captures, `web-${name}.png`) });
  }
}

try {
  await (values.all ? pictureAll() : pictureDocs());
} finally {
  await browser.close();
}
