import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { withPush, woken } from "./pushed-page.js";

const browser = testBrowser();
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 };
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};

/** Makes the page that of a slow phone on a slow network, 300 ms away. */
async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await session.send("Network.enable");
  const [down, up] = [1_600_000 / 8, 750_000 / 8];
  const network = { offline: false, latency: 300, downloadThroughput: down, uploadThroughput: up };
  await session.send("Network.emulateNetworkConditions", network);
}

/** True where a part is in the screen with all of its height. */
async function isInScreen(page: Page, part: Locator): Promise<boolean> {
  const box = await part.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

test.skipIf(process.env.ASKWIRE_BROWSER === "firefox")(
  "a slow phone whose page was closed is woken by a push message, and the person answers by touch alone",
  async () => {
    const { page, service, browsers, subscriptions, deliver, shown, click, other } = await woken(
      browser,
      phone,
    );
    const [device] = browsers;
    const { origin } = new URL(page.url());
    await page.close();
    const asked = other.ask({ questions: [colour] });
    const [message] = await service.until("/phone", 1);
    const text = device?.open(message as never);
    await deliver(text as object);
    await expect
      .poll(shown)
      .toMatchObject([{ title: "Question: Colour", body: "Which colour?\nRed · Blue" }]);
    const to = await click(String(Object(text).tag));
    expect(to).toMatch(/^\/s\/[^/#]+#r-.+/);
    const { page: next, complaints } = await browser.newTab(page);
    await withPush(next, subscriptions);
    await slow(next);
    await next.goto(origin + to);
    const card = next.locator(".dock .askwire-card");
    await card.getByText("Which colour?").waitFor();
    await untilPressable(next);
    const [blue, send] = [
      card.locator("label", { hasText: "Blue" }),
      card.getByRole("button", { name: "Send answer" }),
    ];
    for (const part of [card.getByText("Which colour?"), card.getByText("Red"), blue, send])
      expect(await isInScreen(next, part)).toBe(true);
    await blue.tap();
    await expect.poll(() => card.getByLabel("Blue").isChecked()).toBe(true);
    await send.tap();
    expect(await asked).toMatchObject({ answers: { "Which colour?": "Blue" } });
    // The card goes once the server has said that it took the answer, which stands in the conversation then.
    await expect.poll(() => card.count()).toBe(0);
    await next.locator(".askwire-transcript").getByText("Blue").first().waitFor();
    expect(complaints).toEqual([]);
  },
);
