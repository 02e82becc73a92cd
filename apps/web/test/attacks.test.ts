import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, calls, openPage, results } from "./served-page.js";
import { add, openBoth } from "./two-servers.js";

const browser = testBrowser();
const foreign = "<img src=x onerror=alert(1)><script>alert(2)</script> \u202egnp.exe";
const shown = "<img src=x onerror=alert(1)><script>alert(2)</script> \\u{202e}gnp.exe";

describe("the token in the address of the page", () => {
  test("the token disappears from the address before any other script runs, and from the history", async () => {
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

  test("the token is in no request, title or lasting store, and the session contacts only its server", async () => {
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
    await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
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

/** A server that nobody allowed, which counts who comes. */
async function stranger() {
  let visitors = 0;
  const server = createServer((socket) => {
    visitors += 1;
    socket.destroy();
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, visitors: () => visitors };
}

describe("a page that may reach another server", () => {
  test("a page gives each token to its own server alone, in the handshake alone", async () => {
    const { page, origin, there } = await openBoth(browser);
    const sent: string[] = [];
    // A request that the end of the page cuts off has no headers.
    page.on("request", async (request) =>
      sent.push(JSON.stringify(await request.allHeaders().catch(() => ({}))), request.url()),
    );
    const devtools = await page.context().newCDPSession(page);
    const hosts = new Map<string, string>();
    const handshakes: (readonly [host: string, token: string])[] = [];
    devtools.on(
      "Network.webSocketCreated",
      ({ requestId, url }) => void hosts.set(requestId, new URL(url).host),
    );
    devtools.on("Network.webSocketWillSendHandshakeRequest", ({ requestId, request: { headers } }) => {
      const carried = /askwire\.token\.([\w-]+)/.exec(JSON.stringify(headers))?.[1] ?? "";
      handshakes.push([hosts.get(requestId) ?? "", String(Buffer.from(carried, "base64url"))]);
    });
    await devtools.send("Network.enable");
    await add(page, there.address);
    await page.reload();
    await page.locator("header > .line").getByText("Connected", { exact: true }).waitFor();
    await expect.poll(() => handshakes.length).toBe(3);
    const pairs = handshakes.map(([host, token]) => `${host} ${token}`);
    const here = `${new URL(origin).host} the-token-of-all-page-tests`;
    expect([...new Set(pairs)].sort()).toEqual([here, `${there.host} ${there.token}`].sort());
    expect(sent.join()).not.toMatch(/the-token-of|askwire\.token/);
  });

  test("a page reaches no third server by any means, whatever its list of servers says", async () => {
    const { page, there, complaints } = await openBoth(browser);
    const { host, visitors } = await stranger();
    await page.evaluate(async (host) => {
      await fetch(`http://${host}/`, { method: "POST", mode: "no-cors", body: "x" }).catch(() => {});
      navigator.sendBeacon(`http://${host}/`, "x");
      for (const Way of [WebSocket, EventSource]) {
        const way = new Way(`${Way === WebSocket ? "ws" : "http"}://${host}/wire`);
        await new Promise((resolve) => way.addEventListener("error", resolve, { once: true }));
      }
    }, host);
    await page.route("**/servers.json", (route) => route.fulfill({ json: [there.origin, `http://${host}`] }));
    await page.reload();
    await add(page, there.address);
    await page.getByRole("button", { name: "Sessions", exact: true }).click();
    await page.getByRole("button", { name: "Add a server", exact: true }).click();
    await page.getByLabel("Address or pairing code").fill(`http://${host}/#token=${"x".repeat(32)}`);
    await page.keyboard.press("Enter");
    const refused = (line: string) => line.includes(`'ws://${host}/wire' violates`);
    await expect.poll(() => complaints.filter(refused)).toHaveLength(2);
    expect(visitors()).toBe(0);
  });
});

test("the page refuses markup and scripts from text, and foreign addresses", async () => {
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
  expect(scripts.map((name) => name.replace(origin, ""))).toContainEqual(
    expect.stringMatching(/^\/start-\w{8}\.js$/),
  );
  for (const script of scripts) {
    expect(await (await fetch(script)).text()).not.toContain("sourceMappingURL");
    expect((await fetch(`${script}.map`)).status).toBe(404);
  }
});

test("markup and control characters stay text wherever foreign words are shown", async () => {
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
  await dock.getByRole("button", { name: "Send answer", exact: true }).click();
  await asked;
  await page.getByRole("textbox", { name: "Message" }).fill(foreign);
  await page.keyboard.press("Enter");
  const approve = dock.getByRole("button", { name: "Approve once", exact: true });
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

test("a browser without notifications still shows and answers a question", async () => {
  const { address, other } = await openPage(browser);
  const { page, complaints } = await browser.newPage({});
  await page.addInitScript(() => void Reflect.deleteProperty(window, "Notification"));
  await page.goto(address);
  const asked = ask(other, [{ question: "Go?", options: [{ label: "Yes" }] }]);
  await page.getByLabel("Yes").check();
  await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
  expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o1"] }]);
  expect(complaints).toEqual([]);
});
