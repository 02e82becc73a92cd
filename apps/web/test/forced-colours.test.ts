import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, openPage, results } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) =>
  openPage(browser, script, { viewport: { width: 1_000, height: 900 }, forcedColors: "active" });
const button = (page: Page, name: string) => page.locator(".dock").getByRole("button", { name, exact: true });

/** The looks of an element, without the ring of the focus. */
const looks = (element: Locator) =>
  element.evaluate((element) => {
    const { color, opacity, borderWidth, borderStyle } = getComputedStyle(element);
    return { color, opacity, borderWidth, borderStyle };
  });
/** Pixels of an element. */
const drawn = async (element: Locator) => (await element.screenshot()).toString("base64");

const questions = ["Colour", "Size"].map((header) => ({
  question: `Which ${header}?`,
  header,
  options: [{ label: "Red" }, { label: "Blue" }],
}));

describe("colours that a person forces on all pages", () => {
  test("forced colours keep the choice, the front tab and the focus distinguishable", async () => {
    const { page, other, complaints } = await open();
    void ask(other, questions);
    const red = page.getByRole("radio", { name: "Red" });
    const unchosen = await drawn(red);
    await red.check();
    await page.keyboard.press("Tab");
    expect(await drawn(red)).not.toBe(unchosen);
    const [first, second] = [
      page.getByRole("tab", { name: /Colour/ }),
      page.getByRole("tab", { name: /Size/ }),
    ];
    expect(await looks(first)).not.toEqual(await looks(second));
    await button(page, "Decline").focus();
    await page.keyboard.press("Tab");
    const ring = await button(page, "Discuss first").evaluate((element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const ground = getComputedStyle(document.documentElement).backgroundColor;
      return { outlineStyle, outlineWidth, isSeen: outlineColor !== ground };
    });
    expect(ring).toEqual({ outlineStyle: "solid", outlineWidth: "2px", isSeen: true });
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("forced colours mark settings, sessions, previews, differences and the way in by borders and signs", async () => {
    const edited = calls("StrReplaceFile", { path: "token", edit: { old: "the-token", new: "another" } });
    const { page, other, complaints } = await open([edited, "text: Done."]);
    const preview = {
      question: "Which?",
      options: [{ label: "One", preview: "its look" }, { label: "Two" }],
    };
    void ask(other, [preview]);
    const isFramed = (element: Locator) =>
      element.evaluate((element) => {
        const { borderWidth, borderColor } = getComputedStyle(element);
        return borderWidth !== "0px" && borderColor !== getComputedStyle(document.body).backgroundColor;
      });
    expect(await isFramed(page.getByRole("region", { name: /^Preview/ }))).toBe(true);
    results(other).catch(() => {});
    const lines = page.locator(".dock tr:is(.askwire-added, .askwire-removed) [aria-hidden]");
    await expect.poll(() => lines.allInnerTexts()).toEqual(["-", "+"]);
    const border = (element: Locator) => element.evaluate((element) => getComputedStyle(element).borderWidth);
    const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
    await page.getByRole("button", { name: "Sessions", exact: true }).click();
    const sessions = page.getByRole("dialog").locator("[aria-current]");
    expect(await border(sessions)).not.toBe(await border(inDialog("New session")));
    await wantAccessible(page);
    await inDialog("Back").click();
    await page.getByRole("button", { name: "Settings", exact: true }).click();
    expect(await border(inDialog("Close"))).not.toBe(await border(inDialog("Forget the token and leave")));
    await wantAccessible(page);
    await inDialog("Forget the token and leave").click();
    const way = page.getByRole("textbox");
    expect(await isFramed(way)).toBe(true);
    expect(await border(page.getByRole("button", { name: "Connect" }))).not.toBe(await border(way));
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("forced colours keep the button that sends, even switched off, and other buttons distinguishable", async () => {
    const { page, other } = await open([calls("Shell", { command: "echo one" }), "text: Done."]);
    const told = results(other).catch(() => {});
    await button(page, "Approve once").waitFor();
    await wantAccessible(page);
    await page.emulateMedia({ colorScheme: "light" });
    const say = page.getByRole("button", { name: "Say it now" });
    const on = await looks(say);
    expect(on.borderWidth).not.toBe((await looks(button(page, "Reject…"))).borderWidth);
    // As after the end of a session.
    await say.evaluate((element) => element.setAttribute("disabled", ""));
    const off = await looks(say);
    expect(off.color).not.toBe(on.color);
    await other.close();
    await told;
  });
});
