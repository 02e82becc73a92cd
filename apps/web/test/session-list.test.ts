import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, createServer, type ServerOptions } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import buildPage from "../build.mjs";
import { ask, backOnline, database, openPage } from "./served-page.js";

const browser = testBrowser();
let files: string;
beforeAll(async () => {
  files = await browser.folder();
  await buildPage(files);
});

const wide = { viewport: { width: 1_280, height: 800 } };
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const side = (page: Page) => page.getByRole("complementary", { name: "Sessions" });
const group = (page: Page, name: string) => side(page).getByRole("list", { name }).getByRole("listitem");

/** Serves an agent in this process with the page, and opens that on one of its sessions. */
async function openHosted(options: Partial<ServerOptions>, context = wide) {
  const agent: Agent = {
    async run(turn) {
      await turn.ask({ question: "Go on?", options: [{ label: "Yes" }, { label: "No" }] });
    },
  };
  const server = createServer({ agent, ...options });
  const gateway = await listenWebSocket(server, { page: files, pageServers: [] });
  browser.ends.push(
    () => server.close(),
    () => gateway.close(),
  );
  const session = server.createSession({ id: "first", stay: true });
  const wire = gateway.address(session);
  const { host, hash } = new URL(wire);
  const { page, complaints } = await browser.newPage(context);
  page.setDefaultTimeout(15_000);
  await page.goto(`http://${host}/#token=${hash.slice(1)}&session=${session.id}`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  return { server, page, complaints, wire };
}

describe("the list of sessions", () => {
  test("the list stands beside the conversation and the inbox where there is room, in groups by what a person does", async () => {
    const { page, wire, complaints } = await openHosted({});
    await group(page, "Today").getByText("Nothing said yet").waitFor();
    expect((await side(page).boundingBox())?.width).toBe(264);
    // The foot of the column says it to the eye, and the line to a screen reader alone.
    expect((await page.locator(".line").getByText("Connected").boundingBox())?.width).toBe(1);
    await button(side(page), "New session").click();
    await expect.poll(() => group(page, "Today").count()).toBe(2);
    const other = await connectWebSocket(wire);
    browser.ends.push(() => other.close());
    other.prompt("Build the shop").result.catch(() => {});
    const row = group(page, "Waiting for you");
    await row.getByText("Go on?").waitFor();
    await wantAccessible(page);
    await button(side(page), "Inbox (1)").click();
    await page.getByRole("region", { name: "Waiting for you" }).getByText("Go on?").waitFor();
    await wantAccessible(page);
    await row.getByText("Build the shop").click();
    await page.getByRole("heading", { level: 1, name: "Build the shop" }).waitFor();
    await page.getByLabel("Yes").check();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1_280);
    await page.setViewportSize({ width: 1_000, height: 800 });
    expect(await side(page).count()).toBe(0);
    await button(page, "Sessions").click();
    await page.getByRole("dialog", { name: "Sessions" }).getByText("Build the shop").waitFor();
    expect(complaints).toEqual([]);
  });

  test("a session is closed from its row's menu, which says that it closes for everybody and asks once more", async () => {
    const { page, server } = await openHosted({});
    server.createSession({ id: "second", stay: true });
    const row = side(page)
      .getByRole("listitem")
      .filter({ hasNot: page.locator("[aria-current]") });
    expect(await button(row, "Close Nothing said yet").count()).toBe(0);
    await button(row, "More on Nothing said yet").click();
    await row.getByText("Closing ends it for everybody.").waitFor();
    await row.getByText("Session second").waitFor();
    await wantAccessible(page);
    // A page that was narrow for a while begins its list anew.
    await button(row, "More on Nothing said yet").click();
    await button(row, "Close Nothing said yet").click();
    await row.getByText("Close it for everybody?").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Keep");
    await button(row, "Close").click();
    await expect.poll(() => side(page).getByRole("listitem").count()).toBe(1);
  });

  test("a list of a thousand sessions draws what is needed, and its search finds the last by folder and id", async () => {
    const { page, server } = await openHosted({ maxSessions: 1_100 });
    for (let at = 0; at < 1_000; at += 1)
      server.createSession({
        id: `made-${at}`,
        stay: true,
        workDir: at === 999 ? "/work/last" : "/work/shop",
      });
    await button(side(page), "Show 50 more of 951").waitFor();
    expect(await side(page).getByRole("listitem").count()).toBe(50);
    await button(side(page), "Show 50 more of 951").click();
    expect(await side(page).getByRole("listitem").count()).toBe(100);
    await page.locator("body").press("/");
    const search = side(page).getByRole("searchbox", { name: "Search the sessions" });
    expect(await search.evaluate((one) => one === document.activeElement)).toBe(true);
    await search.fill("MADE-999");
    await expect.poll(() => side(page).getByRole("listitem").count()).toBe(1);
    await search.fill("work/last");
    await side(page).getByText("1 session found.").waitFor();
    await wantAccessible(page);
    await search.fill("nothing like it");
    await side(page).getByText("No session has these words.").waitFor();
    await page.getByRole("textbox", { name: "Message" }).press("/");
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("/");
  });

  test("a server that is full says so where a session was to begin", async () => {
    const { page } = await openHosted({ maxSessions: 1 });
    await button(side(page), "New session").click();
    await side(page).getByText("Not done: more than 1 sessions").waitFor();
  });

  test("all sessions of the folder that a restarted server keeps are listed, and the chosen one goes on", async () => {
    const opened = await openPage(browser, ["text: Built.", "text: Painted."], wide);
    const end = await opened.other.prompt("Build the shop").result;
    expect(end.status).toBe("finished");
    await opened.kill();
    await opened.again([]);
    await opened.page.close();
    const token = new URLSearchParams(new URL(opened.address).hash.slice(1)).get("token");
    const { page, complaints } = await browser.newPage(wide);
    await page.goto(`${opened.origin}/#token=${token}`);
    const kept = group(page, "Kept from before");
    await kept.getByText("Build the shop").waitFor();
    expect(await kept.count()).toBe(1);
    await wantAccessible(page);
    await kept.getByRole("button").click();
    await page.getByRole("log").getByText("Built.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/s/${opened.session}`);
    await group(page, "Today").getByText("Build the shop").waitFor();
    await expect.poll(() => kept.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("kept sessions come fifty at a time, and a search goes over those that have come", async () => {
    const stored = Array.from({ length: 120 }, (_, at) => ({
      ...{ id: `kept-${at}`, folder: "/kept", workDir: "/work/shop", state: "closed" as const },
      ...{ title: `Task ${at}`, activeAt: 1_000_000 - at, bytes: 1, open: [] },
    }));
    const { page } = await openHosted({
      isKept: (id) => id.startsWith("kept-"),
      keptSessions: (after) =>
        stored.filter(({ activeAt }) => after === undefined || activeAt < after.activeAt),
    });
    await button(side(page), "Show 1 more of 1").click();
    await expect.poll(() => group(page, "Kept from before").count()).toBe(50);
    const search = side(page).getByRole("searchbox", { name: "Search the sessions" });
    await search.fill("task 119");
    await side(page).getByText("No session has these words.").waitFor();
    for (const count of [100, 120]) {
      await button(side(page), "Show older kept sessions").click();
      await search.fill("task");
      await side(page).getByText(`${count} sessions found.`).waitFor();
      await search.fill("task 119");
    }
    await side(page).getByText("1 session found.").waitFor();
    expect(await button(side(page), "Show older kept sessions").count()).toBe(0);
  });

  test("a session that a restarted server keeps is offered in the list, and goes on by one press", async () => {
    const opened = await openPage(browser, [], wide);
    void ask(opened.other, [database]);
    await opened.page.getByLabel("SQLite").waitFor();
    await expect.poll(() => opened.page.title()).toContain("(1)");
    await opened.kill();
    await opened.again([]);
    const token = new URLSearchParams(new URL(opened.address).hash.slice(1)).get("token");
    await opened.page.close();
    const { page } = await browser.newPage(wide);
    await page.goto(`${opened.origin}/#token=${token}`);
    const kept = group(page, "Kept, to go on with");
    await kept.getByText("Which database?").waitFor();
    await wantAccessible(page);
    await kept.getByRole("button").click();
    await page.getByLabel("SQLite").check();
    await backOnline(page);
    expect(new URL(page.url()).pathname).toBe(`/s/${opened.session}`);
  });
});
