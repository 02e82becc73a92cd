import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Fails where a page of the height of its window can be scrolled into nothing, or a scroller holds text that is not clipped by it. */
export async function wantNothingBelow(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const isScroller = (element: Element) => {
      const { overflowY, overflowX } = getComputedStyle(element);
      return [overflowX, overflowY].some((how) => how === "auto" || how === "scroll");
    };
    const escaped = [...document.querySelectorAll<HTMLElement>(".askwire-unseen")].filter((unseen) => {
      if (unseen.offsetParent === null) return false;
      let box = unseen.parentElement;
      while (box !== null && !isScroller(box)) box = box.parentElement;
      return box !== null && !box.contains(unseen.offsetParent);
    });
    return { below: scrollHeight - clientHeight, escaped: escaped.slice(0, 3).map((one) => one.outerHTML) };
  });
  expect(found).toEqual({ below: 0, escaped: [] });
}
