import type { QuestionView } from "@askwire/client";
import { personDrafts } from "@askwire/client/drafts";
import { connectWebSocket } from "@askwire/client/websocket";
import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { askwire } from "../../cli/test/askwire.js";
import { serveRemote } from "../../cli/test/reach/remote.js";
import { pixel } from "./pixel.js";
import { ask, calls, database, openPage } from "./served-page.js";

const browser = testBrowser();
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const words = (page: Page) => page.getByRole("textbox", { name: "In your own words" });
const picture = (page: Page) => page.getByRole("img", { name: "Picture 1" });
const line = (page: Page) => page.getByText("What you began on another device is here.");
const several = { ...database, multi_select: true };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The page of Ann at her desk, and what opens it on another device: hers, or that of the person of a token. */
async function atDesk(script?: readonly string[]) {
  const set = await openPage(browser, script, undefined, async () => ["--name", "Ann"]);
  const { address, home, wire } = set;
  const env = { ASKWIRE_HOME: home };
  const tokenOf = async (name: string) => (await askwire(["tokens", "add", name], { env })).stdout.trim();
  return {
    ...set,
    /** @param name the person of the token. */
    async device(name: string) {
      const { page } = await browser.newPage(phone);
      await page.goto(address.replace(/(token=)[^&]*/, `$1${await tokenOf(name)}`));
      await page.getByText("Connected", { exact: true }).waitFor();
      return page;
    },
    /** The server's copy of Ann's work on the question that is asked next. */
    async watchKept() {
      const shown: QuestionView[] = [];
      const session = await connectWebSocket(wire, {
        handlers: {
          question(request) {
            shown.push(request);
            return new Promise(() => {});
          },
        },
      });
      onTestFinished(() => session.close());
      const drafts = personDrafts(session);
      return async () => (await drafts.read(shown[0]?.id ?? ""))?.draft;
    },
  };
}

/** The person comes back to the page. */
const comeBack = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event("focus")));

/** The own words on a page to which its person has come back. */
async function wordsAgain(page: Page): Promise<string> {
  await comeBack(page);
  return words(page).inputValue();
}

/** Ann's desk and her phone with the same half of an answer, and what the server keeps of it. */
async function begunOnBoth() {
  const { page, other, device, watchKept } = await atDesk();
  const kept = await watchKept();
  void ask(other, [database]);
  await words(page).fill("half a sen");
  const mobile = await device("Ann");
  await expect.poll(() => words(mobile).inputValue()).toBe("half a sen");
  return { page, mobile, kept };
}

