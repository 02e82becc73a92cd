import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { ask, openPage } from "./served-page.js";

const browser = testBrowser();

test("a page whose browser forbids storage, never sounds, has no clipboard and registers no worker still reports and answers", async () => {
  const { page, other, address, complaints } = await openPage(browser);
  await page.addInitScript(() => {
    if (!isSecureContext) return;
    const forbidden = () => {
      throw new DOMException("forbidden", "SecurityError");
    };
    Object.defineProperties(window, {
      localStorage: { get: forbidden },
      sessionStorage: { get: forbidden },
      indexedDB: { value: undefined },
      AudioContext: { value: forbidden },
    });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
    const notices: string[] = [];
    class Told {
      static permission = "default";
      static async requestPermission() {
        Told.permission = "granted";
        return Told.permission;
      }
      constructor(_title: string, { body }: { body: string }) {
        notices.push(body);
      }
      close() {
        notices.pop();
      }
    }
    Object.assign(globalThis, { notices, Notification: Told });
  });
  const noticed = () => page.evaluate(() => (globalThis as unknown as { notices: string[] }).notices);
  await page.goto("about:blank");
  await page.goto(address);
  await page.getByText("Connected", { exact: true }).waitFor();
  const box = page.getByRole("textbox", { name: "Message" });
  await box.fill("not sent yet");
  await page.getByRole("button", { name: "Settings" }).click();
  const choices = ["Sound when something is asked", "Notification when something is asked"];
  for (const choice of choices) await page.getByLabel(choice).check();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const asked = ask(other, [
    { question: "Which?", header: "One", options: [{ label: "Red" }, { label: "Blue" }] },
  ]);
  await expect.poll(noticed, { timeout: 20_000 }).toEqual(["Which?"]);
  await page.getByRole("radio", { name: "Red" }).check();
  await page.getByRole("button", { name: "Send answer", exact: true }).first().click();
  expect(JSON.stringify(await asked)).toContain("Red");
  await expect.poll(noticed).toEqual([]);
  expect(await box.inputValue()).toBe("not sent yet");
  expect(await page.locator(".askwire-failed").count()).toBe(0);
  expect(complaints).toEqual([]);
});
