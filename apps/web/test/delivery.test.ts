import { endings } from "@askwire/protocol";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, backOnline, calls, openPage } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);
const dock = (page: Page) => page.locator(".dock");
const button = (page: Page, name: string) => dock(page).getByRole("button", { name, exact: true });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

const database = {
  question: "Which database?",
  header: "DB",
  options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
};
const undelivered = /^Not delivered yet/;

test.each(["tab_closed", "socket_lost"] as const)(
  "%s is no answer: the question stays for whoever comes next (P-WHO-1)",
  async (end) => {
    const { page, other, address, cut, mend } = await open();
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    const next = await page.context().newPage();
    if (end === "tab_closed") await page.close();
    else cut();
    expect(endings[end].question.asked).toBe("open");
    mend();
    await next.goto(address);
    await next.getByText("Connected", { exact: true }).waitFor();
    await next.getByLabel("PostgreSQL").check();
    await button(next, "Send answer").click();
    expect((await asked).answers).toMatchObject({ "Which database?": "PostgreSQL" });
  },
);

test("tab_closed is no answer to an approval: it stays for whoever comes next (P-WHO-1)", async () => {
  const { page, other, address, told } = await open([calls("Shell", { command: "echo one" }), "text: Done."]);
  other.prompt("go").result.catch(() => {});
  await dock(page).getByText("echo one").first().waitFor();
  const next = await page.context().newPage();
  await page.close();
  expect(endings.tab_closed.approval.shared).toBe("open");
  await next.goto(address);
  await dock(next).getByText("echo one").first().waitFor();
  expect(told).toEqual([]);
  await untilPressable(next);
  await button(next, "Approve once").click();
  await expect.poll(() => told.join()).toContain("one");
});

/** The tabs that are closed over one question. `ASKWIRE_TABS` names another number. */
const TABS = Number(process.env.ASKWIRE_TABS ?? 3);

test("tabs closed at any moment, one after the other, answer nothing (P-WHO-1)", async () => {
  const { page, other, address } = await open();
  const asked = ask(other, [database]);
  const settled: unknown[] = [];
  void asked.then(({ outcome }) => settled.push(outcome));
  await page.getByLabel("SQLite").check();
  for (let at = 0; at < TABS; at += 1) {
    const tab = await page.context().newPage();
    await tab.goto(address);
    if (at % 3 > 0) await tab.getByLabel("PostgreSQL").waitFor();
    if (at % 3 > 1) await tab.getByLabel("PostgreSQL").check();
    await tab.close();
  }
  expect(settled).toEqual([]);
  await button(page, "Send answer").click();
  expect((await asked).answers).toEqual({ "Which database?": "SQLite" });
});

describe("an answer that the server does not have", () => {
  test("an answer is not delivered yet on a connection that only looks alive, the person may retry at once, and nothing is lost", async () => {
    const { page, other, hold, complaints } = await open();
    const asked = ask(other, [database]);
    await page.getByLabel("PostgreSQL").check();
    hold("server", "client");
    await button(page, "Send answer").click();
    await said(page, undelivered);
    expect(await page.getByText("Nothing waits for you.").count()).toBe(0);
    await said(page, /^Connected, but the server does not reply/);
    await page.getByRole("button", { name: "Try now" }).click();
    expect((await asked).answers).toMatchObject({ "Which database?": "PostgreSQL" });
    await said(page, "Nothing waits for you.");
    expect(complaints).toEqual([]);
  });

  test("an answer is not delivered yet on a connection of which one direction is dead", async () => {
    const { page, other, hold, mend } = await open();
    for (const dead of ["server", "client"] as const) {
      const asked = ask(other, [database]);
      await page.getByLabel("SQLite").check();
      hold(dead);
      await button(page, "Send answer").click();
      await said(page, undelivered);
      // However soon the page connects again by itself, what it shows is accessible.
      await wantAccessible(page);
      mend();
      expect((await asked).answers).toMatchObject({ "Which database?": "SQLite" });
      await said(page, "Nothing waits for you.");
    }
  });

  test("an answer is not delivered yet once the connection is lost, and delivered by the next one", async () => {
    const { page, other, cut, mend } = await open();
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    cut();
    await said(page, "The connection is lost.");
    await button(page, "Send answer").click();
    await said(page, undelivered);
    expect(await page.getByRole("region", { name: "DB" }).getByRole("radio").first().isDisabled()).toBe(true);
    mend();
    await backOnline(page);
    expect((await asked).answers).toMatchObject({ "Which database?": "SQLite" });
    await said(page, "Nothing waits for you.");
  });

  test("an undelivered answer comes back with its work after a reload", async () => {
    const { page, other, hold } = await open();
    const asked = ask(other, [{ ...database, options: [] }]);
    await dock(page).getByRole("textbox").first().fill("MariaDB");
    hold("server", "client");
    await button(page, "Send answer").click();
    await said(page, undelivered);
    await page.reload();
    await button(page, "Send answer").click();
    expect((await asked).answers).toMatchObject({ "Which database?": "MariaDB" });
  });
});

