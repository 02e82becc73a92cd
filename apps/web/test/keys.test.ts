import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { inputMethod } from "../../../examples/test/input-method.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, openPage } from "./served-page.js";

const browser = testBrowser();
const open = (context?: Parameters<typeof openPage>[2]) => openPage(browser, [], context);
const button = (page: Page, name: string) => page.locator(".dock").getByRole("button", { name, exact: true });
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};
const size = { question: "Which size?", header: "Size", options: [{ label: "Small" }, { label: "Large" }] };
const focused = (page: Page) =>
  page.evaluate(() => {
    const { tagName = "", textContent = "" } = document.activeElement ?? {};
    return `${tagName} ${textContent}`;
  });

describe("the focus", () => {
  test("the focus moves to the heading of a card that appears, where no key answers, and on to the next card", async () => {
    const { page, other } = await open();
    const first = ask(other, [colour]);
    await expect.poll(() => focused(page)).toBe("H2 Colour");
    await untilPressable(page);
    for (const key of ["Space", "Enter", "y", "Enter"]) await page.keyboard.press(key);
    expect(await button(page, "Send answer").isEnabled()).toBe(true);
    void ask(other, [size]);
    await page.getByRole("heading", { name: "Size" }).waitFor();
    await untilPressable(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Control+Enter");
    expect((await first).items).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
    await expect.poll(() => focused(page)).toBe("H2 Size");
  });

  test("the focus stays with somebody who types", async () => {
    const { page, other } = await open();
    void ask(other, [colour]);
    const words = page.getByRole("textbox", { name: "In your own words" });
    // As an input method or a dictation does, without a key.
    await words.fill("gre");
    void ask(other, [size]);
    await page.getByRole("heading", { name: "Size" }).waitFor();
    await page.keyboard.type("en 1");
    expect(await words.first().inputValue()).toBe("green 1");
  });

  test("the focus may leave a card that is put aside, which keeps its work", async () => {
    const { page, other } = await open();
    void ask(other, [colour]);
    await page.getByLabel("Blue").check();
    await button(page, "Put aside to read").click();
    expect(await page.getByLabel("Blue").isVisible()).toBe(false);
    await wantAccessible(page);
    await page.getByRole("button", { name: /^Which colour\?/ }).click();
    expect(await page.getByLabel("Blue").isChecked()).toBe(true);
  });
});

test("an input method for Chinese writes own words in full, and its Enter sends nothing", async () => {
  const { page, other } = await open();
  const asked = ask(other, [{ question: "叫什么名字？", options: [] }]);
  await page.getByRole("textbox", { name: "In your own words" }).focus();
  const keys = await inputMethod(page);
  await keys.compose("ni hao");
  for (const modifiers of [0, 2]) await keys.enter(modifiers);
  await keys.choose("你好");
  await untilPressable(page);
  expect(await button(page, "Send answer").isEnabled()).toBe(true);
  await page.keyboard.press("Control+Enter");
  expect((await asked).items).toEqual([{ question_id: "q1", selected: [], own_text: "你好" }]);
});

test("a phone's size and touch suffice: nothing is wider than the screen, and everything to press is 44 pixels high", async () => {
  const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
  const { page, other } = await open(phone);
  const asked = ask(other, [colour, size]);
  await page.locator("label", { hasText: "Red" }).tap();
  await wantAccessible(page);
  const heights = await page
    .getByRole("button")
    .evaluateAll((all) => all.map((one) => [one.getBoundingClientRect().height, one.textContent] as const));
  expect(heights.filter(([height]) => height < 44)).toEqual([]);
  await button(page, "Next").tap();
  await page.locator("label", { hasText: "Large" }).tap();
  await button(page, "Next").tap();
  await button(page, "Send 2 answers").tap();
  expect((await asked).items).toEqual([
    { question_id: "q1", selected: ["q1_o1"] },
    { question_id: "q2", selected: ["q2_o2"] },
  ]);
});

test("markup, long lines and reordered text of an agent stay text", async () => {
  const { page, other, complaints } = await open();
  const question = `<img src=x onerror=alert(1)><script>alert(2)</script> \u202egnp.exe ${"w".repeat(100_000)}`;
  void ask(other, [{ ...colour, question, body: "[x](javascript:alert(3)) <style>*{}</style>" }]);
  await page
    .getByText("<img src=x onerror=alert(1)><script>alert(2)</script> \\u{202e}gnp.exe")
    .first()
    .waitFor();
  expect(await page.locator("img, .dock script, .dock style, a").count()).toBe(0);
  await wantAccessible(page);
  await button(page, "Decline").click();
  expect(complaints).toEqual([]);
});

test("two pages on one session show the same question, and one is told who answered it", async () => {
  const { page, other, address } = await open();
  const { page: second } = await browser.newPage({});
  await second.goto(address);
  const asked = ask(other, [colour]);
  await second.getByLabel("Red").waitFor();
  await page.getByLabel("Blue").check();
  await button(page, "Send answer").click();
  expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
  await second.getByText("Somebody in askwire-web answered it.").waitFor();
});
