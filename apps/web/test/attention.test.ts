import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, openPage } from "./served-page.js";
import { add, openBoth } from "./two-servers.js";

const browser = testBrowser();
const open = () => openPage(browser);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};
const icon = (page: Page) => page.locator("link[rel=icon]").getAttribute("href");

/** Hides the tab, or shows it, as the browser tells a page. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

/** The notifications that a system would show. The packaged browser has none, so the page gets the interface alone. */
const noticed = (page: Page) => page.evaluate(() => (globalThis as unknown as { notices: object[] }).notices);
const withNotifications = (page: Page) =>
  page.addInitScript(() => {
    // They outlive the page, as those of a service worker do.
    const notices: { title: string; tag: string; body: string }[] = JSON.parse(
      sessionStorage.getItem("test notices") ?? "[]",
    );
    const kept = () => sessionStorage.setItem("test notices", JSON.stringify(notices));
    Object.assign(globalThis, {
      notices,
      Notification: {
        permission: "default",
        async requestPermission() {
          this.permission = "granted";
          return this.permission;
        },
      },
    });
    Object.assign(ServiceWorkerRegistration.prototype, {
      async showNotification(title: string, { tag, body }: { tag: string; body: string }) {
        await (globalThis as { gate?: Promise<void> }).gate;
        notices.push({ title, tag, body });
        kept();
        document.documentElement.dataset.told = body;
      },
      async getNotifications({ tag }: { tag?: string } = {}) {
        return notices
          .filter((one) => tag === undefined || one.tag === tag)
          .map((one) => ({
            close() {
              notices.splice(notices.indexOf(one), 1);
              kept();
            },
          }));
      },
    });
  });

