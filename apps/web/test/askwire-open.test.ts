import { existsSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startAskwire } from "../../cli/test/askwire.js";
import { colour, gatewayOf, newHome, startHost, untilThere } from "../../cli/test/mcp/hosts.js";

const browser = testBrowser();

/** An opener of files that notes where the file leads, in place of the system's. */
async function opener() {
  const folder = await folderWith({
    "xdg-open":
      '#!/bin/sh\ncp "${1#file://}" "$(dirname "$0")/opened.part"\nmv "$(dirname "$0")/opened.part" "$(dirname "$0")/opened"\n',
  });
  await chmod(join(folder, "xdg-open"), 0o755);
  const opened = () => {
    const file = join(folder, "opened");
    if (!existsSync(file)) return undefined;
    return /url=([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1]?.replaceAll("&amp;", "&");
  };
  return { path: `${folder}${delimiter}${process.env.PATH}`, opened };
}

test("askwire open pairs the browser by a code that counts once, and the call is answered on the page", async () => {
  const home = await newHome();
  const host = await startHost(home);
  const called = host.call("ask_user_question", { questions: [colour] });
  const { path, opened } = await opener();
  const env = { ...process.env, ASKWIRE_HOME: home, PATH: path };
  const { ended } = startAskwire(["open"], { env });
  const address = await untilThere(opened);
  expect(address).not.toContain(gatewayOf(home)?.token);
  const { page } = await browser.newPage({});
  await page.goto(address);
  await page.getByLabel("Blue").check();
  expect(await page.locator(".askwire-asker").textContent()).toMatch(/^test-host in .* asks$/);
  expect(await ended).toMatchObject({ stdout: "", stderr: "", status: 0 });
  await page.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click();
  expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Blue" } });
  const again = await fetch(`http://127.0.0.1:${gatewayOf(home)?.port}/pair`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: new URLSearchParams(new URL(address).hash.slice(1)).get("code") }),
  });
  expect(again.ok).toBe(false);
});
