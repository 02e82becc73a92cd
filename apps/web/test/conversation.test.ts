import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { openAskwire } from "../../cli/test/terminal.js";
import { ask, backOnline, calls, database, openPage } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");

const asks = calls("AskUserQuestion", { questions: [database] });
const says = (text: string) => `text: ${JSON.stringify(text)}`;

describe("the conversation", () => {
  test("a conversation begins in the page, asks there, and continues with the answer, and a reload shows all of it", async () => {
    const { page, complaints } = await open([
      asks,
      says("I use **SQLite**, see [the site](https://sqlite.org)."),
    ]);
    await message(page).fill("Set up the shop");
    await message(page).press("Enter");
    await page.getByLabel("SQLite").check();
    await wantAccessible(page);
    await button(page.locator(".dock"), "Send answer").click();
    await log(page).getByRole("link", { name: "the site" }).waitFor();
    await wantAccessible(page);
    await page.reload();
    await log(page).getByRole("link", { name: "the site" }).waitFor();
    const told = await log(page).textContent();
    for (const text of ["Set up the shop", "Which database?", "↩", "SQLite"]) expect(told).toContain(text);
    expect(complaints).toEqual([]);
  });

  test("a running command shows the last lines that it has printed, until its result takes their place (P-XCO-1)", async () => {
    const command = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $n; done; until [ -e go ]; do :; done";
    const { page, home, complaints } = await open([calls("Shell", { command }), says("Done.")]);
    await message(page).fill("Build it");
    await message(page).press("Enter");
    const approve = button(page.locator(".dock"), "Approve once");
    await untilPressable(page);
    await approve.click();
    await log(page).getByText("Last 8 lines of 12").waitFor();
    await log(page)
      .getByText(/^line 5\nline 6\n.*line 12$/s)
      .waitFor();
    await wantAccessible(page);
    await writeFile(join(home, "go"), "");
    await log(page).getByText("Done.").waitFor();
    expect(await log(page).getByText("Last 8 lines of 12").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("a person who does not want to be asked says so by a switch, and the question that is open goes", async () => {
    const { page, complaints } = await open([asks, says("I decide."), asks, says("Thanks.")]);
    await message(page).fill("Set up the shop");
    await message(page).press("Enter");
    await page.getByLabel("SQLite").waitFor();
    const stops = page.getByRole("switch", { name: "Do not ask me" });
    expect(await stops.isChecked()).toBe(false);
    await stops.click();
    await log(page).getByText("I decide.").waitFor();
    expect(await stops.isChecked()).toBe(true);
    expect(await page.getByLabel("SQLite").isDisabled()).toBe(true);
    await wantAccessible(page);
    await button(page, "Close").click();
    await stops.click();
    await message(page).fill("Again");
    await message(page).press("Enter");
    await page.getByLabel("SQLite").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the settings say whether new sessions ask, and else leave them as they are", async () => {
    const { page } = await open();
    const stops = page.getByRole("switch", { name: "Do not ask me" });
    const begun = async () => {
      await button(page, "Sessions").click();
      await button(page, "New session").click();
      await stops.waitFor();
    };
    const choose = async (value: string) => {
      await button(page, "Settings").click();
      await page.getByLabel("Questions of agents").selectOption(value);
      await button(page, "Close").click();
    };
    await begun();
    expect(await stops.isChecked()).toBe(false);
    await choose("doNotAsk");
    expect(await stops.isChecked()).toBe(false);
    await begun();
    await expect.poll(() => stops.isChecked()).toBe(true);
    await choose("ask");
    await begun();
    await expect.poll(() => stops.isChecked()).toBe(false);
  });

  test("the focus returns to the box for the next words after the last answer", async () => {
    const { page, other } = await open([asks, says("Thanks.")]);
    other.prompt("go").result.catch(() => {});
    await page.getByLabel("SQLite").focus();
    await untilPressable(page);
    await page.keyboard.press("Space");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => message(page).evaluate((box) => box === document.activeElement)).toBe(true);
  });

  test("a session in which nothing was said says what the agent asks, and its suggestions fill the prompt and send nothing", async () => {
    const { page, home } = await open([says("Hello.")]);
    await page.getByRole("heading", { name: `What should be done in ${home.split("/").at(-1)}?` }).waitFor();
    await page.getByText("The agent asks before it does what needs your approval").waitFor();
    await wantAccessible(page);
    await button(page, "Run the tests, and mend what fails.").click();
    await expect.poll(() => message(page).inputValue()).toBe("Run the tests, and mend what fails.");
    expect(await message(page).evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await log(page).textContent()).toBe("");
    await message(page).press("Enter");
    await log(page).getByText("Hello.").waitFor();
    expect(await page.getByRole("heading", { name: /What should be done/ }).count()).toBe(0);
  });

  test("unsent words survive a reload", async () => {
    const { page } = await open();
    await message(page).fill("half a sen");
    await page.reload();
    await expect.poll(() => message(page).inputValue()).toBe("half a sen");
    await message(page).fill("");
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).not.toContain("prompt");
  });

  test("words said without a connection are shown as not delivered, and sent once there is one", async () => {
    const { page, cut, mend } = await open([says("Hello.")]);
    await message(page).waitFor();
    cut();
    await page.getByText("The connection is lost.").waitFor();
    await message(page).fill("go");
    await button(page.locator(".prompt"), "Send").click();
    await page.locator(".prompt").getByText("Not sent yet: “go”").waitFor();
    expect(await message(page).inputValue()).toBe("");
    mend();
    await backOnline(page);
    await log(page).getByText("Hello.").waitFor();
    await expect.poll(() => log(page).getByText("go", { exact: true }).count()).toBe(1);
  });

  test("words that are not sent yet stand above the box, and come back into it once they are taken back", async () => {
    const { page, cut, mend } = await open([says("Hello.")]);
    await message(page).waitFor();
    cut();
    await page.getByText("The connection is lost.").waitFor();
    await message(page).fill("not this");
    await message(page).press("Enter");
    await page.getByText("Not sent yet: “not this”").waitFor();
    await wantAccessible(page);
    await message(page).fill("but that");
    await button(page, "Take back").click();
    await expect.poll(() => message(page).inputValue()).toBe("not this\nbut that");
    expect(await page.getByText("Not sent yet").count()).toBe(0);
    await message(page).fill("go");
    await message(page).press("Enter");
    mend();
    // An attempt that is under way as the network comes back is not begun anew.
    const shown = async () => {
      await backOnline(page);
      return page.locator("body").textContent();
    };
    await expect.poll(shown, { interval: 1_000, timeout: 60_000 }).toContain("Hello.");
    expect(await log(page).getByText("not this").count()).toBe(0);
  });

  test("words said while a question is open are shown in the conversation at once, and wait for the agent", async () => {
    const { page } = await open([asks, says("Thanks.")]);
    await message(page).fill("Set up the shop");
    await message(page).press("Enter");
    await page.getByLabel("PostgreSQL").check();
    await message(page).fill("not on Fridays");
    await Promise.all([page.keyboard.press("Enter"), page.keyboard.type("and one more")]);
    await log(page).getByText("You · waits for the agent").waitFor();
    await log(page).getByText("not on Fridays").waitFor();
    expect(await message(page).inputValue()).toBe("and one more");
    await button(page.locator(".dock"), "Send answer").click();
    await log(page).getByText("Thanks.").waitFor();
    await expect.poll(() => log(page).getByText("You · waits for the agent").count()).toBe(0);
    expect(await log(page).getByText("not on Fridays").count()).toBe(1);
  });

  test("an open question offers words that were said as its answer, which only a press gives", async () => {
    const { page, other, told } = await open([asks, says("Thanks.")]);
    const turn = other.prompt("go");
    await page.getByLabel("PostgreSQL").waitFor();
    await message(page).fill("MariaDB, please");
    await message(page).press("Enter");
    await log(page).getByText("You · waits for the agent").waitFor();
    expect(told).toEqual([]);
    await button(page.locator(".dock"), "Answer with what you said: “MariaDB, please”").click();
    await turn.result;
    expect(told.join()).toContain("MariaDB, please");
  });

  test("a conversation is shared by a terminal and a page: the page answers what the terminal's prompt asks, and both are told", async () => {
    const { page, wire } = await open([asks, says("Thanks.")]);
    const terminal = openAskwire(["chat", "--plain", "--connect", wire], { rows: 30 });
    await terminal.waitFor(/^>$/m);
    terminal.type("Set up the shop\r");
    await terminal.waitFor("Which database?");
    await log(page).getByText("Set up the shop").waitFor();
    await page.getByLabel("PostgreSQL").check();
    await button(page.locator(".dock"), "Send answer").click();
    await terminal.waitFor("Thanks.");
    await log(page).getByText("Thanks.").waitFor();
  });
});

test("a small phone, upright or turned, keeps the buttons of an open card uncovered, and lets a person write to the agent and cancel the turn once the card is put aside", async () => {
  const context = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
  const { page, other } = await openPage(browser, [asks], context);
  other.prompt("go").result.catch(() => {});
  const card = ["Send answer", "Discuss first", "Decline"].map((name) => button(page.locator(".dock"), name));
  for (const one of card) await one.tap({ trial: true });
  await wantAccessible(page);
  await page.setViewportSize({ width: 844, height: 390 });
  for (const one of [page.getByLabel("PostgreSQL"), ...card]) await one.tap({ trial: true });
  await page.setViewportSize({ width: 320, height: 568 });
  await button(page, "Put aside to read").tap();
  const { height: one = 0 } = (await message(page).boundingBox()) ?? {};
  await message(page).tap();
  await message(page).fill("with tests,\nplease");
  const { height: two = 0 } = (await message(page).boundingBox()) ?? {};
  expect(two).toBeGreaterThan(one);
  await wantAccessible(page);
  await button(page.locator(".prompt"), "Say it now").tap();
  await expect.poll(() => message(page).inputValue()).toBe("");
  await page.setViewportSize({ width: 844, height: 390 });
  await wantAccessible(page);
  // A tap right after the phone was turned may come before the page has turned.
  const cancelled = async () => {
    await button(page, "Cancel the turn")
      .tap({ timeout: 1_000 })
      .catch(() => {});
    return log(page).getByText("Cancelled.").isVisible();
  };
  await expect.poll(cancelled, { timeout: 30_000 }).toBe(true);
  await page.locator(".askwire-card-fold > button").tap();
  await button(page.locator(".dock"), "Close").tap();
  await message(page).waitFor();
});

describe("the sessions of the server", () => {
  test("what waits is offered where an address names no session, and leads to its card", async () => {
    const { page, other, origin } = await open();
    await message(page).fill("half a sen");
    void ask(other, [database]);
    await page.getByLabel("SQLite").waitFor();
    await page.goto("about:blank");
    await page.goto(`${origin}/#token=the-token-of-all-page-tests`);
    const list = page.getByRole("region", { name: "Waiting for you" });
    await list.getByText("Which database?").waitFor();
    await wantAccessible(page);
    await list.getByText("Which database?").click();
    await page.getByLabel("SQLite").check();
    expect(await message(page).inputValue()).toBe("half a sen");
  });

  test("sessions are made and closed in the page, and the number of those that wait is shown", async () => {
    const { page, other } = await open();
    await button(page, "Sessions").click();
    await button(page, "New session").click();
    await page.getByText("Connected", { exact: true }).waitFor();
    void ask(other, [database]);
    await button(page, "Sessions (1 waiting)").click();
    await page.getByRole("dialog").getByText("Which database?").click();
    await page.getByLabel("SQLite").waitFor();
    await button(page, "Sessions").click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByRole("button", { name: /^More on / })
      .first()
      .click();
    await dialog.getByRole("button", { name: /^Close .+/ }).click();
    await wantAccessible(page);
  });
});

test("an answer-only client has no box to write in, and no button to make or close a session", async () => {
  const { page, other, again, kill, address } = await open();
  await kill();
  await page.close();
  const served = await again([asks, says("Thanks.")], ["--answer-address"]);
  const text = await served.untilPrinted(/only answer:\n(?:.*\n)*? +(http:\S+)$/m);
  const { hash } = new URL(text);
  const answering = await browser.newPage({});
  await answering.page.goto(new URL(hash, new URL(address).origin).href);
  await answering.page.getByText("Connected", { exact: true }).waitFor();
  expect(await message(answering.page).count()).toBe(0);
  const list = answering.page.getByRole("complementary", { name: "Sessions" });
  await list.getByText("open here").waitFor();
  await list.getByRole("button", { name: /^More on / }).click();
  await list.getByText(/^Session /).waitFor();
  expect(await list.getByRole("button", { name: /^(New session|Close)/ }).count()).toBe(0);
  await other.close();
});
