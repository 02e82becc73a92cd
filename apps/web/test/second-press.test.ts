import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { clickTwice, untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, openPage, results } from "./served-page.js";

const browser = testBrowser();
const button = (page: Page, name: string) => page.locator(".dock").getByRole("button", { name, exact: true });

const echo = (text: string) => calls("Shell", { command: `echo ${text}` }, `call-${text}`);
/** Two commands that run one after the other, so that the second card comes where the first one was. */
const inARow = [echo("one"), echo("two"), "text: Done."];
/** Two commands whose cards wait at the same time. */
const together = [`${echo("one")}\n${echo("two")}`, "text: Done."];

const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };

/** The double presses to try. Default: a few. */
const PRESSES = Number(process.env.DOUBLE_PRESSES ?? 3);
/** Pauses from 30 to 600 ms, spread evenly and the same in each run. */
const pauses = Array.from(
  { length: PRESSES },
  (_, at) => 30 + Math.round((at * 570) / Math.max(1, PRESSES - 1)),
);

const desktop = { viewport: { width: 1_000, height: 900 } };
const phone = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };

/** Presses a button twice, as a double click or a double tap does, without a move in between. */
async function pressTwice(page: Page, name: string, pause: number, isTouch: boolean): Promise<void> {
  const pressed = button(page, name).first();
  if (!isTouch) return clickTwice(page, pressed, pause);
  const box = await pressed.boundingBox();
  if (box === null) throw new Error(`no ${name}`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.touchscreen.tap(x, y);
  await page.waitForTimeout(pause);
  await page.touchscreen.tap(x, y);
}

describe("double presses", () => {
  test.each<[string, readonly string[], BrowserContextOptions]>([
    ["of calls in a row", inARow, desktop],
    ["of calls that wait together", together, desktop],
    ["by a finger", inARow, phone],
  ])("a double press of Approve answers one request, %s", async (_what, script, context) => {
    const repeated = pauses.flatMap(() => script);
    const { page, other, told } = await openPage(browser, repeated, context);
    for (const [at, pause] of pauses.entries()) {
      // The card of the last call may go a moment after its turn: it is not the one to be pressed.
      await button(page, "Approve once").first().waitFor({ state: "detached" });
      const result = results(other);
      await button(page, "Approve once").first().waitFor();
      await untilPressable(page);
      await pressTwice(page, "Approve once", pause, context === phone);
      await expect.poll(() => told.length).toBe(2 * at + 1);
      await untilPressable(page);
      expect(told, `${pause} ms`).toHaveLength(2 * at + 1);
      await button(page, "Approve once").click();
      await result;
    }
  });

  test("a double press of Decline answers one of the questions that wait together", async () => {
    const { page, other } = await openPage(browser);
    const [first, second] = [ask(other, [colour]), ask(other, [colour])];
    await button(page, "Decline").nth(1).waitFor();
    await untilPressable(page);
    await pressTwice(page, "Decline", 120, false);
    expect((await first).outcome?.status).toBe("declined");
    await button(page, "Decline").nth(1).waitFor({ state: "detached" });
    await page.getByLabel("Blue").check();
    await button(page, "Send answer").click();
    expect((await second).items).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
  });
});

test("a press in the moment in which a question comes does nothing, and says why", async () => {
  const { page, other } = await openPage(browser);
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      const decline = [...document.querySelectorAll("button")].find((one) => one.textContent === "Decline");
      if (decline === undefined) return;
      seen.disconnect();
      decline.click();
    });
    seen.observe(document.body, { childList: true, subtree: true });
  });
  const asked = ask(other, [colour]);
  await page.getByText("That press came before you could read this.").waitFor();
  await page.getByLabel("Blue").check();
  await button(page, "Send answer").click();
  expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
});

test("the first press on Approve shows what is out of sight, and the next one approves", async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n");
  const { page, other } = await openPage(browser, [
    calls("WriteFile", { path: "long.txt", content: `${lines}\nthe end` }),
    "text: Done.",
  ]);
  const told = results(other);
  await button(page, "Approve once").click();
  await page.getByText("Part of this was out of sight.").waitFor();
  await expect.poll(() => page.getByText("the end").last().isVisible()).toBe(true);
  await button(page, "Approve once").click();
  expect((await told).join()).not.toContain("rejected");
});

test("the second press of a double press on a card cancels no turn, although that button has come under the pointer", async () => {
  const { page, other, told } = await openPage(browser, [echo("one"), "text: Done."]);
  const result = results(other);
  await button(page, "Approve once").waitFor();
  const asked = ask(other, [colour]);
  await button(page, "Decline").waitFor();
  await untilPressable(page);
  const cancel = ".dock:not(:has(.askwire-question)) ~ * .askwire-cancel";
  // The button is round, and a press beside its curve would miss it.
  const whole = "inline-size: 100vw !important; block-size: 100vh !important; border-radius: 0 !important";
  const everywhere = `${cancel} { position: fixed; inset: 0; z-index: 9; ${whole}; }`;
  await page.evaluate((rule) => document.styleSheets[0]?.insertRule(rule), everywhere);
  const box = await button(page, "Decline").first().boundingBox();
  if (box === null) throw new Error("no Decline");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  expect((await asked).outcome?.status).toBe("declined");
  // The whole card, not its button alone: a busy page goes on with a card that has no buttons for a while.
  await expect.poll(() => page.locator(".dock .askwire-question").count()).toBe(0);
  // The second half of the double press, however long a busy page took in between.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await page.getByText("That press followed one on a request, and did nothing. Press again.").waitFor();
  await page.evaluate(() => document.styleSheets[0]?.deleteRule(0));
  await untilPressable(page);
  await button(page, "Approve once").click();
  await result;
  expect(told).toHaveLength(1);
});
