import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, database, openPage } from "./served-page.js";

const browser = testBrowser();
const phone = (width: number, height: number) => ({
  viewport: { width, height },
  hasTouch: true,
  isMobile: true,
});
const says = `text: ${JSON.stringify("I have read the project, and it has no database yet.")}`;
const three = ["Database", "Cache", "Queue"].map((header) => ({
  ...database,
  header,
  question: `Which ${header.toLowerCase()}?`,
}));

/** The parts of a card that are not wholly in sight. */
const outOfSight = (page: Page) =>
  page.evaluate(() => {
    const parts = {
      question: ".askwire-question > legend",
      option: ".askwire-option > label",
      "first button": ".dock .askwire-page > .askwire-buttons button",
      "button that acts": ".dock .askwire-page > .askwire-buttons .askwire-main",
    };
    return Object.entries(parts).flatMap(([name, selector]) => {
      const part = document.querySelector(selector);
      const box = part?.getBoundingClientRect();
      if (part === null || box === undefined) return [`${name}: none`];
      const inside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
      const seen = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return inside && seen !== null && (part.contains(seen) || seen.contains(part)) ? [] : [name];
    });
  });

describe("the page on a phone", () => {
  test.each([
    ["upright", 390, 844, three],
    ["small", 360, 640, three],
    ["narrow", 320, 640, three],
    ["with the keyboard up", 390, 420, three],
    ["turned", 844, 390, three],
    ["enlarged to 400 %", 320, 256, [database]],
  ] as const)(
    "the question, its first option and the buttons are in sight on a phone, %s",
    async (_name, width, height, questions) => {
      const { page, other } = await openPage(browser, [], phone(width, height));
      void ask(other, questions);
      await page.getByRole("radio", { name: "SQLite" }).waitFor();
      expect(await outOfSight(page)).toEqual([]);
      const small = await page
        .locator(".dock :is(.askwire-option, .askwire-page > .askwire-buttons button)")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height).filter((one) => one < 44));
      expect(small).toEqual([]);
      await wantAccessible(page);
    },
  );

  test("a card is a sheet over most of a phone, with the end of the conversation above it and no prompt below", async () => {
    const script = [`${says}\n${calls("AskUserQuestion", { questions: [database] })}`, "text: Done."];
    const { page, other } = await openPage(browser, script, phone(390, 844));
    other.prompt("go").result.catch(() => {});
    await page.getByRole("radio", { name: "SQLite" }).waitFor();
    const box = await page.locator(".dock").boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(0.6 * 844);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
    expect((await page.getByRole("log").boundingBox())?.height).toBeGreaterThanOrEqual(48);
    const message = page.getByRole("textbox", { name: "Message" });
    expect(await message.isVisible()).toBe(false);
    await untilPressable(page);
    await page.getByRole("button", { name: "Put aside to read" }).tap();
    await message.tap();
    await page.getByRole("button", { name: "Cancel the turn" }).tap({ trial: true });
  });

  test("only the middle of a long card scrolls: its head and its buttons stand", async () => {
    const { page, other } = await openPage(browser, [], phone(390, 700));
    const options = Array.from({ length: 11 }, (_, at) => ({
      label: `Region ${at}`,
      description: "far away",
    }));
    void ask(other, [{ ...database, options }]);
    const last = page.getByRole("radio", { name: "Region 10" });
    await last.waitFor();
    // Parts of a pixel come and go with the place that is scrolled to.
    const placeOf = async (one: Locator) => Object.values((await one.boundingBox()) ?? {}).map(Math.round);
    const places = async () => [
      await placeOf(page.getByRole("heading", { name: "DB" })),
      await placeOf(page.getByRole("button", { name: "Send answer" })),
    ];
    const before = await places();
    await last.scrollIntoViewIfNeeded();
    await last.tap();
    expect(await places()).toEqual(before);
  });
});
