import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { openPage } from "./served-page.js";

const browser = testBrowser();

test("the reader of Markdown is loaded before there is a text, whose stars nobody sees", async () => {
  const { page, other } = await openPage(browser, [`text: ${JSON.stringify("I use **SQLite**.")}`]);
  const loaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("page-markdown")),
    );
  await expect.poll(loaded).toBe(true);
  await page.evaluate(() => {
    const seen = globalThis as { rawSeen?: string };
    new MutationObserver(() => {
      const log = document.querySelector("[role=log]")?.textContent ?? "";
      if (log.includes("**")) seen.rawSeen = log;
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
  await other.prompt("go").result;
  await page.getByRole("log").locator("strong").getByText("SQLite").waitFor();
  expect(await page.evaluate(() => (globalThis as { rawSeen?: string }).rawSeen)).toBe(undefined);
});

test("a text is out of sight while its reader is on its way, and as it was written where that takes long", async () => {
  const { address, other } = await openPage(browser, [`text: ${JSON.stringify("I use **SQLite**.")}`]);
  const { page } = await browser.newPage({});
  const late: Route[] = [];
  await page.route("**/page-markdown-*.js", (route) => void late.push(route));
  await page.goto(address);
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.evaluate(() => {
    const seen = globalThis as { atFirst?: string };
    new MutationObserver(() => {
      const text = document.querySelector("[role=log] .meanwhile > pre");
      if (text !== null) seen.atFirst ??= getComputedStyle(text).visibility;
    }).observe(document.body, { childList: true, subtree: true });
  });
  await other.prompt("go").result;
  await page.getByRole("log").getByText("**SQLite**").waitFor({ state: "visible" });
  expect(await page.evaluate(() => (globalThis as { atFirst?: string }).atFirst)).toBe("hidden");
  for (const route of late) await route.continue();
  await page.getByRole("log").locator("strong").getByText("SQLite").waitFor();
});
