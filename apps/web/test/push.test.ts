import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { deferred } from "../../../scripts/deferred.js";
import { opened } from "../../cli/test/reach/remote.js";
import { ON, paired, turnOn, withPush, woken } from "./pushed-page.js";
import { ask, openPage } from "./served-page.js";

const browser = testBrowser();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};

/** Hides the tab, or shows it, as the browser tells a page. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

describe("push notifications in the settings", () => {
  test("a person turns push notifications on, tests them, chooses quiet hours and a muted session, and turns them off", async () => {
    const { page, service, browsers, complaints } = await paired(browser);
    const [phone] = browsers;
    await turnOn(page);
    expect(await page.getByLabel("Remember this device after the tab is closed").isChecked()).toBe(true);
    await page.getByText("They show the question with its options.").waitFor();
    await button(page, "Send a test").click();
    await page.getByText("A test was sent. It arrives within a few seconds.").waitFor();
    const [message] = await service.until("/phone", 1);
    expect(phone?.open(message as never)).toMatchObject({ event: "test", title: "Askwire" });
    await page.getByLabel("Quiet hours").check();
    await page.getByLabel("until").fill("06:30");
    await page.getByText("What still waits at their end is told then.").waitFor();
    await page.getByLabel("None from this session").check();
    await wantAccessible(page);
    await button(page, "Close").click();
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
    await button(page, "Settings").click();
    await expect.poll(() => page.getByLabel("until").inputValue()).toBe("06:30");
    expect(await page.getByLabel("None from this session").isChecked()).toBe(true);
    await page.getByLabel("Language").selectOption("zh");
    await page.getByLabel("向此设备推送通知").uncheck();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("test on"))).toBeNull();
    await expect.poll(() => page.getByLabel("免打扰时段").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("a choice is taken back by the reply to the one before it", async () => {
    const { page } = await paired(browser);
    await turnOn(page);
    const [arrived, first, second] = [deferred(), deferred(), deferred()];
    await page.route("**/push", async (route) => {
      const said = route.request().postData() ?? "";
      if (said.includes('"muted"')) return second.promise.then(() => route.continue());
      if (!said.includes('"quiet"')) return route.continue();
      const response = await route.fetch();
      arrived.resolve();
      await first.promise;
      await route.fulfill({ response });
    });
    await page.getByLabel("Quiet hours").click();
    await arrived.promise;
    await page.getByLabel("None from this session").click();
    const replied = page.waitForResponse((response) => response.url().endsWith("/push"));
    first.resolve();
    await (await replied).finished();
    // Two frames later the page has drawn it.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await page.getByLabel("None from this session").isChecked()).toBe(true);
    second.resolve();
  });

  test("a device gets messages while its page is hidden, none while it is visible, and none once it has left", async () => {
    const { page, service, browsers, other } = await paired(browser);
    const [phone] = browsers;
    await turnOn(page);
    await button(page, "Close").click();
    void ask(other, [{ ...colour, header: "Seen" }]);
    await page.getByRole("heading", { name: "Seen" }).waitFor();
    await hide(page, true);
    void ask(other, [{ ...colour, header: "Hidden" }]);
    const [message] = await service.until("/phone", 1);
    expect(phone?.open(message as never)).toMatchObject({
      title: "Question: Hidden",
      body: "Which colour?\nRed · Blue",
    });
    await hide(page, false);
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
    await button(page, "Settings").click();
    await page.getByLabel(ON).isChecked();
    await button(page, "Forget the token and leave").click();
    await page.getByLabel("Address or pairing code").waitFor();
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual(["test ended"]);
  });

  test("a browser that is paired anew takes another subscription, since the last one is of the last device", async () => {
    const { page, service, browsers, share, other, stop } = await paired(browser, ["/first", "/second"]);
    await turnOn(page);
    // The browser keeps its subscription, but nothing of the device.
    await page.evaluate(() => {
      sessionStorage.clear();
      for (const name of Object.keys(localStorage))
        if (name.startsWith("askwire.")) localStorage.removeItem(name);
    });
    await other.close();
    await stop();
    const { port } = new URL(page.url());
    const next = await opened(["--push-host", service.host], { home: share, port });
    await page.goto(next.page);
    await page.getByText("Connected", { exact: true }).waitFor();
    await turnOn(page);
    await button(page, "Send a test").click();
    const [message] = await service.until("/second", 1);
    expect(browsers[1]?.open(message as never)).toMatchObject({ event: "test" });
    expect(service.deliveries).toHaveLength(1);
  });

  test("two tabs of a device that both turn push notifications on have one subscription, and one message comes", async () => {
    const { page, service, subscriptions, complaints } = await paired(browser);
    await turnOn(page);
    const { page: tab } = await browser.newTab(page);
    await withPush(tab, subscriptions);
    await tab.goto(page.url());
    await tab.getByText("Connected", { exact: true }).waitFor();
    await button(tab, "Settings").click();
    await expect.poll(() => tab.getByLabel(ON).isChecked()).toBe(true);
    await tab.getByLabel(ON).uncheck();
    await expect.poll(() => tab.evaluate(() => localStorage.getItem("test on"))).toBeNull();
    await tab.getByLabel(ON).check();
    await tab.getByText("This device is remembered for that.").waitFor();
    await button(page, "Send a test").click();
    await page.getByText("A test was sent. It arrives within a few seconds.").waitFor();
    await service.until("/phone", 1);
    expect(service.deliveries).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test("a page without a paired device says that it has to be paired", async () => {
    const { page } = await openPage(browser);
    await withPush(page, []);
    await page.reload();
    await button(page, "Settings").click();
    await page.getByText("Only a paired device gets push notifications.").waitFor();
    await wantAccessible(page);
  });

  test("where the browser forbids notifications, the page says how that is undone", async () => {
    const { page, origin } = await openPage(browser);
    await page.context().grantPermissions([], { origin });
    await button(page, "Settings").click();
    await page.getByText("Open its settings for this site").waitFor();
    await button(page, "Try again").click();
  });

  test("on an iPhone the page in Safari says how it gets to the home screen", async () => {
    const { page } = await openPage(browser);
    await page.addInitScript(() => Object.assign(navigator, { standalone: false }));
    await page.reload();
    await button(page, "Settings").click();
    await page.getByText("In Safari, tap Share, then Add to Home Screen.").waitFor();
    await wantAccessible(page);
  });
});

