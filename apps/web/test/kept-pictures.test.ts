import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pixel } from "./pixel.js";
import { ask, backOnline, calls, openPage } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const dock = (page: Page) => page.locator(".dock");
const image = (page: Page) => page.getByRole("img", { name: "Picture 1" });

const png = { name: "a.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") };
const part = { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } };
const database = { question: "Which database?", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] };

async function addPicture(page: Page): Promise<void> {
  await page.getByLabel("Add a picture").setInputFiles([png]);
  await image(page).waitFor();
}

/** The pictures that lie in the database of the browser, as text. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    if ((await indexedDB.databases()).length === 0) return [];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open("askwire");
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const all = database.transaction("pictures").objectStore("pictures").getAll();
    await new Promise((resolve) => {
      all.onsuccess = resolve;
    });
    database.close();
    return all.result.map((bytes: Uint8Array) => new TextDecoder().decode(bytes));
  });
const untilStored = (page: Page, count: number) =>
  expect.poll(async () => (await stored(page)).length).toBe(count);

describe("pictures of an unsent answer", () => {
  test("pictures survive a reload with the confirmed answers, and are deleted once they are sent", async () => {
    const { page, other, complaints } = await open();
    const asked = ask(other, [database, { question: "Why?", options: [] }]);
    await page.getByLabel("SQLite").check();
    await addPicture(page);
    await button(dock(page), "Next").click();
    await page.getByRole("textbox", { name: "In your own words" }).fill("cheap");
    await untilStored(page, 1);
    await page.reload();
    await button(dock(page), "Next").click();
    await page.getByText("1 picture", { exact: true }).waitFor();
    await wantAccessible(page);
    await button(dock(page), "Send 2 answers").click();
    const [item] = (await asked).items;
    expect(item?.attachments).toMatchObject([part]);
    await untilStored(page, 0);
    expect(complaints).toEqual([]);
  });

  test("pictures are stored unreadable, and deleted with their question, their removal, or the token", async () => {
    const { page, other } = await open();
    const withdrawn = new AbortController();
    void ask(other, [database], withdrawn.signal);
    await addPicture(page);
    await untilStored(page, 1);
    expect((await stored(page)).join()).not.toContain("data:");
    await button(page, "Remove picture 1").click();
    await untilStored(page, 0);
    await addPicture(page);
    await untilStored(page, 1);
    withdrawn.abort();
    await page.getByText("No longer open").waitFor();
    await untilStored(page, 0);
    void ask(other, [database]);
    await button(page, "Close").click();
    await addPicture(page);
    await untilStored(page, 1);
    await button(page, "Settings").click();
    await button(page, "Forget the token and leave").click();
    await page.getByLabel("Address or pairing code").waitFor();
    await untilStored(page, 0);
  });

  test("pictures survive the death of the server and a reload, and are reported as lost where the browser dropped them", async () => {
    const asking = [calls("AskUserQuestion", { questions: [database] }), "text: Thanks."];
    const { page, other, kill, again, session } = await open(asking);
    other.prompt("go").result.catch(() => {});
    await page.getByLabel("SQLite").check();
    await addPicture(page);
    await untilStored(page, 1);
    await kill();
    await again(["text: Thanks."], ["--session", session]);
    await backOnline(page);
    await page.getByText("Connected", { exact: true }).waitFor();
    await image(page).waitFor();
    await page.reload();
    await image(page).waitFor();
    await page.evaluate(() => indexedDB.deleteDatabase("askwire"));
    await page.reload();
    await page.getByText("The browser keeps pictures of yours no more: add them again.").waitFor();
    expect(await page.getByLabel("SQLite").isChecked()).toBe(true);
    expect(await page.getByRole("img").count()).toBe(0);
    await addPicture(page);
  });

  test("pictures live as long as the page where the browser has no database, and the page says so", async () => {
    const { address, other } = await open();
    const { page, complaints } = await browser.newPage({});
    await page.addInitScript(() =>
      Object.defineProperty(window, "indexedDB", {
        get() {
          throw new DOMException("forbidden", "SecurityError");
        },
      }),
    );
    await page.goto(address);
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    await addPicture(page);
    await page.getByText("The browser does not keep all that you entered here").waitFor();
    await wantAccessible(page);
    await page.reload();
    await page.getByText("The browser keeps pictures of yours no more").waitFor();
    expect(await page.getByLabel("SQLite").isChecked()).toBe(true);
    await addPicture(page);
    await button(dock(page), "Send answer").click();
    expect((await asked).items?.[0]?.attachments).toMatchObject([part]);
    expect(complaints).toEqual([]);
  });
});
