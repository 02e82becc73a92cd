import { ConnectionLine, type ConnectionLink, connectionWords, keepConnected } from "@askwire/react";
import type { Page } from "playwright-core";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { wantAccessible } from "./accessible.js";
import { strictServer } from "./cards-page.js";
import { log, prompt } from "./talk-page.js";
import { talkingAgent } from "./talking-agent.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

// A page for development, where StrictMode mounts each component twice.
beforeAll(async () => {
  folder = await buildCards(await browser.folder(), undefined, "conversation.tsx", "development");
});

const line = (page: Page) => page.locator(".askwire-connection");
const tryNow = (page: Page) => line(page).getByRole("button", { name: "Try now" });
const connected = (page: Page) => line(page).getByText("Connected", { exact: true }).waitFor();
const open = () => browser.open({ agent: talkingAgent().agent, files: strictServer(folder) });

async function answer(page: Page): Promise<void> {
  await prompt(page, "story");
  await page.getByLabel("Stall").click();
  await page.getByRole("button", { name: "Send answer", exact: true }).click();
  await log(page).getByText("It is called Stall.").waitFor();
}

describe("the connection of the documented page", () => {
  test("a page whose server goes says so with a countdown, and goes on once the server is there again", async () => {
    const { page, gateway, listen } = await open();
    await connected(page);
    await gateway.close();
    await line(page).getByText("The connection is lost.").waitFor();
    await line(page)
      .getByRole("timer")
      .getByText(/Next try in \d+ s|Trying again…/)
      .waitFor();
    await wantAccessible(page);
    await listen();
    // The wait may end by itself before the press.
    await tryNow(page)
      .or(line(page).getByText("Connected", { exact: true }))
      .first()
      .waitFor();
    if (await tryNow(page).count())
      await tryNow(page)
        .click({ timeout: 2_000 })
        .catch(() => {});
    await connected(page);
    expect(await line(page).getByRole("button").count()).toBe(0);
    await answer(page);
  });

  test("a page that is opened while its server is not there waits for it, and works once it is", async () => {
    const { page, gateway, listen } = await open();
    await connected(page);
    await gateway.close();
    await page.reload();
    await line(page).getByText("The connection is lost.").waitFor();
    await listen();
    await connected(page);
    await answer(page);
  });

  test("a page whose token is refused says so, and does not try again", async () => {
    const { page, wire, complaints } = await open();
    await connected(page);
    const other = page.url().replace(/#.*/, `#${wire.replace(/#.*/, "#another-token")}`);
    await page.goto("about:blank");
    await page.goto(other);
    await line(page).getByText("The server refused the token.").waitFor();
    expect(await line(page).getByRole("timer").count()).toBe(0);
    expect(await tryNow(page).count()).toBe(0);
    expect(complaints.filter((one) => one.includes("Error:"))).toEqual([]);
  });

  test("a page whose session is closed elsewhere says so", async () => {
    const { page, session } = await open();
    await connected(page);
    await session.close();
    await line(page)
      .getByText(/The session was closed|does not have this session/)
      .waitFor();
    expect(await tryNow(page).count()).toBe(0);
  });

  test("the double mount of StrictMode gives its first connection up, and each question is there once", async () => {
    const { page, session } = await open();
    await connected(page);
    const sockets: { isClosed(): boolean }[] = [];
    page.on("websocket", (socket) => void sockets.push(socket));
    await page.reload();
    await connected(page);
    await answer(page);
    expect(sockets).toHaveLength(2);
    await expect.poll(() => sockets.filter((one) => !one.isClosed())).toHaveLength(1);
    await expect.poll(() => session.connections).toBe(1);
    expect(await log(page).getByText("It is called Stall.").count()).toBe(1);
  });
});

describe("the line of a connection", () => {
  const all = { onRetry() {}, onReload() {}, onOpenKept() {} };
  const shown = (link: ConnectionLink, given: object = all) =>
    renderToString(createElement(ConnectionLine, { link, ...given }));
  const closed = (ending: Extract<ConnectionLink, { is: "closed" }>["ending"]) =>
    ({ is: "closed", ending, why: "for a <reason>" }) as const;
  const { endings } = connectionWords.en;
  const buttons = (html: string) =>
    [...html.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, text]) => text);

  test.each<[ConnectionLink, string, readonly string[]]>([
    [{ is: "connecting" }, "Connecting…", []],
    [{ is: "connected", isOther: false }, "Connected", []],
    [{ is: "connected", isOther: true }, "another version", ["Load anew"]],
    [{ is: "lost", retryAt: 0, why: "" }, "The connection is lost.", ["Try now"]],
    [closed("token"), endings.token, []],
    [closed("session"), endings.session, []],
    [closed("kept"), endings.kept, ["Go on with it"]],
    [closed("replaced"), endings.replaced, ["Load anew"]],
    [closed("ended"), endings.ended, []],
    [closed("failed"), endings.failed, ["Load anew"]],
  ])("%j is told in a sentence, with the buttons that help there", (link, text, expected) => {
    const html = shown(link);
    expect(html).toContain(text);
    expect(buttons(html)).toEqual(expected);
    expect(buttons(shown(link, {}))).toEqual([]);
    expect(html).not.toContain("<reason>");
  });

  test("what was sent and has had no word is told before another version, with the way to try anew", () => {
    const outbox = [{ state: { is: "undelivered" } }];
    const html = shown({ is: "connected", isOther: true }, { ...all, outbox });
    expect(html).toContain("does not reply");
    expect(buttons(html)).toContain("Try now");
  });
});

describe("a connection that is kept", () => {
  test.each(["", "no address", "http://127.0.0.1:1/wire"])(
    "what is no address, as %j, is told at once and not tried again",
    async (address) => {
      const connection = keepConnected(address);
      browser.ends.push(connection.close);
      await expect.poll(() => connection.current().is).toBe("closed");
      expect(connection.current()).toMatchObject({
        ending: "failed",
        why: expect.stringContaining("is no address"),
      });
    },
  );

  test("a signal that is aborted ends the attempts to connect", async () => {
    const controller = new AbortController();
    const connection = keepConnected("ws://127.0.0.1:9/wire", { signal: controller.signal });
    await expect.poll(() => connection.current().is).toBe("lost");
    const before = connection.current();
    controller.abort();
    connection.retry();
    await new Promise((resolve) => setImmediate(resolve));
    expect(connection.current()).toBe(before);
  });

  test("a signal that was aborted before begins no attempt", async () => {
    const connection = keepConnected("ws://127.0.0.1:9/wire", { signal: AbortSignal.abort() });
    await new Promise((resolve) => setImmediate(resolve));
    expect(connection.current()).toEqual({ is: "connecting" });
  });
});
