import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { command, folderWith } from "../../cli/test/askwire.js";
import { colour, gatewayOf, newHome, untilThere } from "../../cli/test/mcp/hosts.js";
import { type RealHost, realHosts } from "./real-hosts.js";

const browser = testBrowser();

/** Starts a host, whose model asks once. */
async function startHost({ folder = "", program, configure }: RealHost, home: string) {
  const told: string[] = [];
  const cwd = await folderWith();
  const { args, env } = await configure({
    server: { command: [process.execPath, command, "mcp"], env: { ASKWIRE_HOME: home } },
    questions: [colour],
    cwd,
    heard: (conversation) => void told.push(conversation),
  });
  const bin = join(folder, "node_modules/.bin");
  const PATH = `${bin}:${process.env.PATH}`;
  const child = spawn(join(bin, program), args, {
    cwd,
    env: { ...process.env, PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      printed += text;
    });
  return { ended: once(child, "close"), printed: () => printed, told: () => told.join() };
}

for (const host of realHosts) {
  test.skipIf(host.folder === undefined)(
    `${host.name} asks by the tool of askwire mcp, is answered on the page while it waits, and continues`,
    async () => {
      const home = await newHome();
      const { ended, printed, told } = await startHost(host, home);
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
      expect(told()).toContain("Blue");
    },
  );
}
