import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { BrowserContextOptions } from "playwright-core";
import type { TestBrowser } from "../../../examples/test/test-browser.js";
import buildPage from "../build.mjs";

/** Opens the page on a session of an agent, with a client beside it that prompts. */
export async function pageOf(browser: TestBrowser, agent: Agent, context: BrowserContextOptions = {}) {
  const files = await browser.folder();
  await buildPage(files);
  const server = createServer({ agent });
  const gateway = await listenWebSocket(server, { page: files, pageServers: [] });
  const session = server.createSession({ stay: true });
  const wire = gateway.address(session);
  const other = await connectWebSocket(wire);
  browser.ends.push(
    () => server.close(),
    () => gateway.close(),
    () => other.close(),
  );
  const { host, hash } = new URL(wire);
  const { page, complaints } = await browser.newPage(context);
  await page.goto(`http://${host}/#token=${hash.slice(1)}&session=${session.id}`);
  await page.getByText("Connected", { exact: true }).waitFor();
  return { page, complaints, other };
}