describe("a waiting request", () => {
  test("a waiting request is counted in the title and marked on the icon, until somebody else answers it", async () => {
    const { page, other } = await open();
    expect([await page.title(), await icon(page)]).toEqual(["Askwire", "/icon.svg"]);
    const withdrawn = new AbortController();
    void ask(other, [colour], withdrawn.signal);
    void ask(other, [colour]);
    await expect.poll(() => page.title()).toBe("(2) Askwire");
    expect(await icon(page)).toBe("/icon-waiting.svg");
    await page.getByRole("region", { name: "2 requests wait" }).waitFor();
    withdrawn.abort();
    await expect.poll(() => page.title()).toBe("(1) Askwire");
    await button(page, "Close").click();
    await button(page, "Decline").click();
    await expect.poll(() => page.title()).toBe("Askwire");
    expect(await icon(page)).toBe("/icon.svg");
  });

  test("the system reports a waiting request while the page is hidden, if the person wants that, and removes the report", async () => {
    const { page, other, complaints } = await open();
    await withNotifications(page);
    await page.reload();
    await button(page, "Settings").click();
    await wantAccessible(page);
    await page.getByLabel("Notification when something is asked").check();
    await button(page, "Close").click();
    void ask(other, [colour]);
    await page.getByRole("heading", { name: "Colour" }).waitFor();
    expect(await noticed(page)).toEqual([]);
    await hide(page, true);
    const withdrawn = new AbortController();
    void ask(other, [{ ...colour, question: "Which \u202eshade?" }], withdrawn.signal);
    await expect
      .poll(() => noticed(page))
      .toMatchObject([{ title: "(2) Askwire", body: "Which \\u{202e}shade?" }]);
    withdrawn.abort();
    await expect.poll(() => noticed(page)).toEqual([]);
    const short = new AbortController();
    await page.evaluate(() => {
      const gate = new Promise<void>((open) => Object.assign(globalThis, { open }));
      Object.assign(globalThis, { gate });
    });
    void ask(other, [{ ...colour, question: "Gone at once?" }], short.signal);
    await expect.poll(() => page.title()).toBe("(2) Askwire");
    short.abort();
    await expect.poll(() => page.title()).toBe("(1) Askwire");
    await page.evaluate(() => (globalThis as unknown as { open(): void }).open());
    await page.locator("[data-told='Gone at once?']").waitFor();
    await expect.poll(() => noticed(page)).toEqual([]);
    void ask(other, [colour]);
    await expect.poll(() => noticed(page)).toHaveLength(1);
    await hide(page, false);
    await expect.poll(() => noticed(page)).toEqual([]);
    await hide(page, true);
    void ask(other, [colour]);
    await expect.poll(() => noticed(page)).toHaveLength(1);
    // A page that is loaded anew is looked at, and knows nothing of the notification.
    await page.reload();
    await expect.poll(() => noticed(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("the system reports what waits in another session once, and removes the report with the request", async () => {
    const { page, other, wire, complaints } = await open();
    await withNotifications(page);
    await page.reload();
    await button(page, "Settings").click();
    await page.getByLabel("Notification when something is asked").check();
    await button(page, "Close").click();
    await hide(page, true);
    const { id } = await other.createSession();
    const second = await connectWebSocket(wire.replace(/\/wire\/[^#]+/, `/wire/${id}`));
    onTestFinished(() => second.close());
    const withdrawn = new AbortController();
    void ask(second, [{ ...colour, question: "Which shade?" }], withdrawn.signal);
    await expect.poll(() => noticed(page)).toMatchObject([{ body: "Which shade?" }]);
    const [{ tag }] = (await noticed(page)) as [{ tag: string }];
    void ask(second, [colour]);
    await expect.poll(() => noticed(page)).toHaveLength(2);
    withdrawn.abort();
    await expect.poll(() => noticed(page)).toMatchObject([{ body: "Which colour?" }]);
    expect(((await noticed(page)) as [{ tag: string }])[0].tag).not.toBe(tag);
    // The way into that session tells of nothing again.
    await button(page, "Inbox (1)").click();
    await page.getByRole("region", { name: "Waiting for you" }).getByText("Which colour?").click();
    await page.getByLabel("Red").waitFor();
    await expect.poll(() => noticed(page)).toEqual([]);
    void ask(second, [{ ...colour, question: "Which tone?" }]);
    await expect.poll(() => noticed(page)).toMatchObject([{ body: "Which tone?" }]);
    expect(complaints).toEqual([]);
  });

  test("a chosen notification leads to its waiting request, in the session that asks", async () => {
    const { page, other, there } = await openBoth(browser);
    await withNotifications(page);
    await add(page, there.address);
    await page.reload();
    await button(page, "Settings").click();
    await page.getByLabel("Notification when something is asked").check();
    await button(page, "Close").click();
    await page.locator("header > .subject").getByText(there.host).waitFor();
    await hide(page, true);
    void ask(other, [colour]);
    await expect.poll(() => noticed(page)).toMatchObject([{ body: "Which colour?" }]);
    const [{ tag }] = (await noticed(page)) as [{ tag: string }];
    const [worker] = page.context().serviceWorkers();
    const choose = (tag: string) =>
      worker?.evaluate((tag) => {
        const event = Object.assign(new Event("notificationclick"), {
          notification: { tag, data: { session: "" }, close() {} },
          // Without a press of a person no window may come to the front.
          waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
        });
        dispatchEvent(event);
      }, tag);
    await choose("of no request");
    expect(await page.getByLabel("Red").count()).toBe(0);
    await choose(tag);
    await page.getByLabel("Red").check();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });

  test("the system does not report requests where the browser forbids that, and the page says so", async () => {
    const { page, origin } = await open();
    // An empty list of grants forbids notifications from here on.
    await page.context().grantPermissions([], { origin });
    expect(await page.evaluate(() => Notification.permission)).toBe("denied");
    await button(page, "Settings").click();
    await page.getByText("The browser was told to show none for this page.").waitFor();
    expect(await page.getByLabel("Notification when something is asked").isDisabled()).toBe(true);
  });

  test("a waiting request sounds where the person wants that", async () => {
    const { page, other } = await open();
    await page.evaluate(() => {
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when) {
        document.body.dataset.sounded = "yes";
        start.call(this, when);
      };
    });
    const sounded = () => page.evaluate(() => document.body.dataset.sounded);
    void ask(other, [colour]);
    await page.getByRole("heading", { name: "Colour" }).waitFor();
    expect(await sounded()).toBeUndefined();
    await button(page, "Settings").click();
    await page.getByLabel("Sound when something is asked").check();
    await button(page, "Close").click();
    void ask(other, [colour]);
    await expect.poll(sounded).toBe("yes");
  });
});

describe("the settings of the page", () => {
  test("the settings are kept by the device: language, look, and whether it is remembered", async () => {
    const { page, origin } = await open();
    await button(page, "Settings").click();
    await page.getByLabel("Language").selectOption("zh");
    await page.getByLabel("外观").selectOption("dark");
    await page.getByLabel("关闭标签页后仍记住此设备").check();
    await wantAccessible(page);
    await button(page, "关闭").click();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh");
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
    const next = await page.context().newPage();
    await next.goto(origin);
    await next.getByText("已连接", { exact: true }).waitFor();
    await button(next, "设置").click();
    await button(next, "忘记令牌并离开").click();
    await next.getByLabel("地址或配对码").waitFor();
    expect(await next.evaluate(() => Object.keys(localStorage))).toEqual(["askwire.settings"]);
  });

  test("the settings start with those of the browser", async () => {
    const { address } = await open();
    const { page } = await browser.newPage({ locale: "zh-CN" });
    await page.goto(address);
    await page.getByText("已连接", { exact: true }).waitFor();
  });
});