describe.skipIf(process.env.ASKWIRE_BROWSER === "firefox")("the service worker, woken by a message", () => {
  test("a message becomes a notification without buttons, and goes or is replaced once its request is settled", async () => {
    const { deliver, shown } = await woken(browser);
    const asked = { event: "asked", title: "Question: Colour", body: "Which colour?" };
    await deliver({ ...asked, tag: "r1" });
    await deliver({ ...asked, tag: "r2" });
    await expect.poll(shown).toMatchObject([
      {
        title: "Question: Colour",
        body: "Which colour?",
        tag: "r1",
        silent: false,
        data: { session: "s" },
      },
      { tag: "r2" },
    ]);
    expect((await shown()).every((one) => !("actions" in one))).toBe(true);
    const settled = { event: "settled", title: "No longer waiting", body: "Question: Colour" };
    await deliver({ ...settled, tag: "r1" });
    await expect.poll(shown).toMatchObject([{ tag: "r2", silent: false }]);
    // The last one is replaced, since each message has to leave something.
    await deliver({ ...settled, tag: "r2" });
    await expect.poll(shown).toMatchObject([{ tag: "r2", title: "No longer waiting", silent: true }]);
    await deliver({ ...asked, tag: "r3" });
    await deliver({ ...settled, tag: "r3", mustShow: true });
    await expect
      .poll(shown)
      .toMatchObject([{ tag: "r2" }, { tag: "r3", title: "No longer waiting", silent: true }]);
  });
});
