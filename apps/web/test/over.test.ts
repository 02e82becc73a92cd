import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { openPage } from "./served-page.js";

const browser = testBrowser();

test("an address of a session that is gone leads to a page of its own, with a new session as the next step", async () => {
  const { page, origin, complaints } = await openPage(browser);
  await page.goto(`${origin}/s/11111111-2222-4333-8444-555555555555`);
  const over = page.locator("main");
  await over
    .getByRole("heading", { name: "The server does not have this session any more.", level: 1 })
    .waitFor();
  // The page says so once, and there is no place to write to nobody.
  expect(await page.getByText("does not have this session").count()).toBe(1);
  expect(await page.getByRole("textbox").count()).toBe(0);
  await wantAccessible(page);
  await over.getByRole("button", { name: "Begin a new session", exact: true }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("a session that ends while its conversation is read keeps that, with the next step above it", async () => {
  const { page, other } = await openPage(browser, ["text: Said before."]);
  await other.prompt("go").result;
  const conversation = page.getByRole("log");
  await conversation.getByText("Said before.").waitFor();
  await other.closeSession(other.id ?? "");
  await page.locator("header").getByText("The session was closed.").waitFor();
  expect(await conversation.getByText("Said before.").isVisible()).toBe(true);
  await page.getByRole("button", { name: "Begin a new session", exact: true }).waitFor();
});
