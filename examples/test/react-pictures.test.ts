import { readdirSync, readFileSync, statSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { strictServer } from "./cards-page.js";
import { talkingAgent } from "./talking-agent.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
const captures = new URL("../../docs/captures/", import.meta.url);
const manual = readFileSync(new URL("../../docs/react.md", import.meta.url), "utf8");
const pictures = [...manual.matchAll(/!\[[^\]]{10,}\]\(captures\/(react-(\w+)\.webp)\)/g)];
const names = pictures.map(([, , name = ""]) => name).sort();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "../test/mounted-components.tsx");
});

describe("the pictures of docs/react.md", () => {
  test("docs/react.md has a picture of each component that shows something, of less than 30 kB", () => {
    const components = [...manual.matchAll(/<!-- props: (\w+)Props -->/g)].map(([, name = ""]) => name);
    // Failures renders nothing until something fails that no part shows.
    expect(names).toEqual(components.filter((name) => name !== "Failures").sort());
    const files = readdirSync(captures).filter((file) => /^react-.*\.webp$/.test(file));
    expect(files.sort()).toEqual(pictures.map(([, file = ""]) => file).sort());
    expect(files.filter((file) => statSync(new URL(file, captures)).size >= 30_000)).toEqual([]);
  });

  test("each pictured component is drawn in the light and in the dark, in other colours", async () => {
    const { page } = await browser.open({ agent: talkingAgent().agent, files: strictServer(folder) });
    await page.locator("[data-scene]").first().waitFor();
    const scenes = await page.locator("[data-scene]").evaluateAll((all) =>
      all.map((one) => ({
        name: one.getAttribute("data-scene"),
        colors: [...one.querySelectorAll(":scope > div")].map((pane) => {
          const component = pane.querySelector(".askwire");
          return component !== null && pane.textContent !== ""
            ? getComputedStyle(component).color
            : "nothing";
        }),
      })),
    );
    expect(scenes.map(({ name }) => name).sort()).toEqual(names);
    const wrong = scenes.filter(
      ({ colors: [light, dark] }) => [light, dark].includes("nothing") || light === dark,
    );
    expect(wrong).toEqual([]);
  });
});
