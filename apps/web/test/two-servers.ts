import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import type { BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { TestBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { openWay, type Way } from "../../cli/test/panel/served.js";
import { type Opened, openPage } from "./served-page.js";

/** A second server, which lets the page of the first one in. */
export interface OtherServer extends Pick<Way, "cut" | "mend"> {
  readonly origin: string;
  /** The host with the port, as the page names the server. */
  readonly host: string;
  readonly token: string;
  /** The address of the page with the token, as the server printed it. */
  readonly address: string;
  /** A client of the server's session that shows nothing. */
  readonly client: ClientSession;
  /** Kills the server, and starts one at the same place with another token and another session. */
  replace(): Promise<void>;
}

const TOKENS = ["the-token-of-the-other-server", "the-token-of-its-successor"] as const;

interface BothOptions {
  readonly script?: readonly string[];
  readonly otherScript?: readonly string[];
  /** The id of the session of both servers. Default: a new one each. */
  readonly session?: string;
  readonly context?: BrowserContextOptions;
}

/** Opens the page of a server that may reach another one, which runs too. */
export async function openBoth(
  browser: TestBrowser,
  { script = [], otherScript = [], session, context }: BothOptions = {},
): Promise<Opened & { readonly there: OtherServer }> {
  const named = session === undefined ? [] : ["--session", session];
  let there: OtherServer | undefined;
  const opened = await openPage(browser, script, context, async (origin) => {
    there = await serveOther(otherScript, [...named, "--allow-origin", origin]);
    return [...named, "--page-server", there.origin];
  });
  return { ...opened, there: there as OtherServer };
}

async function serveOther(script: readonly string[], options: readonly string[]): Promise<OtherServer> {
  const way = await openWay();
  const cwd = await folderWith({ "script.json": JSON.stringify(script) });
  const env = { ...process.env, ASKWIRE_HOME: cwd };
  async function start(token: string, port: string, more: readonly string[]) {
    await writeFile(join(cwd, "token"), token);
    const args = ["--script", "script.json", "--token-file", "token", ...more];
    return await startServe(args, { cwd, env, port });
  }
  const [token, next] = TOKENS;
  const served = await start(token, "0", options);
  const direct = await served.untilPrinted(/^ +(http:\S+)$/m);
  const client = await connectWebSocket(served.address);
  onTestFinished(() => client.close());
  const origin = `http://127.0.0.1:${way.port}`;
  return {
    ...{ origin, token, client, address: way.to(direct), host: `127.0.0.1:${way.port}` },
    ...{ cut: way.cut, mend: way.mend },
    async replace() {
      await client.close();
      served.child.kill("SIGKILL");
      await served.ended;
      await start(next, new URL(direct).port, options.slice(-2));
    },
  };
}

/** Adds the other server to the page by what a person pastes, and waits until the page is connected to it. */
export async function add(page: Page, pasted: string): Promise<void> {
  await page.getByRole("button", { name: /^Sessions/ }).click();
  await page.getByRole("button", { name: "Add a server", exact: true }).click();
  await page.getByLabel("Address or pairing code").fill(pasted);
  await page.keyboard.press("Enter");
  await page.locator("header > .line").getByText("Connected", { exact: true }).waitFor();
}
