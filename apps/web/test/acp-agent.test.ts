import { fileURLToPath } from "node:url";
import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { olderExample } from "../../../packages/relays/test/acp/older-sdk.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { openWay } from "../../cli/test/panel/served.js";
import { backOnline } from "./served-page.js";

const browser = testBrowser();
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** An agent on the SDK 2.4 that does what a prompt in JSON says. */
const scripted = [process.execPath, path("../../../packages/relays/test/acp/scripted-agent.mjs")];
/** The example agent of the SDK 1.9. */
const example = olderExample("agent.js");

/** The page on a session of an ACP agent, by a way that can be cut, and a second client of that session. */
async function openOn(agent: readonly string[]) {
  const way = await openWay();
  const cwd = await folderWith({ token: "the-token-of-all-page-tests" });
  const env = { ...process.env, ASKWIRE_HOME: cwd };
  const args = ["--token-file", "token", "--", ...agent];
  const served = await startServe(args, { cwd, env });
  const { page, complaints } = await browser.newPage({});
  await page.goto(way.to(await served.untilPrinted(/^ +(http:\S+)$/m)));
  await page.getByText("Connected", { exact: true }).waitFor();
  const asked: { readonly id: string; readonly signal: AbortSignal }[] = [];
  const other = await connectWebSocket(served.address, {
    shows: { approvalOptions: true, fields: true },
    handlers: {
      approval({ id }, { signal }) {
        asked.push({ id, signal });
        return new Promise(() => {});
      },
    },
  });
  onTestFinished(() => other.close());
  return { page, complaints, way, other, asked };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function prompt(page: Page, text: string): Promise<void> {
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill(text);
  await message.press("Enter");
}

const form = {
  mode: "form",
  message: "Where should the data live?",
  requestedSchema: {
    type: "object",
    required: ["database", "port"],
    properties: {
      database: { type: "string", title: "Database", oneOf: [{ const: "s", title: "SQLite" }] },
      port: { type: "integer", title: "Port", minimum: 1024 },
      backups: { type: "boolean", title: "Backups" },
    },
  },
};

describe("an agent of ACP in the page", () => {
  test("an ACP agent's form of several types is answered, and its values are checked in place", async () => {
    const { page, complaints } = await openOn(scripted);
    await prompt(page, JSON.stringify([["request", "elicitation/create", form]]));
    await page.getByLabel("SQLite").check();
    await button(page, "Next").click();
    const port = page.getByRole("textbox", { name: "Your answer" });
    await port.fill("80");
    await button(page, "Next").click();
    await page.getByText("Expected:").first().waitFor();
    await port.fill("8080");
    await button(page, "Next").click();
    await page.getByLabel("Yes").check();
    await button(page, "Next").click();
    await button(page, "Send 3 answers").click();
    const told = page.getByRole("log").getByText('"action":"accept"');
    expect(await told.textContent()).toContain('{"database":"s","port":8080,"backups":true}');
    expect(complaints).toEqual([]);
  });

  test("an ACP agent's permission request is answered with one of its options, and the other client is told", async () => {
    const { page, asked, complaints } = await openOn(example);
    await prompt(page, "hello");
    await button(page, "Allow this change").click();
    await page.getByRole("log").getByText("successfully updated the configuration").waitFor();
    await page.getByText("Nothing waits for you.").waitFor();
    expect(asked).toHaveLength(1);
    await expect.poll(() => asked[0]?.signal.aborted).toBe(true);
    expect(complaints).toEqual([]);
  });

  test("an ACP permission request open while the connection is cut is shown once, and gets its answer afterwards", async () => {
    const { page, way, asked } = await openOn(example);
    await prompt(page, "hello");
    await button(page, "Allow this change").waitFor();
    way.cut();
    await page.getByText(/^Next try in \d+ s$|^Trying again…$/).waitFor();
    way.mend();
    await backOnline(page);
    await page.getByText("Connected", { exact: true }).waitFor();
    expect(await button(page, "Allow this change").count()).toBe(1);
    await button(page, "Allow this change").click();
    await page.getByRole("log").getByText("successfully updated the configuration").waitFor();
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true]);
  });
});
