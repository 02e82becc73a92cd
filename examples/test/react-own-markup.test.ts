import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { ask, openCards } from "./cards-page.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "own-markup.tsx");
});

const options = [{ label: "SQLite", description: "One file" }, { label: "MySQL" }];
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Opens the page with a request, which takes presses once the box around it says so. */
async function asked(init: Parameters<typeof ask>[2]) {
  const { page, other, complaints } = await openCards(browser, folder);
  const { ended } = await ask(page, other, init, "section[data-askwire-page]");
  await page.locator("[data-askwire-page]:not([aria-disabled])").waitFor();
  return { page, ended, complaints };
}

describe("a question in own markup, by useQuestionForm,", () => {
  test("a question is answered by a radio button, and nothing is sent before the button", async () => {
    const { page, ended, complaints } = await asked({ questions: [{ question: "Which?", options }] });
    await button(page, "Send").click();
    await page.getByText("Choose an option").waitFor();
    await page.getByRole("radio", { name: "MySQL" }).check();
    await button(page, "Send").click();
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
    await page.locator("section").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("a question of a type has the input of its type, and is sent as its value by Enter", async () => {
    const { page, ended } = await asked({
      questions: [{ question: "Since when?", field: { type: "date" } }],
    });
    const field = page.getByLabel("Answer");
    expect(await field.getAttribute("type")).toBe("date");
    await field.fill("2026-03-01");
    await field.press("Enter");
    expect((await ended).told).toEqual([{ question_id: "q1", selected: [], own_text: "2026-03-01" }]);
  });

  test("several questions are answered one after the other, by keys too, and sent at the end", async () => {
    const { page, ended } = await asked({
      questions: [
        { question: "Which?", options },
        { question: "Why?", options: [] },
      ],
    });
    await page.getByRole("heading", { level: 2 }).focus();
    await page.keyboard.press("2");
    expect(await page.getByRole("radio", { name: "MySQL" }).isChecked()).toBe(true);
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("In your own words").fill("It is there");
    await page.locator("[data-askwire-page]:not([aria-disabled])").waitFor();
    await button(page, "Next").click();
    await page.getByText("Send 2 answers?").waitFor();
    await page.locator("[data-askwire-page]:not([aria-disabled])").waitFor();
    await button(page, "Send").click();
    expect((await ended).told).toEqual([
      { question_id: "q1", selected: ["q1_o2"] },
      { question_id: "q2", selected: [], own_text: "It is there" },
    ]);
  });

  test("a question is declined by its button, as a dismissal of the person", async () => {
    const { page, ended } = await asked({ questions: [{ question: "Which?", options }] });
    await button(page, "Decline").click();
    expect(await ended).toMatchObject({ status: "declined" });
  });

  test("the page is less than 60 lines", async () => {
    const text = await readFile(new URL("../react/own-markup.tsx", import.meta.url), "utf8");
    expect(text.trim().split("\n").length).toBeLessThan(60);
  });
});
