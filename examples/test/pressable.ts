import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the cards of the page have been in sight for as long as they take no press. */
export async function untilPressable(page: Page): Promise<void> {
  await expect.poll(() => page.locator(".askwire-page[aria-disabled]").count()).toBe(0);
}
