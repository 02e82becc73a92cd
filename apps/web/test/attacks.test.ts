import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, openPage, results } from "./served-page.js";

const browser = testBrowser();
const foreign = "<img src=x onerror=alert(1)><script>alert(2)</script> \u202egnp.exe";
const shown = "<img src=x onerror=alert(1)><script>alert(2)</script> \\u{202e}gnp.exe";

describe("the token in the address of the page", () => {
  test("is gone from it before any other script runs, and from the history", async () => {
    const { address, origin } = await openPage(browser);
    const { page } = await browser.newPage({});
    await page.route("**/open-page-*.js", (route) =>
      route.fulfill({
        contentType: "text/javascript",
        body: "document.title = location.href; export const openPage = () => {};",
      }),
    );
    await page.goto(address);
    await expect.poll(() => page.title()).toBe(`${origin}/`);
    const devtools = await page.context().newCDPSession(page);
    const { entries } = await devtools.send("Page.getNavigationHistory");
    expect(entries.map(({ url }) => url).join()).not.toContain("token");
  });

  test("is in no request, title or lasting store, and the session asks nobody but its server", async () => {
    const { address, origin, other } = await openPage(browser, [
      calls("AskUserQuestion", {
        questions: [{ question: "Go?", options: [{ label: "Yes" }, { label: "No" }] }],
      }),
      "text: ![a chart](https://third.example/a.png) [a page](https://third.example/)",
    ]);
    const token = new URLSearchParams(new URL(address).hash).get("#token") ?? "";
    const { page, complaints } = await browser.newPage({});
    const asked: Promise<string>[] = [];
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    page.on("request", (request) =>
      asked.push(
        request
          .allHeaders()
          .then((headers) => JSON.stringify({ from: request.url().split("/", 3), headers })),
      ),
    );
    await page.goto(address);
    const told = results(other);
    await page.getByLabel("Yes").check();
    await page.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
    await told;
    await page.getByRole("link", { name: "a chart" }).waitFor();
    expect(token).not.toBe("");
    const requests = await Promise.all(asked);
    expect(requests.filter((request) => request.includes(token) || request.includes('"referer"'))).toEqual(
      [],
    );
    const { host } = new URL(origin);
    expect(requests.map((request) => JSON.parse(request).from.join("/"))).toEqual(requests.map(() => origin));
    expect(sockets.map((url) => new URL(url).host)).toEqual([host]);
    expect(sockets.join()).not.toContain(token);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    expect(`${await page.title()} ${page.url()}`).not.toContain(token);
    expect(complaints).toEqual([]);
  });
});

test("the page refuses markup and scripts from text, and addresses of others", async () => {
  const { page } = await openPage(browser);
  const tried = await page.evaluate(async () => {
    const named = (act: () => unknown) => {
      try {
        return String(act());
      } catch (error) {
        return (error as Error).name;
      }
    };
    return [
      named(() => Object.assign(document.createElement("p"), { innerHTML: "<b>x</b>" })),
      named(() => Object.assign(document.createElement("script"), { text: "1" })),
      await fetch("https://third.example/").catch((error: Error) => error.name),
    ];
  });
  expect(tried).toEqual(["TypeError", "TypeError", "TypeError"]);
});

test("the files of the page carry and name no source maps", async () => {
  const { origin, page } = await openPage(browser);
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => (/\.(?:js|css)$/.test(name) ? [name] : [])),
  );
  expect(scripts).toContain(`${origin}/start.js`);
  for (const script of scripts) {
    expect(await (await fetch(script)).text()).not.toContain("sourceMappingURL");
    expect((await fetch(`${script}.map`)).status).toBe(404);
  }
});

test("markup and controls stay text in each place where words of others are shown", async () => {
  const { page, other, complaints } = await openPage(browser, [
    `text: ${foreign}\n${calls("Shell", { command: `echo '${foreign}'` })}`,
    "text: Done.",
  ]);
  const dock = page.locator(".dock");
  const option = { label: foreign, description: foreign, preview: foreign };
  const question = { question: foreign, header: foreign, body: foreign, options: [option, { label: "No" }] };
  const asked = ask(other, [question]);
  await dock.getByRole("radio", { name: shown }).check();
  expect(await dock.textContent()).not.toContain("\u202e");
  await dock.getByRole("button", { name: "Send", exact: true }).click();
  await asked;
  await page.getByRole("textbox", { name: "Message" }).fill(foreign);
  await page.keyboard.press("Enter");
  const approve = dock.getByRole("button", { name: "Approve", exact: true });
  await approve.waitFor();
  expect(await dock.textContent()).toContain(shown);
  expect(await page.locator("#page").textContent()).not.toContain("\u202e");
  expect(await page.title()).not.toContain("\u202e");
  await approve.click();
  await page.getByRole("log").getByText("Done.").waitFor();
  expect(await page.locator("#page").textContent()).not.toContain("\u202e");
  expect(await page.locator("#page :is(img, script, style)").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a browser that knows no notifications shows and answers a question all the same", async () => {
  const { address, other } = await openPage(browser);
  const { page, complaints } = await browser.newPage({});
  await page.addInitScript(() => void Reflect.deleteProperty(window, "Notification"));
  await page.goto(address);
  const asked = ask(other, [{ question: "Go?", options: [{ label: "Yes" }] }]);
  await page.getByLabel("Yes").check();
  await page.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
  expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o1"] }]);
  expect(complaints).toEqual([]);
});
