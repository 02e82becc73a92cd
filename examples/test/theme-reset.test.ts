import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { testBrowser } from "./test-browser.js";
import { wantNothingBelow } from "./whole-document.js";

const browser = testBrowser();

/** The theme in one text, as a bundler makes it of its imports. */
const theme = read("../../packages/react/theme.css").replace(/@import "(.+?)";/g, (_, file: string) =>
  read(`../../packages/react/${file}`),
);

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), "utf8");
}

const reset = `
  *, ::before, ::after { box-sizing: border-box; border: 0 solid; margin: 0; padding: 0 }
  button, input, textarea { font: inherit; color: inherit; background: transparent; border-radius: 0 }
  ol, ul { list-style: none }`;
/** Resets as pages have them: by types alone, by the attribute of a button, and in a layer. */
const resets = {
  "by types": reset,
  "by the type of a button": `${reset} button, [type='button'], [type='submit'] { background: transparent; border: 0 }`,
  "in a layer": `@layer base { ${reset} }`,
};
const rows = Object.entries(resets).flatMap(([name, css]) => [
  [name, "before", css + theme] as const,
  [name, "after", theme + css] as const,
]);

const card = `
  <section class="askwire askwire-card"><h2>Database</h2>
    <fieldset class="askwire-page"><fieldset class="askwire-question">
      <div class="askwire-options"><div class="askwire-option"><input type="radio" id="a"><label for="a">One</label></div></div>
      <ul class="askwire-choices"><li>One</li></ul>
      <textarea></textarea>
    </fieldset>
    <div class="askwire-buttons"><button type="button">Decline</button><button type="button" class="askwire-main">Send</button></div>
    </fieldset>
  </section>`;

describe("the theme beside the reset of a page", () => {
  test.each(rows)(
    "borders, grounds and signs of a card survive a reset %s that comes %s the theme",
    async (_name, _order, css) => {
      const { page } = await browser.newPage({});
      await page.setContent(`<style>${css}</style>${card}`);
      const found = await page.evaluate(() => {
        const style = (selector: string) => getComputedStyle(document.querySelector(selector) as Element);
        return {
          borders: [".askwire-card", ".askwire-options", "textarea", "button"].map(
            (one) => style(one).borderTopWidth,
          ),
          main: style(".askwire-main").backgroundColor,
          list: style("ul").listStyleType,
          padding: style("button").paddingInlineStart,
        };
      });
      expect(found).toEqual({
        borders: ["1px", "1px", "1px", "1px"],
        main: "rgb(44, 86, 199)",
        list: "disc",
        padding: "14px",
      });
    },
  );
});

test("text out of sight stays inside the scroller that a host puts a card or a change into", async () => {
  const { page } = await browser.newPage({});
  const deep = `<p>a line of a change <span class="askwire-unseen">added</span></p>`.repeat(400);
  await page.setContent(`<!DOCTYPE html><style>${theme} html, body { margin: 0; block-size: 100vh }</style>
    <div style="block-size: 50vh; overflow: auto"><section class="askwire">${deep}</section></div>
    <div class="askwire" style="block-size: 40vh"><div class="askwire-scroll" style="max-block-size: 30vh">${deep}</div></div>`);
  await wantNothingBelow(page);
});
