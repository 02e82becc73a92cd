import type { Page } from "playwright-core";
import { buildCards } from "../react/build.mjs";
import { strictServer } from "./cards-page.js";
import { talkingAgent } from "./talking-agent.js";
import type { TestBrowser } from "./test-browser.js";

/** Builds a page with the conversation. Default: that of `mounted-transcript.tsx`. */
export const buildTalk = async (
  browser: TestBrowser,
  page = "../test/mounted-transcript.tsx",
): Promise<string> => buildCards(await browser.folder(), undefined, page);

/** Opens the page, with the agent of `talking-agent.ts` behind it. */
export async function openTalk(browser: TestBrowser, folder: string, touch = false) {
  const { agent, commands, go } = talkingAgent();
  const opened = await browser.open({ agent, files: strictServer(folder), touch });
  await message(opened.page).waitFor();
  return { ...opened, commands, go };
}

/** The place where a person writes. */
export const message = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Says something to the agent in the page's name. */
export async function prompt(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press("Enter");
}

/** The conversation. */
export const log = (page: Page) => page.getByRole("log", { name: "Conversation" });

/** Calls what the page has for tests. */
export const tell = (page: Page, name: "setLanguage" | "setOff", value: unknown) =>
  page.evaluate(
    ([called, to]) => (globalThis as never as Record<string, (to: unknown) => void>)[called as string]?.(to),
    [name, value],
  );
