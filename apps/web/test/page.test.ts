import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { QuestionInput } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import buildPage from "../build.mjs";
import { ask, calls, database, openPage, results } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);

const marked = { ...database, question: "Which <b>database</b>?" };
const asksForDatabase = [calls("AskUserQuestion", { questions: [marked] }), "text: Thanks."];

test("the scripts and styles of the first question have at most 150 kB gzip", async () => {
  const folder = await browser.folder();
  const first = await buildPage(folder);
  const sizes = await Promise.all(
    first.map(async (name) => gzipSync(await readFile(join(folder, name))).length),
  );
  const sum = sizes.reduce((all, size) => all + size, 0);
  expect(sum).toBeLessThanOrEqual(150_000);
});

test("the page has the license of each package that its scripts are made of", async () => {
  const { address } = await open();
  const licenses = await (await fetch(new URL("/licenses.txt", address))).text();
  for (const name of ["react", "react-dom", "scheduler", "zod"])
    expect(licenses).toMatch(new RegExp(`^${name} \\d[^\\n]*\\n\\n(MIT License|The MIT License)`, "m"));
});

/** The address of a frame that Chromium and Firefox leave without the page. */
const refused = /^(chrome-error:\/\/chromewebdata\/$|about:neterror\?e=cspBlocked)/;

test("a foreign page cannot hold the page in a frame", async () => {
  const { address } = await open();
  const { page } = await browser.newPage({});
  const foreign = "http://foreign.test/";
  await page.route(foreign, (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${address}"></iframe>` }),
  );
  await page.goto(foreign);
  await expect.poll(() => page.frames().at(-1)?.url()).toMatch(refused);
});

describe("a page that is older than its server", () => {
  /** Opens a page of which the server has other files, or none where nothing is said of the change. */
  const older = async (
    path: string,
    change?: (body: string) => string,
    questions: QuestionInput[] = [],
    script?: readonly string[],
  ) => {
    const { address, other } = await open(script);
    if (questions.length > 0) void ask(other, questions);
    if (script !== undefined) other.prompt("go").result.catch(() => {});
    const { page } = await browser.newPage({});
    await page.route(path, async (route) => {
      if (change === undefined) return route.fulfill({ status: 404 });
      const response = await route.fetch();
      // A browser keeps a file of a hashed name for ever.
      const headers = { ...response.headers(), "cache-control": "no-store" };
      await route.fulfill({ response, headers, body: change(await response.text()) });
    });
    await page.goto(address);
    return page;
  };

  test("an older page says so once it is connected, and can be reloaded", async () => {
    const page = await older("**/first-*.js", (body) => body.replaceAll("`0.1.0`", "`0.0.9`"));
    await page.getByText("The server runs another version than this page.").waitFor();
    await wantAccessible(page);
    await page.unroute("**/first-*.js");
    await page.getByRole("button", { name: "Load anew" }).click();
    await page.getByText("Connected", { exact: true }).waitFor();
  });

  test("an older page works without a part that the server no longer has, says so, and shows the part once it comes", async () => {
    const page = await older("**/talk-*.js");
    await page.getByText("A part of the page could not be loaded").waitFor();
    await page.getByText("Connected", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    await page.unroute("**/talk-*.js");
    await page.getByText("A part of the page could not be loaded").waitFor({ state: "detached" });
    await page.getByRole("log").waitFor();
  });

  test("an older page says so where the server no longer has the card of an approval, and loads it once it is there again", async () => {
    const script = [calls("Shell", { command: "echo one" })];
    const page = await older("**/page-approval-*.js", undefined, [], script);
    const dock = page.locator(".dock");
    await dock.getByText("A part of the page could not be loaded").waitFor();
    await page.unroute("**/page-approval-*.js");
    await dock.getByRole("button", { name: "Load anew" }).click();
    await dock.getByRole("button", { name: "Approve once" }).waitFor();
  });

  test("an older page shows a question as it was written where the server no longer has a Markdown reader for it", async () => {
    const page = await older("**/page-markdown-*.js", undefined, [{ ...marked, body: "**Think** first." }]);
    await page.locator(".dock").getByText("**Think** first.").waitFor();
    await page.getByLabel("SQLite").check();
  });
});

describe("the address of the page", () => {
  test("the address loses its token before the page starts, and the tab keeps it over a reload", async () => {
    const { page, complaints, other } = await open(asksForDatabase);
    expect(new URL(page.url()).hash).toBe("");
    expect(await page.evaluate(() => [document.cookie, Object.keys(localStorage)])).toEqual(["", []]);
    const told = results(other);
    await page.getByLabel("SQLite").waitFor();
    await page.reload();
    await page.getByLabel("SQLite").click();
    await page.getByRole("button", { name: "Send answer", exact: true }).click();
    expect((await told).join()).toContain("SQLite");
    expect(complaints).toEqual([]);
  });

  test("an address without a token leads to a page that says how to get one, and takes a pasted address", async () => {
    const { origin, address, complaints } = await open();
    const { page } = await browser.newPage({});
    await page.goto(origin);
    await page.getByRole("heading", { name: "Connect this page to an agent" }).waitFor();
    await wantAccessible(page);
    const field = page.getByLabel("Address or pairing code");
    await field.fill("http://example.org/#token=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    await page.keyboard.press("Enter");
    await page.getByText("belongs to another server").waitFor();
    await field.fill(address);
    await page.keyboard.press("Enter");
    await page.getByText("Connected", { exact: true }).waitFor();
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("an address with a wrong token says that it was refused, and what to do", async () => {
    const { origin } = await open();
    const { page } = await browser.newPage({});
    await page.goto(`${origin}/#token=${"x".repeat(32)}`);
    await page.getByText("The server refused the token").waitFor();
    await page.getByRole("button", { name: "Enter another address or code" }).click();
    await page.getByRole("heading", { name: "Connect this page to an agent" }).waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  test("an address can be used where the browser has no storage", async () => {
    const { address, other } = await open(asksForDatabase);
    const { page, complaints } = await browser.newPage({});
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
      }
    });
    await page.goto(address);
    await page.getByText("Connected", { exact: true }).waitFor();
    const told = results(other);
    await page.getByLabel("PostgreSQL").click();
    await page.getByRole("button", { name: "Send answer", exact: true }).click();
    expect((await told).join()).toContain("PostgreSQL");
    expect(complaints).toEqual([]);
  });
});
