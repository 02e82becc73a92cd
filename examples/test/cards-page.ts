import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { join } from "node:path";
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { type Agent, ApprovalRequest, QuestionRequest, wireSend } from "@askwire/server";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { TestBrowser } from "./test-browser.js";

/** Forbids all that the components do not need, text as markup among it. */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src ws://127.0.0.1:*",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types 'none'",
].join("; ");
const types = { "/": "text/html", "/page.js": "text/javascript", "/theme.css": "text/css" };

/** Serves the three files of a page under the strictest policy. */
export const strictServer = (folder: string) =>
  createHttpServer(async ({ url = "" }, response) => {
    const type = types[url as keyof typeof types];
    if (type === undefined) return response.writeHead(404).end();
    const headers = { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy };
    response.writeHead(200, headers).end(await readFile(join(folder, url === "/" ? "index.html" : url)));
  });

type Question = ConstructorParameters<typeof QuestionRequest>[0];
export type Approval = Omit<ConstructorParameters<typeof ApprovalRequest>[0], "tool_call_id">;

/** The request that the agent puts when it is prompted, and how it ended. */
const asked = new Map<string, Omit<Question, "tool_call_id"> | Approval>();
const agent: Agent = {
  async run(turn) {
    const init = asked.get(String(turn.input));
    if (init === undefined) throw new Error(`no request ${turn.input}`);
    const request =
      "questions" in init
        ? new QuestionRequest({ ...init, tool_call_id: turn.id })
        : new ApprovalRequest({ ...init, tool_call_id: turn.id });
    wireSend(request);
    const told =
      request instanceof QuestionRequest ? (await request.waitForAnswer()).items : await request.wait();
    const { status, reason, note } = request.outcome ?? {};
    turn.say(JSON.stringify({ told, status, reason, note }));
  },
};

/**
 * Opens the page in this folder on a session, with a client beside the page that prompts.
 *
 * @param connections the number of connections that the page opens. Default: 1.
 */
export async function openCards(
  browser: TestBrowser,
  folder: string,
  size = { width: 800, height: 900 },
  connections = 1,
) {
  const { page, complaints, session, wire } = await browser.open({
    ...{ agent, size, files: strictServer(folder) },
  });
  await expect.poll(() => session.connections).toBe(connections);
  const other = await connectWebSocket(wire, { profile: "extended" });
  browser.ends.push(() => other.close());
  return { page, complaints, other, wire };
}

/**
 * Has the agent put a request. Resolves once its card is there, with the end as the agent saw it.
 *
 * @param card the selector of what shows it. Default: one of our cards that takes presses.
 */
export async function ask(
  page: Page,
  other: ClientSession,
  init: Omit<Question, "tool_call_id"> | Approval,
  card = "section.askwire-card fieldset:enabled",
) {
  const key = String(asked.size);
  asked.set(key, init);
  const turn = other.prompt(key);
  const ended = (async () => {
    let said = "";
    for await (const event of turn) {
      if (event.type === "ContentPart" && event.payload.type === "text") said += event.payload.text;
    }
    return JSON.parse(said) as { told: unknown; status: string; reason?: string; note?: string };
  })();
  // A test that fails leaves the turn as it is.
  ended.catch(() => {});
  await page.locator(card).first().waitFor();
  return { ended };
}
