import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { colour, gatewayOf, newHome, untilThere } from "../../cli/test/mcp/hosts.js";
import { hostsFolder, startRealHost } from "./host-run.js";
import { realHosts } from "./real-hosts.js";

const browser = testBrowser();

for (const host of realHosts) {
  test.skipIf(hostsFolder === undefined)(
    `${host.name} asks by the tool of askwire mcp, is answered on the page while it waits, and continues`,
    async () => {
      const home = await newHome();
      const asks = { tool: "ask_user_question", given: { questions: [colour] } };
      const { ended, printed, told } = await startRealHost(host, home, [asks]);
      const { address } = await untilThere(() => gatewayOf(home));
      const { page } = await browser.newPage({});
      const { host: place, hash, pathname } = new URL(address);
      await page.goto(`http://${place}/#token=${hash.slice(1)}&session=${pathname.split("/").at(-1)}`);
      const dock = page.locator(".dock");
      await page.getByLabel("Blue").check();
      expect(await dock.textContent()).toMatch(new RegExp(`${host.asker} in .* asks`));
      await dock.getByRole("button", { name: "Send answer", exact: true }).click();
      expect(await ended).toEqual([0, null]);
      expect(printed()).toContain("All done.");
      expect(told().join()).toContain("Blue");
    },
  );
}
