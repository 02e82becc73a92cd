import { connectWebSocket } from "@askwire/client/websocket";
import { createServer, standardErrorLog } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { deferred } from "../../scripts/deferred.js";
import { wantAccessible } from "./accessible.js";
import { buildTalk, log, openTalk, prompt, tell } from "./talk-page.js";
import { talkingAgent } from "./talking-agent.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildTalk(browser);
});

const open = () => openTalk(browser, folder);
const status = (page: Page) => page.locator(".askwire-transcript > [role=status]");

describe("a conversation in a browser", () => {
  test("a conversation shows words, thoughts, calls, sub-agents, plans, and what was asked and answered", async () => {
    const { page, complaints } = await open();
    await prompt(page, "story");
    await page.getByLabel("Stall").click();
    await page.getByRole("button", { name: "Send answer", exact: true }).click();
    await log(page).getByText("It is called Stall.").waitFor();
    const said = await log(page).textContent();
    for (const text of [
      "Youstory",
      "Story",
      "Look around (done)",
      "Plan (plan.md)",
      "Which <b>name</b>?↩ Stall",
    ])
      expect(said).toContain(text);
    expect(said).not.toContain("I look around first.");
    await log(page).getByText("Thoughts").click();
    await log(page).getByText("I look around first.").waitFor();
    await log(page).getByText("ls -l").click();
    await log(page).getByText("<b>b.txt</b>").waitFor();
    await log(page).getByRole("row").first().waitFor();
    await log(page).getByText("Sub-agent scout").click();
    await log(page).getByText("It has one line.").first().waitFor();
    expect(
      await log(page)
        .getByRole("heading", { name: "Story" })
        .evaluate(({ tagName }) => tagName),
    ).toBe("H3");
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });

  test("a conversation says who answered elsewhere and what was not shown there, as the card does, in the page's language", async () => {
    const { page, wire } = await open();
    const { promise: mayAnswer, resolve: answer } = deferred();
    const rival = await connectWebSocket(wire, {
      profile: "base",
      client: { name: "editor\u202e" },
      handlers: {
        async question() {
          await mayAnswer;
          return { answers: { "Which theme?": "Night" } };
        },
      },
    });
    browser.ends.push(() => rival.close());
    await prompt(page, "rich");
    await page.getByLabel("Night").waitFor();
    answer();
    const lost = "previews, that only the options count, the time limit";
    await page
      .getByText(`Somebody in editor\\u{202e} answered it. Not shown there: ${lost}.`, { exact: true })
      .waitFor();
    await log(page)
      .getByText(`by somebody in editor\\u{202e}, not shown there: ${lost}`, { exact: true })
      .waitFor();
    await wantAccessible(page);
    await tell(page, "setLanguage", "zh");
    await page
      .getByText("来自 editor\\u{202e} 中的用户，对方未看到：预览、只能选择选项、时限", { exact: true })
      .waitFor();
  });

  test("a conversation is complete for a page that joins in the middle of a turn, and continues there without repeats", async () => {
    const { page, wire, go } = await open();
    const other = await connectWebSocket(wire, { profile: "extended", client: { name: "terminal" } });
    browser.ends.push(() => other.close());
    other.prompt("slow").result.catch(() => {});
    await log(page).getByText("slow").waitFor();
    go("One, ");
    await log(page).getByText("One,").waitFor();
    await page.reload();
    await log(page).getByText("One,").waitFor();
    expect(await log(page).getAttribute("aria-busy")).toBe("true");
    await other.steer("hurry");
    go("two.");
    await log(page).getByText("One, two.", { exact: true }).waitFor();
    await log(page).getByText("hurry").waitFor();
    go();
    await expect.poll(() => log(page).getAttribute("aria-busy")).toBe("false");
    expect(await log(page).textContent()).toMatch(
      /^somebody in terminalslowOne, two\.↪ said meanwhilehurryFinished/,
    );
  });

  test("a conversation starts again with a server that was restarted and has kept nothing", async () => {
    const { page, session, gateway, wire } = await open();
    await prompt(page, "hello");
    await log(page).getByText("You said: hello").waitFor();
    await gateway.close();
    const server = createServer({ agent: talkingAgent().agent, log: standardErrorLog("error") });
    server.createSession({ id: session.id, stay: true });
    const next = await listenWebSocket(server, {
      ...{ port: Number(new URL(wire).port), token: gateway.token },
      allowOrigins: [new URL(page.url()).origin],
    });
    browser.ends.push(
      () => server.close(),
      () => next.close(),
    );
    await expect.poll(() => log(page).textContent()).toBe("");
    await prompt(page, "again");
    await log(page).getByText("You said: again").waitFor();
    expect(await log(page).textContent()).toMatch(/^YouagainYou said: againFinished/);
  });

  test("a conversation is not read aloud piece by piece: one status says that the agent answers, and then its last words", async () => {
    const { page, go } = await open();
    expect(await log(page).getAttribute("aria-live")).toBe("off");
    expect(await status(page).textContent()).toBe("");
    await prompt(page, "slow");
    await status(page).getByText("The agent works.").waitFor();
    go("All is ");
    await status(page).getByText("The agent answers.").waitFor();
    go("well.");
    go();
    await status(page).getByText("All is well.").waitFor();
    await prompt(page, "long");
    await status(page).getByText("The agent has finished: 200 paragraphs.").waitFor();
  });

  test("a conversation stays at its end while the reader is there, and has a button to go there", async () => {
    const { page, go } = await open();
    const fromEnd = () =>
      log(page).evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
    await prompt(page, "long");
    await log(page).getByText("Paragraph 199").waitFor();
    await expect.poll(fromEnd).toBeLessThanOrEqual(1);
    expect(await page.getByRole("button", { name: "To the end" }).count()).toBe(0);
    await log(page).hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole("button", { name: "To the end" }).waitFor();
    const before = await log(page).evaluate((box) => box.scrollTop);
    await prompt(page, "slow");
    go("More");
    await expect.poll(() => log(page).textContent()).toContain("More");
    expect(await log(page).evaluate((box) => box.scrollTop)).toBe(before);
    await wantAccessible(page);
    await page.getByRole("button", { name: "To the end" }).click();
    await expect.poll(fromEnd).toBeLessThanOrEqual(1);
    go("\n\nand more");
    await log(page).getByText("and more").waitFor();
    await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  });

  test("a conversation keeps in sight what is opened at its end", async () => {
    const { page } = await open();
    await prompt(page, "long");
    await log(page).getByText("Paragraph 199").waitFor();
    await prompt(page, "call");
    const call = log(page).locator("summary").filter({ hasText: "Shell" });
    await call.waitFor();
    expect(await page.getByRole("button", { name: "To the end" }).count()).toBe(0);
    await call.focus();
    await page.keyboard.press("Enter");
    await log(page).getByText("<b>b.txt</b>").waitFor();
    await page.getByRole("button", { name: "To the end" }).waitFor();
    const [box, line] = await Promise.all([log(page).boundingBox(), call.boundingBox()]);
    expect(line?.y).toBeGreaterThanOrEqual(box?.y ?? Number.POSITIVE_INFINITY);
  });

  test("a conversation shows foreign words as text, even lines of 100 kB", async () => {
    const { page, complaints } = await open();
    await prompt(page, "foreign \u202e");
    await log(page).getByText("You said: foreign \\u{202e}").waitFor();
    await prompt(page, "foreign");
    await log(page).getByText("<img src=x onerror=alert(1)>").waitFor();
    await log(page).locator("summary").filter({ hasText: "Said\\u{202e}" }).click();
    await log(page).getByText("<script>alert(1)</script>").first().waitFor();
    expect(await log(page).getByRole("img").count()).toBe(0);
    expect(await log(page).getByRole("link").count()).toBe(0);
    expect(await log(page).evaluate(({ textContent }) => textContent?.includes("\u202e"))).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
    expect(complaints).toEqual([]);
  });

  test("a conversation sets words from the side where their script begins", async () => {
    const { page } = await open();
    await prompt(page, "مرحبا بك");
    const side = (words: Locator) => words.evaluate((said) => getComputedStyle(said).direction);
    // The words stand there as being sent first, in an element of its own.
    await log(page).getByText("You said: ").waitFor();
    expect(await side(log(page).getByText("مرحبا بك", { exact: true }))).toBe("rtl");
    expect(await side(log(page).getByText("You said: "))).toBe("ltr");
  });

  test("a conversation says in the page's language how a turn ended", async () => {
    const { page } = await open();
    const chinese = page.getByRole("log", { name: "对话" });
    await prompt(page, "wait");
    await tell(page, "setLanguage", "zh");
    await chinese.getByText("I wait.").waitFor();
    await page.getByRole("button", { name: "取消本轮" }).click();
    await chinese.getByText("已取消。").waitFor();
    expect(await chinese.textContent()).toBe("你waitI wait.已取消。");
  });
});
