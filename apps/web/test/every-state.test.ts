import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pageScenes } from "../../../scripts/page-scenes/index.mjs";
import { openScene } from "../../../scripts/page-stage.mjs";

const browser = testBrowser();

/** Each state has one of four looks, in turn: on a phone or on a desk, in English or in Chinese. */
const states = pageScenes.map((scene, at) => ({
  ...{ scene, name: scene.name, isPhone: at % 2 === 0 },
  language: at % 4 < 2 ? ("en" as const) : ("zh" as const),
}));

describe("every state of the page", () => {
  test("no two states have the same name", () => {
    expect(new Set(states.map(({ name }) => name)).size).toBe(states.length);
  });

  test.each(states)(
    "axe finds nothing wrong with $name, in both themes",
    async ({ scene, isPhone, language }) => {
      const { page } = await browser.newPage({
        viewport: isPhone ? { width: 390, height: 844 } : { width: 1_280, height: 800 },
        hasTouch: isPhone,
        locale: language === "zh" ? "zh-CN" : "en",
        reducedMotion: "reduce",
      });
      const { end } = await openScene(scene, { page, language, isPhone });
      browser.ends.push(end);
      await wantAccessible(page);
    },
  );
});
