import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { pixel } from "./pixel.js";
import { ask, openPage } from "./served-page.js";

const browser = testBrowser();
const open = () => openPage(browser);
const button = (page: Page, name: string) => page.locator(".dock").getByRole("button", { name, exact: true });
const database = {
  question: "Which database?",
  header: "DB",
  options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
};

/** The name of the control that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement | null;
    return `${at?.tagName} ${at?.labels?.[0]?.textContent ?? ""}`;
  });

/** A question whose own words were set aside by an option. */
async function setAside() {
  const { page, other } = await open();
  const asked = ask(other, [database]);
  const words = page.getByRole("textbox", { name: "In your own words" });
  await words.fill("MariaDB");
  await page.getByLabel("SQLite").check();
  return { page, asked, words };
}

describe("the card and what is sent from it", () => {
  test("own words that were set aside stay aside where the focus goes through their box", async () => {
    const { page, asked, words } = await setAside();
    await page.getByText("These words are not sent").waitFor();
    for (let tabs = 0; tabs < 20 && !(await focused(page)).startsWith("TEXTAREA In your"); tabs += 1)
      await page.keyboard.press("Tab");
    expect(await focused(page)).toContain("TEXTAREA In your own words");
    await words.click();
    await page.keyboard.press("ArrowLeft");
    expect(await page.getByLabel("SQLite").isChecked()).toBe(true);
    await button(page, "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o1"] }]);
  });

  test("own words that were set aside count again once they are changed", async () => {
    const { page, asked, words } = await setAside();
    await words.press("End");
    await page.keyboard.type("!");
    await button(page, "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: [], own_text: "MariaDB!" }]);
  });

  test("Ctrl-Enter in the words to talk about first sends these words, not the choice", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    await untilPressable(page);
    await button(page, "Discuss first").click();
    await page.getByLabel("What to talk about first").fill("why a database?");
    await page.keyboard.press("Control+Enter");
    expect((await asked).outcome).toMatchObject({
      ...{ status: "declined", reason: "discuss", note: "why a database?" },
    });
  });

  test("a digit counts the options that are shown, not those that a search hides", async () => {
    const { page, other } = await open();
    const options = Array.from({ length: 20 }, (_, at) => ({ label: `Region ${at}` }));
    const asked = ask(other, [{ question: "Which region?", options }]);
    await page.getByLabel("Search the options").fill("Region 15");
    await page.getByText("1 of 20 shown").waitFor();
    await page.getByRole("heading", { name: "Question" }).focus();
    await page.keyboard.press("2");
    expect(await page.getByRole("radio", { checked: true }).count()).toBe(0);
    await page.keyboard.press("1");
    expect(await page.getByLabel("Region 15").isChecked()).toBe(true);
    await button(page, "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o16"] }]);
  });

  test("a prefilled date stands in the box as it is sent, and a value that is sent otherwise is said", async () => {
    const { page, other } = await open();
    const asked = ask(other, [
      { question: "Since when?", header: "Since", field: { type: "date", prefill: "2026/3/1" } },
      { question: "How many?", header: "Count", field: { type: "number" } },
    ]);
    await page.locator("legend", { hasText: "Since when?" }).waitFor();
    expect(await page.getByLabel("Your answer").inputValue()).toBe("2026-03-01");
    await untilPressable(page);
    await button(page, "Next").click();
    const count = page.getByLabel("Your answer");
    await count.fill("10²");
    expect(await page.getByText("sent as").count()).toBe(0);
    await count.fill("1e3");
    await page.getByText("sent as 1000").waitFor();
    await untilPressable(page);
    await button(page, "Next").click();
    await untilPressable(page);
    await button(page, "Send 2 answers").click();
    expect((await asked).items?.map(({ own_text }) => own_text)).toEqual(["2026-03-01", "1000"]);
  });

  test("Enter sends the date that stands in its box, also one whose last part is still being typed", async () => {
    const { page, other } = await open();
    async function typed({ keyboard }: Page): Promise<void> {
      await keyboard.type("02022026");
      for (let parts = 0; parts < 2; parts += 1) await keyboard.press("ArrowLeft");
      await keyboard.type("1");
    }
    // The value that a box of this browser has after these keys, once it is left.
    const plain = await page.context().newPage();
    await plain.setContent("<input type=date autofocus>");
    await plain.locator("input").focus();
    await typed(plain);
    await plain.locator("input").blur();
    const stands = await plain.locator("input").inputValue();
    await plain.close();
    const asked = ask(other, [{ question: "Since when?", field: { type: "date" } }]);
    await page.getByLabel("Your answer").focus();
    await untilPressable(page);
    await typed(page);
    await page.keyboard.press("Enter");
    expect((await asked).items).toEqual([{ question_id: "q1", selected: [], own_text: stands }]);
  });

  test("words that are longer than is taken are never cut in silence", async () => {
    const { page, other } = await open();
    const long = "x".repeat(80_010);
    const asked = ask(other, [database]);
    await page.getByRole("textbox", { name: "In your own words" }).fill(long);
    await page.getByText("There is no more room: the rest was not taken.").waitFor();
    await untilPressable(page);
    await button(page, "Discuss first").click();
    const talk = page.getByLabel("What to talk about first");
    await talk.fill(long);
    await page.getByText("14474 characters too long: shorten it first.").waitFor();
    await button(page, "Discuss first").click();
    expect(await talk.inputValue()).toBe(long);
    await talk.fill("less");
    await button(page, "Discuss first").click();
    expect((await asked).outcome).toMatchObject({ status: "declined", note: "less" });
  });

  test("a card that comes under a pointer at rest is not begun: its deadline runs on", async () => {
    const { page, other, told } = await open();
    const preview = "a text to look at";
    const options = [
      { label: "SQLite", preview },
      { label: "PostgreSQL", preview },
    ];
    const deadline = { ms: 600_000, on_expiry: "cancel" as const };
    const first = other.ask({ questions: [{ ...database, options }], deadline });
    const row = page.locator(".askwire-option").first();
    await row.waitFor();
    const box = await row.boundingBox();
    await page.getByText("left, then").waitFor();
    // The pointer is where the next card will come, and no longer moves.
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page.getByText("left, then").waitFor();
    expect(await page.getByText("you have begun").count()).toBe(0);
    await page.getByRole("radio", { name: "SQLite" }).check();
    await page.getByText("you have begun").waitFor();
    await button(page, "Send answer").click();
    await first;
    expect(told).toEqual([]);
  });

  test("a folded note says on its fold what is sent", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    await page.getByRole("radio", { name: "SQLite" }).check();
    await page.getByText("Add a note").click();
    await page.getByRole("textbox", { name: "Note" }).fill("for now");
    await page.getByText("Add a note").click();
    await page.getByText("Note: for now").waitFor();
    await untilPressable(page);
    await button(page, "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o1"], note: "for now" }]);
  });

  test("nothing is sent while a picture is still being read", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    await page.getByRole("radio", { name: "SQLite" }).check();
    await page.evaluate(() => {
      const read = createImageBitmap;
      const gate = new Promise<void>((open) => Object.assign(globalThis, { open }));
      Object.assign(globalThis, {
        async createImageBitmap(file: Blob) {
          await gate;
          return read(file);
        },
      });
    });
    const chooser = page.waitForEvent("filechooser");
    await page.getByText("Add a picture").click();
    await (await chooser).setFiles({
      name: "a.png",
      mimeType: "image/png",
      buffer: Buffer.from(pixel, "base64"),
    });
    await page.getByText("The picture is still being read.").waitFor();
    await untilPressable(page);
    await button(page, "Send answer").click();
    await page.evaluate(() => (globalThis as unknown as { open(): void }).open());
    await page.getByRole("img", { name: "Picture 1" }).waitFor();
    await button(page, "Send answer").click();
    const [item] = (await asked).items ?? [];
    expect(item?.attachments).toHaveLength(1);
  });

  test("what takes the focus by Tab lies above the buttons, which stay in sight", async () => {
    const { page, other } = await openPage(browser, [], { viewport: { width: 390, height: 600 } });
    void ask(other, [
      { ...database, options: Array.from({ length: 9 }, (_, at) => ({ label: `Database ${at}` })) },
    ]);
    await page.getByRole("heading", { name: "DB" }).focus();
    const hidden: string[] = [];
    for (let tabs = 0; tabs < 6; tabs += 1) {
      await page.keyboard.press("Tab");
      hidden.push(
        ...(await page.evaluate(() => {
          const at = document.activeElement;
          const { x = 0, y = 0, width = 0, height = 0 } = at?.getBoundingClientRect() ?? {};
          const there = document.elementFromPoint(x + width / 2, y + height / 2);
          return at?.closest(".askwire-question") && !at.contains(there) ? [at.outerHTML.slice(0, 80)] : [];
        })),
      );
    }
    expect(hidden).toEqual([]);
  });
});
