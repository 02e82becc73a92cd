import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the cards of the page have been in sight for as long as they take no press. */
export async function untilPressable(page: Page): Promise<void> {
  await expect.poll(() => page.locator(".askwire-page[aria-disabled]").count()).toBe(0);
}

/** Presses a button twice with the mouse, as a double click does, without a move in between. */
export async function clickTwice(page: Page, button: Locator, pause: number): Promise<void> {
  const box = await button.boundingBox();
  if (box === null) throw new Error("there is no button");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x - 5, y);
  await page.mouse.move(x, y);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await page.waitForTimeout(pause);
  const clickCount = pause < 500 ? 2 : 1;
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}