describe("an answer that a person began on another device (P-XDR-4)", () => {
  test("half an answer is on the person's other device, is finished there, and is nowhere once it is sent", async () => {
    const { page, other, device, watchKept, complaints } = await atDesk();
    const kept = await watchKept();
    const asked = ask(other, [several]);
    await page.getByLabel("SQLite").check();
    await page.getByLabel("PostgreSQL").check();
    await words(page).fill("or else Maria");
    await expect.poll(kept).toEqual({
      items: [{ question_id: "q1", selected: ["q1_o1", "q1_o2"], own_text: "or else Maria" }],
    });
    const mobile = await device("Ann");
    await expect.poll(() => words(mobile).inputValue()).toBe("or else Maria");
    expect(await mobile.getByLabel("SQLite").isChecked()).toBe(true);
    await line(mobile).waitFor();
    await wantAccessible(mobile);
    await mobile.getByLabel("SQLite").uncheck();
    await line(mobile).waitFor({ state: "detached" });
    await button(mobile.locator(".dock"), "Send answer").click();
    const { outcome, answers } = await asked;
    expect(outcome).toMatchObject({ status: "answered", principal: { name: "Ann" } });
    expect(Object.values(answers ?? {})).toEqual(["PostgreSQL, or else Maria"]);
    expect(await kept()).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test("another person's page shows nothing of it, and their own work does not come to her", async () => {
    const { page, other, device, watchKept } = await atDesk();
    const kept = await watchKept();
    void ask(other, [database]);
    await words(page).fill("half a sen");
    await expect.poll(kept).toBeDefined();
    const bob = await device("Bob");
    await words(bob).waitFor();
    await comeBack(bob);
    await words(bob).fill("mine");
    await expect.poll(() => words(page).inputValue()).toBe("half a sen");
    await comeBack(page);
    await page.reload();
    await expect.poll(() => words(page).inputValue()).toBe("half a sen");
    expect(await line(bob).count()).toBe(0);
  });

  test("a page that was open all the time has the newest work when the person comes back to it, and takes nothing of what they type", async () => {
    const { page, other, device } = await atDesk();
    void ask(other, [database]);
    const mobile = await device("Ann");
    await words(mobile).waitFor();
    await words(page).fill("half a sen");
    const onMobile = () => wordsAgain(mobile);
    await expect.poll(onMobile).toBe("half a sen");
    await words(mobile).fill("half a sentence");
    const atDeskNow = () => wordsAgain(page);
    await expect.poll(atDeskNow).toBe("half a sentence");
    await words(page).fill("another");
    await comeBack(page);
    await expect.poll(onMobile).toBe("another");
    expect(await words(page).inputValue()).toBe("another");
  });

  test("work that the person has cleared comes back on none of their devices", async () => {
    const { page, mobile, kept } = await begunOnBoth();
    await words(page).fill("");
    const onMobile = () => wordsAgain(mobile);
    await expect.poll(onMobile).toBe("");
    await comeBack(page);
    await page.reload();
    await words(page).waitFor();
    expect((await kept())?.items).toBeUndefined();
    expect(await words(page).inputValue()).toBe("");
  });

  test("newer work of another device is there after a look at the inbox, and the older of this page goes nowhere", async () => {
    const { page, mobile, kept } = await begunOnBoth();
    await page.getByRole("button", { name: /^Inbox/ }).click();
    const inbox = page.getByRole("region", { name: "Waiting for you" });
    await inbox.getByText("Which database?").waitFor();
    await words(mobile).fill("half a sentence");
    await expect.poll(async () => (await kept())?.items?.[0]?.own_text).toBe("half a sentence");
    await inbox.getByText("Which database?").click();
    await expect.poll(() => words(page).inputValue()).toBe("half a sentence");
    await expect.poll(async () => (await kept())?.items?.[0]?.own_text).toBe("half a sentence");
  });

  test("the page of the machine's user and a phone that was paired for them have the same work", async () => {
    const served = await serveRemote(["--name", "Ann", "--public-url", "https://ask.example"]);
    const host = await served.untilPrinted(/^Listening at (\S+)$/m);
    const { pathname, hash } = new URL(served.address);
    const session = pathname.replace("/wire/", "");
    const open = async (credential: string, how = {}) => {
      const { page } = await browser.newPage(how);
      await page.goto(`http://${host}/#${credential}&session=${session}`);
      return page;
    };
    const other = await connectWebSocket(`ws://${host}${pathname}${hash}`);
    onTestFinished(() => other.close());
    void ask(other, [database]);
    const { code } = await other.createPairingCode({ person: "Ann" });
    const [desk, mobile] = [await open(`token=${hash.slice(1)}`), await open(`code=${code}`, phone)];
    await words(desk).fill("half a sen");
    await words(mobile).waitFor();
    const onMobile = () => wordsAgain(mobile);
    await expect.poll(onMobile).toBe("half a sen");
  });

  test("the words of a rejection come to the person's other device", async () => {
    const { page, other, device } = await atDesk([calls("Shell", { command: "echo one" })]);
    other.prompt("go").result.catch(() => {});
    const why = (at: Page) => at.getByLabel("Why not? The agent reads it and goes on.");
    await button(page, "Reject…").click();
    await why(page).fill("not on a Frid");
    const mobile = await device("Ann");
    const there = why(mobile);
    const value = async () => {
      await comeBack(mobile);
      return (await there.count()) === 0 ? "" : there.inputValue();
    };
    await expect.poll(value).toBe("not on a Frid");
  });

  test("a picture stays on its device, and work of elsewhere leaves it there", async () => {
    const { page, other, device, watchKept } = await atDesk();
    const kept = await watchKept();
    void ask(other, [several]);
    await page.getByLabel("SQLite").check();
    const png = { name: "a.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") };
    await page.getByLabel("Add a picture").setInputFiles([png]);
    await picture(page).waitFor();
    await expect.poll(kept).toEqual({ items: [{ question_id: "q1", selected: ["q1_o1"] }] });
    const mobile = await device("Ann");
    await expect.poll(() => mobile.getByLabel("SQLite").isChecked()).toBe(true);
    expect(await picture(mobile).count()).toBe(0);
    await mobile.getByLabel("PostgreSQL").check();
    const atDeskNow = async () => {
      await comeBack(page);
      return page.getByLabel("PostgreSQL").isChecked();
    };
    await expect.poll(atDeskNow).toBe(true);
    expect(await picture(page).count()).toBe(1);
  });
});
