import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** The page's problems as axe finds them, by these rules only, if any are named. */
async function problems(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const { violations } = await page.evaluate(
    (options) => (globalThis as unknown as { axe: Axe }).axe.run(options),
    { resultTypes: ["violations"], ...(rules.length > 0 && { runOnly: [...rules] }) },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Looks at the page by all rules, and at its colours in the other theme too. */
async function wantNoProblems(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await problems(page), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await problems(page, ["color-contrast", "link-in-text-block"]), "dark").toEqual([]);
}

/** Looks at the page by all rules of axe, and for what does not fit into 320 px. */
export async function wantAccessible(page: Page): Promise<void> {
  await wantNoProblems(page);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(320);
  if (before) await page.setViewportSize(before);
}
