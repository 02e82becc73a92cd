import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { reachOf } from "../../cli/src/reach/addresses.js";
import { askwire } from "../../cli/test/askwire.js";
import { opened } from "../../cli/test/reach/remote.js";
import { results } from "./served-page.js";

const browser = testBrowser();
const connected = (page: Page) => page.getByText("Connected", { exact: true }).waitFor();

test("a browser that --open opens is paired by its file, answers, and comes back after the server's death", async () => {
  const one = await opened();
  const { page, complaints } = await browser.newPage({});
  await page.goto(one.arg);
  await connected(page);
  const { origin, pathname, hash } = new URL(page.url());
  const place = new URL(one.address).pathname.replace("/wire/", "/s/");
  expect([origin, pathname, hash]).toEqual([new URL(one.page).origin, place, ""]);
  const other = await connectWebSocket(one.address);
  const told = results(other);
  await page.getByLabel("Red").click();
  await page.getByRole("button", { name: "Send answer", exact: true }).click();
  expect((await told).join()).toContain("Red");
  await other.close();
  expect(complaints).toEqual([]);

  const { port } = new URL(origin);
  await one.stop();
  const session = new URL(one.address).pathname.replace("/wire/", "");
  await opened(["--session", session], { home: one.share, port });
  await page.reload();
  await connected(page);
});

test("a phone is paired by the typed code, and once it is revoked the page says so and gives all that was not sent", async () => {
  const { page: address, address: wire, share, stop } = await opened();
  const { origin, hash } = new URL(address);
  const code = new URLSearchParams(hash.slice(1)).get("code") as string;
  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
  phone.page.setDefaultTimeout(20_000);
  await phone.page.goto(origin);
  await phone.page.getByLabel("Address or pairing code").fill(code.toLowerCase());
  await phone.page.keyboard.press("Enter");
  await connected(phone.page);
  await phone.page.getByRole("button", { name: "Remember this device", exact: true }).click();
  await phone.page.getByText("This device is paired and remembered.").waitFor();
  expect(await phone.page.evaluate(() => Object.keys(localStorage))).toHaveLength(2);
  await phone.page.getByRole("button", { name: "Settings", exact: true }).click();
  const remembers = phone.page.getByLabel("Remember this device");
  expect(await remembers.isChecked()).toBe(true);
  await remembers.uncheck();
  await phone.page.getByText("This device is paired until the tab is closed.").waitFor();
  const env = { ASKWIRE_HOME: share };
  const { id, name } = JSON.parse((await askwire(["devices", "list", "--json"], { env })).stdout);
  expect(name).toBe("Chrome on Linux");

  const second = await browser.newPage({});
  await second.page.goto(address);
  await second.page.getByText("The pairing code is wrong, was used before, or is too old.").waitFor();

  // All that is typed and begun is still to be had.
  await phone.page.getByRole("button", { name: "Close", exact: true }).click();
  const other = await connectWebSocket(wire);
  results(other).catch(() => {});
  await phone.page.getByRole("button", { name: /Which colour/ }).click();
  await phone.page.getByLabel("In your own words").last().fill("neither of them");
  await phone.page.getByRole("button", { name: "Put aside to read" }).click();
  await phone.page.getByRole("textbox", { name: "Message" }).fill("and one more thing");

  await askwire(["devices", "revoke", id], { env });
  await phone.page.getByRole("heading", { name: "This device was revoked." }).waitFor();
  await phone.page.getByText("neither of them").filter({ visible: true }).first().waitFor();
  expect(await phone.page.getByLabel("Not sent to the agent").inputValue()).toBe("and one more thing");
  await wantAccessible(phone.page);
  await phone.page.reload();
  await phone.page.getByRole("heading", { name: "This device was revoked." }).waitFor();
  expect(await phone.page.getByLabel("Not sent to the agent").inputValue()).toBe("and one more thing");
  await phone.page.getByRole("button", { name: "Enter a new pairing code" }).click();
  await phone.page.getByLabel("Address or pairing code").waitFor();
  expect(await phone.page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)])).toEqual([
    [],
    [],
  ]);
  await other.close();
  expect(await stop()).toBe("");
});

const [network] = reachOf("0.0.0.0", undefined).hosts;

test.skipIf(network === "127.0.0.1")(
  "a phone in the network is paired and answers without TLS, where the browser has less to offer",
  async () => {
    const one = await opened(["--listen", "0.0.0.0:0", "--allow-remote"]);
    const { page, complaints } = await browser.newPage({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    const { port, hash } = new URL(one.page);
    await page.goto(`http://${network}:${port}/${hash}`);
    await connected(page);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    const other = await connectWebSocket(one.address);
    const told = results(other);
    await page.getByLabel("Blue").tap();
    await page.getByRole("button", { name: "Send answer", exact: true }).tap();
    expect((await told).join()).toContain("Blue");
    await other.close();
    // Browsers say so where they ignore a header for want of TLS.
    expect(complaints.filter((line) => !line.startsWith("The Cross-Origin-Opener-Policy header"))).toEqual(
      [],
    );
  },
);
