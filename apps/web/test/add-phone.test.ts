import { join } from "node:path";
import type { Page } from "playwright-core";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { askwire, folderWith } from "../../cli/test/askwire.js";
import { opened, serveRemote } from "../../cli/test/reach/remote.js";

const browser = testBrowser();
const TOKEN = "the-token-of-all-servers";
const REACHED = ["--public-url", "https://ask.example"];
const sheetOf = (page: Page) => page.getByRole("dialog", { name: "Add a phone" });
const way = (page: Page) => page.getByRole("button", { name: "Add a phone", exact: true });
const connected = (page: Page) => page.locator("[data-askwire-link=up]").waitFor({ state: "attached" });

/** A page at the desk, with the server's own token. */
async function atDesk(options: readonly string[] = REACHED) {
  const served = await serveRemote(["--token-file", "token", ...options]);
  const pattern = options === REACHED ? /^Listening at (\S+)$/m : /^ +http:\/\/([^/\s]+)\S*$/m;
  const origin = `http://${await served.untilPrinted(pattern)}`;
  const { page, complaints } = await browser.newPage({});
  page.setDefaultTimeout(20_000);
  await page.goto(`${origin}/#token=${TOKEN}`);
  await connected(page);
  return { ...served, page, complaints, origin, sheet: sheetOf(page) };
}

/** The code that a sheet shows. */
async function codeOf(page: Page): Promise<string> {
  const code = sheetOf(page).locator("strong");
  await code.waitFor();
  return (await code.textContent()) ?? "";
}

/** A phone whose person types a code. */
async function phoneWith(origin: string, code: string) {
  const { page } = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
  page.setDefaultTimeout(20_000);
  await page.goto(origin);
  await page.getByLabel("Address or pairing code").fill(code);
  await page.keyboard.press("Enter");
  return page;
}

test("a page at the desk makes a code for the phone of a person, which is paired by it, and the page says which device that is", async () => {
  const { page, sheet, origin, share, complaints } = await atDesk();
  await way(page).click();
  const unnamed = await codeOf(page);
  const whose = sheet.getByLabel("Whose phone is it?");
  await whose.fill("Ann");
  // Nobody's code is not read while a name is typed.
  await sheet.locator("strong").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await expect.poll(() => codeOf(page)).not.toBe(unnamed);
  const code = await codeOf(page);
  await sheet.getByText("https://ask.example", { exact: true }).waitFor();
  await sheet.getByText(/^Counts once, for (10:00|9:\d\d)$/).waitFor();
  expect(await sheet.getByText("Not encrypted").count()).toBe(0);
  const drawn = await sheet.getByRole("img").locator("path").getAttribute("d");
  const dark = encode(`https://ask.example/#code=${code}`, { border: 4 }).data.flat().filter(Boolean);
  expect(drawn?.split("M")).toHaveLength(dark.length + 1);

  await connected(await phoneWith(origin, code.toLowerCase()));
  await sheet.getByText("Used by Chrome on Linux").waitFor();
  expect(await sheet.getByRole("img").count()).toBe(0);
  await wantAccessible(page);
  const listed = await askwire(["devices", "list", "--json"], { env: { ASKWIRE_HOME: share } });
  expect(JSON.parse(listed.stdout)).toMatchObject({ name: "Chrome on Linux", person: "Ann" });

  await sheet.getByRole("button", { name: "Make another code" }).click();
  expect(await codeOf(page)).not.toBe(code);
  // The next phone is not the same person's unless somebody says so.
  expect(await whose.inputValue()).toBe("");
  expect(complaints).toEqual([]);
});

test("the sheet of a phone's code takes the focus, and Escape gives it back and ends the code", async () => {
  const { page, sheet, origin } = await atDesk();
  await way(page).focus();
  await page.keyboard.press("Enter");
  const code = await codeOf(page);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("add-phone");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
  expect(await way(page).evaluate((one) => one === document.activeElement)).toBe(true);
  const phone = await phoneWith(origin, code);
  await phone.getByText("The pairing code is wrong, was used before, or is too old.").waitFor();
});

test("a phone that may only answer has another code, and the first one no longer counts", async () => {
  const { page, sheet, origin, share } = await atDesk();
  await way(page).click();
  const first = await codeOf(page);
  await sheet.getByLabel("Answer only").check();
  await expect.poll(() => codeOf(page)).not.toBe(first);
  const phone = await phoneWith(origin, first);
  await phone.getByText("The pairing code is wrong, was used before, or is too old.").waitFor();
  await connected(await phoneWith(origin, await codeOf(page)));
  await sheet.getByText("Used by Chrome on Linux").waitFor();
  const listed = await askwire(["devices", "list", "--json"], { env: { ASKWIRE_HOME: share } });
  expect(JSON.parse(listed.stdout)).toMatchObject({ role: "answer" });
});

test("where only this machine reaches the server, the sheet says how to start it and draws no code", async () => {
  const { page, sheet, origin } = await atDesk([]);
  await way(page).click();
  await sheet.getByText(`--listen 0.0.0.0:${new URL(origin).port} --allow-remote`).waitFor();
  expect([await sheet.getByRole("img").count(), await sheet.locator("strong").count()]).toEqual([0, 0]);
});

test("the sheet says so once the server of its code has gone", async () => {
  const { page, sheet, child } = await atDesk();
  await way(page).click();
  await codeOf(page);
  child.kill("SIGKILL");
  await sheet.getByText("There is no code:").waitFor();
  expect(await sheet.getByRole("img").count()).toBe(0);
});

test("neither a paired device nor an address for answering only can add a phone", async () => {
  const one = await opened(REACHED);
  const here = `http://${await one.untilPrinted(/^Listening at (\S+)$/m)}`;
  const { page } = await browser.newPage({});
  await page.goto(`${here}/${new URL(one.page).hash}`);
  await connected(page);
  await page.getByRole("button", { name: "Settings", exact: true }).waitFor();
  expect(await way(page).count()).toBe(0);

  const answers = join(await folderWith({ answers: "the-token-of-those-who-answer" }), "answers");
  const two = await serveRemote(["--token-file", "token", "--answer-token-file", answers]);
  const address = await two.untilPrinted(/For those who may only answer:[\s\S]*?^ +(http:\S+)$/m);
  const answering = await browser.newPage({});
  await answering.page.goto(address);
  await connected(answering.page);
  await answering.page.getByRole("button", { name: "Settings", exact: true }).waitFor();
  expect(await way(answering.page).count()).toBe(0);
});
