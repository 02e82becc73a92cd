import type { Locator, Page } from "playwright-core";
import type { Pace, Person } from "./person.js";

/** The time for what a person expects to see, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A person at the page, who opens any row of the inbox and answers its card by the mouse. */
export function pagePerson(name: string, page: Page, { random, think }: Pace): Person {
  const inbox = page.getByRole("region", { name: "Waiting for you" });
  const rows = inbox.locator("li");
  const dock = page.locator(".dock");
  const send = dock.getByRole("button", { name: "Send answer", exact: true });
  const approve = dock.getByRole("button", { name: "Approve once", exact: true });
  const over = dock.getByText(/No longer open| answered it\.| approved it\.|is over/).first();
  const back = page.getByRole("button", { name: /^Inbox/ });
  const shows = (what: Locator) => what.isVisible();

  async function answers(): Promise<void> {
    await send.or(approve).or(over).first().waitFor({ timeout: PATIENCE_MS });
    await think();
    // Somebody else may be quicker at any moment: a person sees that and goes back.
    if (await shows(approve)) return approve.click({ timeout: PATIENCE_MS });
    if (!(await shows(send))) return;
    const choices = dock.getByRole("radio").or(dock.getByRole("checkbox"));
    await choices.nth(Math.floor(random() * 2)).check({ timeout: PATIENCE_MS });
    await send.click({ timeout: PATIENCE_MS });
  }

  return {
    name,
    async step() {
      if (!(await shows(inbox)) && (await shows(back))) await back.click();
      await inbox.waitFor({ timeout: PATIENCE_MS });
      const mine = rows.filter({ hasNotText: /only .* may answer|taken it|you have approved/ });
      const count = await mine.count();
      if (count === 0) return think();
      const row = mine.nth(Math.floor(random() * count)).locator("strong");
      try {
        await row.click({ timeout: PATIENCE_MS });
        await answers();
      } catch (error) {
        // A row, or a card, that went away under the hand.
        if (await shows(over)) return;
        if ((await shows(inbox)) && !(await shows(send.or(approve).first()))) return;
        throw error;
      }
      await think();
    },
    async anew() {
      await page.reload();
    },
    screen: async () => (await page.locator("body").ariaSnapshot()).slice(0, 3_000),
  };
}
