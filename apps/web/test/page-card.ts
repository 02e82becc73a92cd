import type { Page } from "playwright-core";
import { untilPressable } from "../../../examples/test/pressable.js";
import { gatewayOf, untilThere } from "../../cli/test/mcp/hosts.js";

/** Opens the page on the gateway of a home, once that runs. */
export async function openPageOf(home: string, page: Page): Promise<void> {
  const { address } = await untilThere(() => gatewayOf(home));
  const { host, hash, pathname } = new URL(address);
  await page.goto(`http://${host}/#token=${hash.slice(1)}&session=${pathname.split("/").at(-1)}`);
}

/** The card of the page, and the ways in which a person answers it. Programs of others take their time to ask. */
export function cardOf(page: Page) {
  const dock = page.locator(".dock");
  const press = async (name: string | RegExp) => {
    const found = dock.getByRole("button", { name, exact: true });
    await found.waitFor({ timeout: 120_000 });
    await untilPressable(page);
    await found.click();
  };
  return {
    /** Resolves once a card shows these words. */
    shows: (words: string | RegExp) => dock.getByText(words).first().waitFor({ timeout: 120_000 }),
    /** Resolves once the card with these words says that somebody else has answered, and puts it away. */
    async untilOver(words: string) {
      const over = page.locator("[data-askwire-request]", { hasText: words });
      await over.getByText("No longer open").waitFor({ timeout: 120_000 });
      await over.getByRole("button", { name: "Close", exact: true }).click();
    },
    /** Checks an option of a question. */
    pick: (label: string) => dock.getByLabel(label).check({ timeout: 120_000 }),
    press,
    /** Approves, by the name of the product or of Claude's own option. */
    approve: () => press(/^(?:Approve(?: once)?|Yes)$/),
    async choose(label: string) {
      await dock.getByLabel(label).check({ timeout: 120_000 });
      await press("Send answer");
    },
    async reject(words: string) {
      await press("Reject…");
      await page.getByLabel("Why not?").fill(words);
      await press("Reject with these words");
    },
    async edit(text: string) {
      await press("Edit first");
      await page.getByLabel(/^(?:The text that is approved|What is written to )/).fill(text);
      await press("Approve my version");
    },
    async always() {
      const name = /^Approve, and from now on /;
      await dock.getByRole("radio", { name }).check({ timeout: 120_000 });
      await press(name);
    },
  };
}
