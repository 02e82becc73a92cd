/**
 * Runs a command of an editor by the palette, where its title is exactly this. Typed again until found: commands of
 * extensions come after the workbench, and a key that is pressed before it is there goes nowhere.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} title
 */
export async function runCommand(page, title) {
  const row = page.locator(".quick-input-list .monaco-list-row").filter({
    has: page.locator(".label-name", { hasText: new RegExp(`^${title}$`) }),
  });
  const input = page.locator(".quick-input-widget input.input");
  for (let attempt = 0; ; attempt++) {
    await page.keyboard.press("F1");
    try {
      await input.fill(`>${title}`, { timeout: 3_000 });
      await row.first().waitFor({ timeout: 3_000 });
      break;
    } catch (error) {
      if (attempt === 20) throw error;
      await page.keyboard.press("Escape");
    }
  }
  await row.first().click();
}
