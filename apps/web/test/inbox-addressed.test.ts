import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { askwire } from "../../cli/test/askwire.js";
import { database, openPage } from "./served-page.js";

const browser = testBrowser();
const inbox = (page: Page) => page.getByRole("region", { name: "Waiting for you" });
const rows = (page: Page) => inbox(page).locator("li strong").allTextContents();

test("the inbox does not say for whom a request is, offers it to who may not answer it, or leaves out what is for the person", async () => {
  const opened = await openPage(browser);
  const command = async (...args: string[]) =>
    (await askwire(args, { env: { ASKWIRE_HOME: opened.home } })).stdout.trim();
  const ann = await command("tokens", "add", "Ann", "--role", "answer");
  await command("tokens", "add", "Ben", "--role", "answer");
  await command("admin", "grant", "Ann", "--role", "payments");
  const put = (question: string, to?: object) =>
    opened.other.ask({
      ...{ questions: [{ ...database, question }], wait: false, key: question },
      ...(to !== undefined && { to }),
    });
  await put("Pay it?", { roles: ["payments"] });
  await put("Tell Ben?", { principals: ["Ben"] });
  for (const question of ["One?", "Two?", "Three?"]) await put(question);
  const { page } = await browser.newPage({});
  await page.goto(`${opened.origin}/#token=${ann}`);
  await expect.poll(() => rows(page)).toHaveLength(5);
  const row = (text: string) => inbox(page).locator("li", { hasText: text });
  await row("Pay it?").getByText("for payments").waitFor();
  expect(await row("Pay it?").getByRole("button", { name: "Take" }).count()).toBe(1);
  await row("Tell Ben?").getByText("only Ben may answer").waitFor();
  expect(await row("Tell Ben?").getByRole("button", { name: "Take" }).count()).toBe(0);
  await wantAccessible(page);
  await inbox(page).getByRole("radio", { name: "To me 1" }).check();
  await expect.poll(() => rows(page)).toEqual(["Pay it?"]);
});
