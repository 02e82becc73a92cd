import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { type Approval, ask, openCards } from "./cards-page.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "own-approval.tsx");
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const ready = (page: Page) => page.locator("[data-askwire-page]:not([aria-disabled])").waitFor();
const approval: Approval = {
  ...{ sender: "Shell", action: "run command", description: "Run the tests" },
  display: [{ type: "shell", language: "bash", command: "npm test" }],
};

/** Opens the page with an approval, which takes presses once the box around it says so. */
async function asked(init: Partial<Approval> = {}) {
  const { page, other, complaints } = await openCards(browser, folder);
  const { ended } = await ask(page, other, { ...approval, ...init }, "section[data-askwire-page]");
  await ready(page);
  return { page, ended, complaints };
}

describe("an approval in own markup, by useApprovalForm,", () => {
  test("an approval is allowed by its button as far as chosen, and the narrowest is chosen at first", async () => {
    const { page, ended, complaints } = await asked();
    await page.getByText("npm test").waitFor();
    expect(await page.getByRole("radio").first().isChecked()).toBe(true);
    await page.getByRole("radio").nth(1).check();
    await button(page, "Approve").click();
    expect(await ended).toMatchObject({ told: { response: "approve_for_session" } });
    await page.locator("section").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("the button of the step that rejects decides nothing, and Reject sends the words", async () => {
    const { page, ended } = await asked();
    await button(page, "Reject…").click();
    expect(await button(page, "Approve").count()).toBe(0);
    await button(page, "Back").click();
    await button(page, "Reject…").click();
    await page.getByLabel("Why not?").fill("Not on a Friday");
    await ready(page);
    await button(page, "Reject").click();
    expect(await ended).toMatchObject({ told: { response: "reject", feedback: "Not on a Friday" } });
  });

  test("a press right after the step that rejects was opened does not reject", async () => {
    const { page, ended } = await asked();
    await page.evaluate(() => {
      const press = (name: string) =>
        [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
      press("Reject…");
      requestAnimationFrame(() => press("Reject"));
    });
    await page.getByRole("status").getByText("That press came before").waitFor();
    await ready(page);
    await button(page, "Reject").click();
    expect(await ended).toMatchObject({ told: { response: "reject" } });
  });

  test("a text that may be changed is approved as the person changed it", async () => {
    const { page, ended } = await asked({ edit: { content: "npm test" } });
    await page.getByLabel("What is approved").fill("npm run check");
    await button(page, "Approve").click();
    expect(await ended).toMatchObject({ status: "answered" });
  });
});
