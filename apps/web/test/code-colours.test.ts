import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pageOf } from "./page-of-agent.js";
import { calls, openPage } from "./served-page.js";

const browser = testBrowser();

/** Opens the page of an agent that says the text, once it has. */
async function opened(text: string) {
  const { page, other, complaints } = await pageOf(
    browser,
    { run: async (turn) => turn.say(text) },
    { viewport: { width: 1_000, height: 8_000 } },
  );
  await other.prompt("go").result;
  return { page, complaints };
}

const fenced = (code: string, language = "ts") => `\`\`\`${language}\n${code}\n\`\`\`\n`;
const word = (page: Page, text: string) => page.locator(".askwire-syn-word").getByText(text, { exact: true });
const colourOf = (page: Page, text: string) =>
  word(page, text).evaluate((element) => getComputedStyle(element).color);

test("code of the agent has colours in both themes, none that forced colours do not choose, and is copied whole", async () => {
  const code = 'const carts = new Map<string, "x">(); // why';
  const { page, complaints } = await opened(fenced(code));
  await word(page, "const").waitFor();
  expect(await page.getByRole("group", { name: "Code, ts" }).textContent()).toBe(code);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await colourOf(page, "const")).toBe("rgb(132, 39, 168)");
  await wantAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await colourOf(page, "const")).toBe("rgb(208, 162, 242)");
  await wantAccessible(page);
  await page.emulateMedia({ forcedColors: "active" });
  expect(await colourOf(page, "const")).toBe(
    await page.getByRole("group", { name: "Code, ts" }).evaluate((box) => getComputedStyle(box).color),
  );
  await page.emulateMedia({ forcedColors: "none" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("log").getByRole("button", { name: "Copy", exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  expect(complaints).toEqual([]);
});

test("code on which its reader would spend seconds stays plain, and the page and other code do not wait for it", async () => {
  const hostile = ["a".repeat(20_000), " ".repeat(19_999), "a".repeat(30_000)];
  const all = hostile.map((text) => fenced(`x${text}`.slice(0, text.length)));
  const { page, complaints } = await opened(`${all.join("\n")}\n${fenced("return 1;")}`);
  await word(page, "return").waitFor({ timeout: 20_000 });
  const blocks = await page.getByRole("group", { name: "Code, ts" }).all();
  expect(await Promise.all(blocks.map((block) => block.locator("[class^=askwire-syn]").count()))).toEqual([
    ...[0, 0, 0, 2],
  ]);
  expect(await blocks[0]?.textContent()).toHaveLength(20_000);
  expect(complaints).toEqual([]);
});

test("a command that waits for its approval has colours", async () => {
  const { page, other } = await openPage(browser, [calls("Shell", { command: "if true; then echo 1; fi" })]);
  other.prompt("go").result.catch(() => {});
  await page.locator(".dock .askwire-syn-word").getByText("then").waitFor();
  expect(await page.locator(".dock .askwire-code").textContent()).toBe("if true; then echo 1; fi");
});
