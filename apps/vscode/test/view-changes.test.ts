import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { wantNothingBelow } from "../../../examples/test/whole-document.js";
import { approvalOf, changeOf } from "./asked-cards.js";
import { openViews, state, tell } from "./opened-view.js";

const open = openViews(testBrowser());

/** A file of so many lines. */
const file = (count: number, line: (at: number) => string = (at) => `const line${at} = ${at};`, end = "\n") =>
  Array.from({ length: count }, (_, at) => line(at + 1) + end).join("");

/** Opens the view with an approval of a change. */
async function asked(before: string, after: string, path?: string) {
  const opened = await open();
  await tell(opened.page, state([approvalOf(changeOf(before, after, path))]));
  await opened.page.locator(".askwire-approval").waitFor();
  return opened;
}

const rows = (page: Page) => page.locator(".askwire-change tr").count();
/** Waits until the page has told what came into sight. */
const settle = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("a change in an approval", () => {
  test("lines that stay the same are folded, and a press shows them and keeps the focus in the change", async () => {
    const { page, complaints } = await asked(
      file(200),
      file(200, (at) => (at === 154 ? "changed" : `const line${at} = ${at};`)),
    );
    expect(await rows(page)).toBe(10);
    await page.getByText("changed", { exact: true }).waitFor();
    await button(page, "… 150 unchanged lines").click();
    await page.getByText("const line1 = 1;", { exact: true }).waitFor();
    expect(await rows(page)).toBe(159);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("askwire-scroll");
    expect(complaints).toEqual([]);
  });

  test("a change of 60,000 lines shows some hundreds of them, more by a press, and all in the diff editor", async () => {
    const { page, messages } = await asked("", file(60_000));
    expect(await rows(page)).toBe(300);
    await button(page, "Show 500 of the 59700 lines left").click();
    expect(await rows(page)).toBe(800);
    await button(page, "Open in the diff editor").click();
    await expect.poll(() => messages).toContainEqual({ type: "difference", chat: "c", card: "r2" });
    await wantNothingBelow(page);
  });

  test("the first press that allows what goes on out of sight shows that there is more, and allows nothing", async () => {
    const { page, told } = await asked("", file(60_000));
    await button(page, "Approve once").click();
    await page.getByText("59700 lines are not shown yet.").waitFor();
    expect(await button(page, "Show 500 of the 59700 lines left").isVisible()).toBe(true);
    expect((await told()).map(({ type }) => type)).not.toContain("answerApproval");
  });

  test("the first press that allows counts for nothing while lines are left out, though the last one shown was read", async () => {
    const { page, told } = await asked("", file(301));
    await page.locator(".askwire-change [data-askwire-end]").evaluate((end) => end.scrollIntoView());
    await settle(page);
    await button(page, "Approve once").click();
    await page.getByText("1 line is not shown yet.").waitFor();
    expect((await told()).map(({ type }) => type)).not.toContain("answerApproval");
    await button(page, "Approve once").click();
    await expect.poll(async () => (await told()).map(({ type }) => type)).toContain("answerApproval");
  });

  test("the first press that allows counts for nothing while lines that a press added were never in sight", async () => {
    const { page, told } = await asked("", file(700));
    await button(page, "Show the last 400 lines").click();
    await settle(page);
    await button(page, "Approve once").click();
    await page.getByText("Part of this was out of sight").waitFor();
    expect((await told()).map(({ type }) => type)).not.toContain("answerApproval");
  });

  test("the first press that allows a long change counts once all its lines were shown and its end was in sight", async () => {
    const { page, told } = await asked("", file(301));
    await button(page, "Show the last line").click();
    await page.getByText("const line301 = 301;", { exact: true }).scrollIntoViewIfNeeded();
    await settle(page);
    await button(page, "Approve once").click();
    await expect.poll(async () => (await told()).map(({ type }) => type)).toContain("answerApproval");
  });

  test("a file that ends its lines as Windows does shows no escapes, and another end is told once", async () => {
    const { page } = await asked(file(40, undefined, "\r\n"), file(40));
    await page.getByText("Line ends change: CR LF before, LF after.").waitFor();
    expect(await page.locator(".askwire-change").textContent()).not.toContain("\\u{d}");
    expect(await page.locator(".askwire-added, .askwire-removed").count()).toBe(0);
  });

  test("a binary file is named as one with its size, and shown as text only on demand", async () => {
    const bytes = `\u0089PNG\r\n\u001a\n${"\0\ufffd\u0001IHDR".repeat(400)}`;
    const { page } = await asked("", bytes, "logo.png");
    await page.getByText("A new binary file of about 3 kB.").waitFor();
    expect(await page.locator(".askwire-change table").count()).toBe(0);
    expect(await button(page, "Show the difference in the editor").count()).toBe(0);
    await button(page, "Show it as text").click();
    await page.locator(".askwire-change table").waitFor();
  });

  test("a NUL that is added to a text hides nothing of the change", async () => {
    const { page } = await asked("one\n", "one\ntwo\0\n");
    await page.getByText("two\\u{0}", { exact: true }).waitFor();
  });

  test("a change in Chinese folds its lines in Chinese", async () => {
    const { page } = await open();
    const message = state([approvalOf(changeOf(file(50), `${file(50)}more\n`))]) as unknown as {
      parts: object;
    };
    await tell(page, { ...message, parts: { ...message.parts, language: "zh" } } as never);
    await button(page, "… 47 行未改动").waitFor();
  });
});
