import { readdirSync } from "node:fs";
import { join } from "node:path";
import { connectWebSocket } from "@askwire/client/websocket";
import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { askwire } from "../../cli/test/askwire.js";
import { ask, backOnline, database, type Opened, openPage } from "./served-page.js";
import { openBoth } from "./two-servers.js";

const browser = testBrowser();
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const send = (page: Page) => button(page.locator(".dock"), "Send answer").click();
const inbox = (page: Page) => page.getByRole("region", { name: "Waiting for you" });
const rows = (page: Page) => inbox(page).locator("li strong").allTextContents();
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};
/** The file that says what is open in the session on the disk. */
const openFile = ({ home, session }: Opened) =>
  readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(join(session, "open.json")))
    .at(0);
const tokenOf = ({ address }: Opened) => new URLSearchParams(new URL(address).hash.slice(1)).get("token");

/** Opens the page without a session, as a paired device does that comes back. */
async function openInbox(opened: Opened, context = {}) {
  const { page, complaints } = await browser.newPage(context);
  await page.goto(`${opened.origin}/#token=${tokenOf(opened)}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  return { page, complaints };
}

/** A client of another, new session of the server. */
async function anotherSession({ other, wire }: Opened) {
  const { id } = await other.createSession();
  const client = await connectWebSocket(wire.replace(/\/wire\/[^#]+/, `/wire/${id}`));
  onTestFinished(() => client.close());
  return client;
}

/** A new token of a person at the server. */
async function personToken({ home }: Opened, name: string): Promise<string> {
  const { stdout } = await askwire(["tokens", "add", name, "--role", "answer"], {
    env: { ASKWIRE_HOME: home },
  });
  return stdout.trim();
}

describe("the inbox of the page", () => {
  test("the inbox lists what waits over all sessions, what is due first, and makes no session by itself", async () => {
    const opened = await openPage(browser);
    const { page, complaints } = await openInbox(opened);
    await inbox(page).getByText("Nothing waits for you.").last().waitFor();
    await wantAccessible(page);
    expect(await opened.other.listSessions()).toHaveLength(1);

    void ask(opened.other, [database]);
    await inbox(page).getByText("Which database?").waitFor();
    const second = await anotherSession(opened);
    second
      .ask({ questions: [colour], deadline: { ms: 600_000, on_expiry: "cancel" }, origin: { tool: "make" } })
      .catch(() => {});
    await expect.poll(() => rows(page)).toEqual(["Which colour?", "Which database?"]);
    await inbox(page).getByText("min left").waitFor();
    await expect.poll(() => page.title()).toBe("(2) Askwire");
    await wantAccessible(page);
    await page.setViewportSize({ width: 320, height: 500 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(complaints).toEqual([]);
  });

  test("a row of the inbox leads to its card by keys, and its answer to the next request that waits", async () => {
    const opened = await openPage(browser);
    const first = ask(opened.other, [database]);
    const second = await anotherSession(opened);
    const next = ask(second, [colour]);
    const { page } = await openInbox(opened);
    await expect.poll(() => rows(page)).toEqual(["Which database?", "Which colour?"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByLabel("SQLite").check();
    await send(page);
    expect((await first)?.outcome?.status).toBe("answered");
    const way = page.getByRole("button", { name: "Next: Which colour?" });
    await expect.poll(() => way.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByLabel("Blue").check();
    await send(page);
    expect((await next)?.outcome?.status).toBe("answered");
    await button(page, "Inbox").click();
    await inbox(page).getByText("Nothing waits for you.").last().waitFor();
  });

  test("the inbox says who is answering, and drops what another person answers", async () => {
    const opened = await openPage(browser);
    const asked = ask(opened.other, [database]);
    const { page } = await openInbox(opened);
    await expect.poll(() => rows(page)).toEqual(["Which database?"]);
    await opened.page.getByLabel("SQLite").check();
    await inbox(page)
      .getByText(/answers it/)
      .waitFor();
    await send(opened.page);
    await asked;
    await expect.poll(() => rows(page)).toEqual([]);
  });

  test("a request is taken from its row, which the other page reads, and is given back or answered there", async () => {
    const opened = await openPage(browser);
    const tokens = await Promise.all(["Ann", "Ben"].map((name) => personToken(opened, name)));
    const [ann, ben] = (await Promise.all(
      tokens.map(async (token) => {
        const { page } = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
        await page.goto(`${opened.origin}/#token=${token}`);
        await page.getByText("Connected", { exact: true }).waitFor();
        return page;
      }),
    )) as [Page, Page];
    const answer = ask(opened.other, [database]);
    await button(inbox(ann), "Take").click();
    await inbox(ann).getByText("you have taken it").waitFor();
    await inbox(ben).getByText("Ann has taken it").waitFor();
    expect(await button(inbox(ben), "Take").count()).toBe(0);
    await wantAccessible(ann);
    await button(inbox(ann), "Give back").click();
    await button(inbox(ben), "Take").click();
    await inbox(ann).getByText("Ben has taken it").waitFor();
    await inbox(ann).getByText("Which database?").click();
    await ann.locator(".dock").getByText("Ben is answering too.").waitFor();
    await ann.getByLabel("SQLite").check();
    await send(ann);
    expect((await answer)?.outcome).toMatchObject({ status: "answered", principal: { name: "Ann" } });
    await inbox(ben).getByText("Nothing waits for you.").last().waitFor();
  });

  test("the inbox makes a session where the person says so", async () => {
    const opened = await openPage(browser);
    const { page } = await openInbox(opened);
    await button(page, "New session").click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    expect(await opened.other.listSessions()).toHaveLength(2);
  });

  test("a kept row opens its session again, with its card, and is then a row of an open session", async () => {
    const opened = await openPage(browser);
    void ask(opened.other, [database]);
    await opened.page.getByLabel("SQLite").waitFor();
    await expect.poll(() => openFile(opened)).toBeDefined();
    await opened.page.close();
    await opened.kill();
    await opened.again([]);
    const { page } = await openInbox(opened);
    await inbox(page).getByText("kept: opens its session again").waitFor();
    await inbox(page).getByText("Which database?").click();
    await page.getByLabel("SQLite").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/s/${opened.session}`);
    await page.getByRole("button", { name: /^Inbox/ }).click();
    await inbox(page).getByText("Which database?").waitFor();
    expect(await inbox(page).getByText("kept: opens its session again").count()).toBe(0);
  });

  test("a server that has no inbox makes a session for an address without one, and lists those that there are", async () => {
    const opened = await openPage(browser);
    void ask(opened.other, [database]);
    const { page, complaints } = await browser.newPage({ viewport: { width: 1_000, height: 900 } });
    // A server of an earlier version reads no lobby, and declares no inbox.
    await page.routeWebSocket(/wire/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => server.send(String(text).replace('"lobby":true', '"lobby":false')));
      server.onMessage((text) => socket.send(String(text).replace('"inbox":true', '"inbox":false')));
    });
    await page.goto(`${opened.origin}/#token=${tokenOf(opened)}`);
    const list = page.getByRole("dialog", { name: "Sessions" });
    await list.getByText("Which database?").waitFor();
    expect(await opened.other.listSessions()).toHaveLength(2);
    expect(new URL(page.url()).pathname).toMatch(/^\/s\/.+/);
    await wantAccessible(page);
    await list.getByText("Which database?").click();
    await page.getByLabel("SQLite").waitFor();
    expect(await page.getByRole("button", { name: /^Inbox/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("the inbox says that the server is gone, and comes back with it", async () => {
    const opened = await openPage(browser);
    const { page } = await openInbox(opened);
    await opened.kill();
    await page.getByText("The connection is lost.").waitFor();
    await wantAccessible(page);
    await opened.again([]);
    await backOnline(page);
    await page.getByText("Connected", { exact: true }).waitFor();
    await inbox(page).waitFor();
  });

  test("the inbox has what waits on several servers, each with its server", async () => {
    const opened = await openBoth(browser);
    const { page, there, other } = opened;
    void ask(other, [database]);
    void ask(there.client, [colour]);
    await page.getByRole("button", { name: /^Sessions/ }).click();
    await button(page, "Add a server").click();
    await page.getByLabel("Address or pairing code").fill(`${there.origin}/#token=${there.token}`);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await rows(page)).sort()).toEqual(["Which colour?", "Which database?"]);
    await inbox(page).getByText(there.host).waitFor();
    await inbox(page).getByText("Which colour?").click();
    await page.getByLabel("Red").check();
    await wantAccessible(page);
  });
});
