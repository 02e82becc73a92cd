import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, database, openPage } from "./served-page.js";

const browser = testBrowser();

const boxOf = async (one: Locator) => {
  const box = await one.boundingBox();
  if (box === null) throw new Error("expected it to be seen");
  return box;
};
const isAbove = async (first: Locator, second: Locator) =>
  (await boxOf(first)).y + (await boxOf(first)).height <= (await boxOf(second)).y;

test("a number that does not fit is refused at its field, above the note", async () => {
  const { page, other } = await openPage(browser);
  const field = { type: "integer" as const, bounds: { min: 1024, max: 65535 } };
  void ask(other, [{ question: "Which port?", header: "Port", options: [], field }]);
  await page.getByLabel("Your answer").fill("80");
  await page.getByRole("button", { name: "Send answer", exact: true }).click();
  const refusal = page.getByText("Expected: a whole number from 1024 to 65535");
  await refusal.waitFor();
  expect(await isAbove(page.getByLabel("Your answer"), refusal)).toBe(true);
  expect(await isAbove(refusal, page.getByText("Add a note", { exact: true }))).toBe(true);
});

test("a question of several is left out in the row of the other ways, below its answer", async () => {
  const { page, other } = await openPage(browser);
  void ask(other, [database, { ...database, question: "Which cache?", header: "Cache" }]);
  const way = (name: string) => page.locator(".dock").getByRole("button", { name, exact: true });
  const [leave, decline] = [await boxOf(way("Leave out")), await boxOf(way("Decline"))];
  expect(leave.y).toBe(decline.y);
  expect(leave.x).toBeGreaterThan(decline.x);
});

test("a card whose request was withdrawn says why", async () => {
  const { page, other } = await openPage(browser);
  const until = new AbortController();
  void ask(other, [database], until.signal);
  await page.getByLabel("In your own words").last().fill("mine");
  until.abort();
  await page.getByText("No longer open: the program withdrew it.", { exact: true }).waitFor();
});

test("a card that is put aside is one row, whose end says that it can be answered", async () => {
  const { page, other } = await openPage(browser);
  void ask(other, [database]);
  await page.getByRole("button", { name: "Put aside to read" }).click();
  const row = page.getByRole("button", { name: /Which database\?.*Answer$/ });
  await row.getByText("Answer", { exact: true }).click();
  await page.getByLabel("SQLite").waitFor();
});

test("the review says beside each answer that it can be changed", async () => {
  const { page, other } = await openPage(browser);
  void ask(other, [database, { ...database, question: "Which cache?", header: "Cache" }]);
  await page.getByRole("tab", { name: /Review/ }).click();
  await page.getByText("Your answers", { exact: true }).waitFor();
  const change = page.getByRole("button", { name: /^Which cache\?\s*Change$/ });
  await expect.poll(() => page.locator(".askwire-page[aria-disabled]").count()).toBe(0);
  await change.getByText("Change", { exact: true }).click();
  await page.getByRole("group", { name: "Which cache?" }).waitFor();
});

test("the chosen one of many options comes first where the list opens anew, and moves nothing while one reads", async () => {
  const { page, other } = await openPage(browser);
  const options = Array.from({ length: 14 }, (_, at) => ({ label: `Zone ${at + 1}` }));
  void ask(other, [{ question: "Which zone?", header: "Zone", options }]);
  const labels = () => page.locator(".askwire-option:not(.askwire-own) > label").allInnerTexts();
  await page.getByLabel("Zone 9", { exact: true }).check();
  expect((await labels())[0]).toBe("Zone 1");
  await page.reload();
  await expect.poll(labels).toHaveLength(14);
  expect((await labels()).slice(0, 3)).toEqual(["Zone 9", "Zone 1", "Zone 2"]);
  await page.getByLabel("Zone 3", { exact: true }).check();
  expect((await labels()).slice(0, 3)).toEqual(["Zone 9", "Zone 1", "Zone 2"]);
});

test("a command that failed stands above its output", async () => {
  const { page, other } = await openPage(browser, [
    calls("Shell", { command: "echo red; exit 1" }),
    "text: Sorry.",
  ]);
  other.prompt("go").result.catch(() => {});
  await page.getByRole("button", { name: "Approve once", exact: true }).click();
  const details = page.getByRole("log").locator(".askwire-call");
  const command = details.locator("pre", { hasText: "exit 1" });
  await command.waitFor();
  expect(await isAbove(command, details.locator("pre", { hasText: /^red/ }))).toBe(true);
});
