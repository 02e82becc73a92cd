import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, database, openPage } from "./served-page.js";

const browser = testBrowser();
const open = () => openPage(browser);
const placeOf = (page: Page) => new URL(page.url()).pathname;
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

describe("the addresses of the page", () => {
  test("the address names the session without a secret, and leads there again after a reload and from a bookmark", async () => {
    const { page, session, origin, complaints } = await open();
    expect(page.url()).toBe(`${origin}/s/${session}`);
    await page.reload();
    await message(page).waitFor();
    expect(page.url()).toBe(`${origin}/s/${session}`);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Remember this device").check();
    const next = await page.context().newPage();
    await next.goto(`${origin}/s/${session}`);
    await message(next).waitFor();
    expect(complaints).toEqual([]);
  });

  test("the address with a request opens its card and loses the request", async () => {
    const { page, session, origin, other } = await open();
    void ask(other, [database]);
    await page.getByLabel("SQLite").waitFor();
    const id = await page.locator("[data-askwire-request]").getAttribute("data-askwire-request");
    await page.getByRole("button", { name: "Put aside to read" }).click();
    await page.evaluate((id) => {
      location.hash = `r-${id}`;
    }, id);
    await page.getByLabel("SQLite").waitFor();
    const heading = page.locator("[data-askwire-request] h2");
    await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(page.url()).toBe(`${origin}/s/${session}`);
  });

  test("the address goes with the person, and Back and Forward go with the address", async () => {
    const { page, session } = await open();
    await page.getByRole("button", { name: "Inbox" }).click();
    await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
    expect(placeOf(page)).toBe("/");
    await page.goBack();
    await message(page).waitFor();
    expect(placeOf(page)).toBe(`/s/${session}`);
    await page.goForward();
    await page.getByRole("heading", { name: "Waiting for you" }).waitFor();
    expect(placeOf(page)).toBe("/");
  });

  test("an address of a session leads there once the token is entered", async () => {
    const { address, session, origin } = await open();
    const token = new URLSearchParams(new URL(address).hash.slice(1)).get("token") as string;
    const { page } = await browser.newPage({});
    await page.goto(`${origin}/s/${session}`);
    await page.getByLabel("Address or pairing code").fill(token);
    await page.keyboard.press("Enter");
    await message(page).waitFor();
    expect(placeOf(page)).toBe(`/s/${session}`);
  });

  test("the title names the session and its folder, with the number of requests that wait", async () => {
    const { page, other, home } = await open();
    await other.prompt("Build the shop").result.catch(() => {});
    const folder = home.split("/").at(-1);
    await expect.poll(() => page.title()).toBe(`Build the shop · ${folder}`);
    void ask(other, [database]);
    await expect.poll(() => page.title()).toBe(`(1) Build the shop · ${folder}`);
  });

  test("all scripts and styles have hashed names and are kept by the browser, and the page itself is asked for each time", async () => {
    const { page, origin } = await open();
    const files = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    const loaded = files.filter((name) => /\.(?:js|css)$/.test(name));
    expect(loaded.filter((name) => !/-(?:[\dA-Z]{8}|[\da-f]{6,8})\.(?:js|css)$/.test(name))).toEqual([]);
    const control = async (address: string) => (await fetch(address)).headers.get("cache-control");
    expect(new Set(await Promise.all(loaded.map(control)))).toEqual(
      new Set(["public, max-age=31536000, immutable"]),
    );
    const named = ["", "s/x", "worker.js", "manifest.webmanifest", "start.js", "page.css"];
    for (const name of named) expect([name, await control(`${origin}/${name}`)]).toEqual([name, "no-store"]);
  });

  test("a page of an earlier version, whose scripts and styles have no hashed names, still comes up", async () => {
    const { page, session, origin } = await open();
    await page.route(`${origin}/s/${session}`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace(/start-\w{8}\.js/, "start.js")
        .replace(/page-\w{8}\.css/, "page.css")
        .replace(/.*askwire-later.*/, "");
      await route.fulfill({ response, body });
    });
    await page.reload();
    // The browser lets a page that a test fulfilled open no connection.
    await page.getByRole("heading", { level: 1, name: "Askwire" }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe("0px");
  });
});
