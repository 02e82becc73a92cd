import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { askwire } from "../../cli/test/askwire.js";
import { ask, database, type Opened, openPage } from "./served-page.js";

const browser = testBrowser();
const decided = (page: Page) => page.getByRole("region", { name: "Decided" });
const rows = (page: Page) => decided(page).locator("summary strong").allTextContents();
const tokenOf = ({ address }: Opened) => new URLSearchParams(new URL(address).hash.slice(1)).get("token");
const formula = {
  question: "=1+1, or not?",
  header: "Sum",
  options: [{ label: "Equal" }, { label: "Unequal" }],
};

/** A server in whose session two questions were answered on the page, and the inbox of a second page. */
async function decidedTwice(context = {}) {
  const opened = await openPage(browser);
  for (const [question, label] of [
    [database, "SQLite"],
    [formula, "Unequal"],
  ] as const) {
    const asked = ask(opened.other, [question]);
    await opened.page.getByLabel(label).check();
    await opened.page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
    await asked;
  }
  const { page, complaints } = await browser.newPage(context);
  await page.goto(`${opened.origin}/#token=${tokenOf(opened)}`);
  return { opened, page, complaints };
}

test("what was decided is not listed on the page, searched or opened, or not by keys", async () => {
  const { page, complaints } = await decidedTwice({ viewport: { width: 1_280, height: 800 } });
  await page.getByRole("radio", { name: "Open" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => rows(page)).toEqual(["=1+1, or not?", "Which database?"]);
  await wantAccessible(page);
  await page.getByLabel("Search what was decided").fill("DATAbase");
  await expect.poll(() => rows(page)).toEqual(["Which database?"]);
  await decided(page).locator("summary").focus();
  await page.keyboard.press("Enter");
  await decided(page).getByText("Was shown").waitFor();
  expect(await decided(page).locator("dd li").allTextContents()).toContain("SQLite");
  await wantAccessible(page);
  await page.getByLabel("Search what was decided").fill("no such words");
  await decided(page).getByText("Nothing that was decided fits.").waitFor();
  await page.getByLabel("Search what was decided").fill("");
  await page.getByLabel("From").fill("2099-01-01");
  await expect.poll(() => rows(page)).toEqual([]);
  await page.getByLabel("From").fill("");
  await decided(page).getByRole("radio", { name: "Approvals" }).check();
  await decided(page).getByText("Nothing that was decided fits.").waitFor();
  await page.getByRole("radio", { name: "Open" }).check();
  await page.getByRole("region", { name: "Waiting for you" }).waitFor();
  await page.setViewportSize({ width: 320, height: 600 });
  await page.getByRole("radio", { name: "Decided" }).check();
  await expect.poll(() => rows(page)).toHaveLength(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(complaints).toEqual([]);
});

test("an export of what was decided has other rows than are chosen, or a cell that is a formula", async () => {
  const { page } = await decidedTwice();
  await page.getByRole("radio", { name: "Decided" }).check();
  await expect.poll(() => rows(page)).toHaveLength(2);
  const exported = async (name: string) => {
    const coming = page.waitForEvent("download");
    await decided(page).getByRole("button", { name }).click();
    return readFileSync(await (await coming).path(), "utf8");
  };
  const csv = await exported("Export CSV");
  expect(csv.startsWith("\ufeffat,asked_at,")).toBe(true);
  expect(csv.split("\r\n")).toHaveLength(4);
  expect(csv).toContain(`"'=1+1, or not?"`);
  await decided(page).getByText("2 decisions exported.").waitFor();
  await page.getByLabel("Search what was decided").fill("database");
  await expect.poll(() => rows(page)).toHaveLength(1);
  expect(JSON.parse(await exported("Export JSON"))).toEqual([
    expect.objectContaining({ asked: "Which database?", answer: "SQLite", status: "answered", rule: null }),
  ]);
});

test("a person who may only answer is shown what others decided", async () => {
  const { opened } = await decidedTwice();
  const env = { ASKWIRE_HOME: opened.home };
  const token = (await askwire(["tokens", "add", "Ann", "--role", "answer"], { env })).stdout.trim();
  const { page } = await browser.newPage({});
  await page.goto(`${opened.origin}/#token=${token}`);
  await page.getByRole("region", { name: "Waiting for you" }).waitFor();
  expect(await page.getByRole("radio", { name: "Decided" }).count()).toBe(0);
});