describe("two people who answer at once", () => {
  test("each of two people is told that the other has begun to answer, and not about themselves (P-XST-5)", async () => {
    const { page, other, address } = await open();
    const second = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await second.page.goto(address);
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    await said(second.page, "Somebody in askwire-web is answering too.");
    await wantAccessible(second.page);
    expect(await page.getByText(/answering too/).count()).toBe(0);
    await second.page.getByLabel("PostgreSQL").check();
    await said(page, "Somebody in askwire-web is answering too.");
    await second.page.close();
    await page.getByText(/answering too/).waitFor({ state: "detached" });
    await button(page, "Send answer").click();
    await asked;
  });

  test("the person who came too late is told who was first, and keeps their words to copy", async () => {
    const { page, other, hold, mend, address } = await open();
    const second = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await second.page.goto(address);
    const asked = ask(other, [{ ...database, options: [] }]);
    for (const each of [page, second.page]) await dock(each).getByRole("textbox").first().fill("mine");
    await dock(second.page).getByRole("textbox").first().fill("theirs");
    hold("client");
    await Promise.all([button(page, "Send answer").click(), button(second.page, "Send answer").click()]);
    mend();
    const { answers } = await asked;
    const isMine = JSON.stringify(answers).includes("mine");
    const [loser, words] = isMine ? [second.page, "theirs"] : [page, "mine"];
    const card = dock(loser);
    await said(loser, /^Your answer came too late\. Somebody in askwire-web answered it\./);
    expect(await card.getByLabel("What you had answered").inputValue()).toBe(words);
    await wantAccessible(loser);
    await card.getByRole("button", { name: "Copy" }).click();
    expect(await loser.evaluate(() => getSelection()?.toString() ?? "")).toBe(words);
    await button(loser, "Close").click();
    await said(loser, "Nothing waits for you.");
    await said(isMine ? page : second.page, "Nothing waits for you.");
  });

  test("a person who has not sent yet keeps what they had written, too", async () => {
    const { page, other, address } = await open();
    const second = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await second.page.goto(address);
    const asked = ask(other, [{ ...database, options: [] }]);
    await dock(second.page).getByRole("textbox").first().fill("not sent");
    await dock(page).getByRole("textbox").first().fill("sent");
    await button(page, "Send answer").click();
    await asked;
    await said(second.page, "Somebody in askwire-web answered it.");
    expect(await dock(second.page).getByLabel("What you had answered").inputValue()).toBe("not sent");
  });

  test("an approval that came too late says so, with the words of the rejection", async () => {
    const script = [calls("Shell", { command: "echo hi" }), "text: Done."];
    const { page, other, hold, mend, address } = await open(script);
    const second = await browser.newPage({ viewport: { width: 900, height: 900 } });
    await second.page.goto(address);
    const turn = other.prompt("go");
    const reason = /^Why not/;
    await button(second.page, "Reject…").waitFor();
    await untilPressable(second.page);
    await button(second.page, "Reject…").click();
    await dock(second.page).getByLabel(reason).fill("not on Fridays");
    await untilPressable(second.page);
    hold("client");
    await Promise.all([
      button(page, "Approve once").click(),
      button(second.page, "Reject with these words").click(),
    ]);
    mend();
    await turn.result;
    const late = async (each: Page) => {
      await said(each, /^Your answer came too late/);
      return each;
    };
    const loser = await Promise.any([late(page), late(second.page)]);
    await said(loser === page ? second.page : page, "Nothing waits for you.");
    if (loser === second.page)
      expect(await dock(loser).getByLabel("What you had answered").inputValue()).toBe("not on Fridays");
  });
});
