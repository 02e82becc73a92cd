import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { wantAccessible } from "./accessible.js";
import { ask, openCards } from "./cards-page.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "../test/mounted-lists.tsx");
});

const open = () => openCards(browser, folder);
const options = [{ label: "SQLite" }, { label: "PostgreSQL" }];
const database = { question: "Which <b>database</b>?", options };
const server = { question: "Which server?", options: [{ label: "One" }, { label: "Two" }] };

describe("the sessions of a server in a browser", () => {
  test("sessions are listed with what waits in them, opened and made", async () => {
    const { page, other, complaints } = await open();
    const list = page.getByRole("region", { name: "Sessions" });
    await list.getByText("Nothing said yet").waitFor();
    await ask(page, other, { questions: [database] });
    await list.getByText("waits for an answer, since less than a minute, open here").waitFor();
    await list.getByText("Which <b>database</b>?").waitFor();
    await wantAccessible(page);
    await list.getByRole("button", { name: "New session" }).click();
    const made = page.locator("output", { hasText: /\S/ });
    const id = await made.textContent();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    expect(await list.locator("[aria-current=true]").textContent()).toContain("open here");
    await list.locator("button.askwire-session:not([aria-current])").click();
    expect(await made.textContent()).toBe(id);
    expect(complaints).toEqual([]);
  });

  test("sessions are closed in a second step, and a refusal is shown", async () => {
    const { page, other } = await open();
    const list = page.getByRole("region", { name: "Sessions" });
    await list.getByRole("button", { name: "New session" }).click();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
    const made = list.getByRole("listitem").filter({ hasNot: page.locator("[aria-current]") });
    await made.getByRole("button", { name: "More on Nothing said yet" }).click();
    await made.getByRole("button", { name: "Close Nothing said yet" }).click();
    await list.getByText("Close it for everybody?").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep");
    await wantAccessible(page);
    await page.keyboard.press("Enter");
    await made.getByRole("button", { name: "Close Nothing said yet" }).click();
    await made.getByRole("button", { name: "Close", exact: true }).click();
    await expect.poll(() => list.getByRole("listitem").count()).toBe(1);
    expect(await other.listSessions()).toHaveLength(1);
  });
});

describe("open requests in a browser", () => {
  test("an open request is listed, and leads to its card, even if that was put aside with its work", async () => {
    const { page, other } = await open();
    const list = page.getByRole("region", { name: "Waiting for you" });
    await list.getByText("Nothing waits for you.").waitFor();
    const deadline = { ms: 600_000, on_expiry: "cancel" as const };
    const { ended } = await ask(page, other, { questions: [database, server], deadline });
    await page.getByLabel("PostgreSQL").click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Put aside to read" }).click();
    expect(await page.getByRole("radio").count()).toBe(0);
    const line = page.locator(".askwire-card-fold").getByRole("button", { expanded: false });
    expect(await line.textContent()).toBe("Which <b>database</b>? (Question, 1 of 2 answered) Answer");
    await wantAccessible(page);
    await list.getByRole("button").click();
    await page.getByLabel("Two").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
    await page.keyboard.press("Enter");
    await page.getByLabel("Two").click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Send" }).click();
    expect((await ended).told).toEqual([
      { question_id: "q1", selected: ["q1_o2"] },
      { question_id: "q2", selected: ["q2_o2"] },
    ]);
    await list.getByText("Nothing waits for you.").waitFor();
  });

  test("an open request says how much time is left", async () => {
    const { page, other } = await open();
    const deadline = { ms: 600_000, on_expiry: "cancel" as const };
    await ask(page, other, { questions: [server], deadline });
    const list = page.getByRole("region", { name: "Waiting for you" });
    await list.getByText(/^\(Question, \d+ min left\)$/).waitFor();
  });

  test("an open request whose card is put aside keeps counting its time", async () => {
    const { page, other } = await open();
    await page.clock.install();
    const deadline = { ms: 600_000, on_expiry: "cancel" as const };
    await ask(page, other, { questions: [server], deadline });
    await page.clock.fastForward(420_000);
    await page.getByRole("button", { name: "Put aside to read" }).click();
    const line = page.locator(".askwire-card-fold").getByRole("button", { expanded: false });
    await expect.poll(() => line.textContent()).toContain("(Question, 2 min left)");
  });
});
