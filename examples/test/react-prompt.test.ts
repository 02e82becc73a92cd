import { beforeAll, describe, expect, test } from "vitest";
import { wantAccessible } from "./accessible.js";
import { inputMethod } from "./input-method.js";
import { buildTalk, log, message, openTalk, prompt, tell } from "./talk-page.js";
import { testBrowser } from "./test-browser.js";

const browser = testBrowser();
let folder: string;

beforeAll(async () => {
  folder = await buildTalk(browser);
});

const open = (touch?: boolean) => openTalk(browser, folder, touch);

describe("the prompt in a browser", () => {
  test("the prompt is sent by Enter, and begins a line with Shift-Enter", async () => {
    const { page, complaints } = await open();
    await message(page).pressSequentially("one");
    await message(page).press("Shift+Enter");
    await message(page).pressSequentially("two");
    expect(await message(page).inputValue()).toBe("one\ntwo");
    expect(await page.locator("output").textContent()).toBe("one\ntwo");
    await wantAccessible(page);
    await message(page).press("Enter");
    await log(page).getByText("You said: one").waitFor();
    await expect.poll(() => message(page).inputValue()).toBe("");
    expect(await page.locator("output").textContent()).toBe("");
    expect(complaints).toEqual([]);
  });

  test("the prompt is sent only by its button where keys are on the glass", async () => {
    const { page } = await open(true);
    await message(page).pressSequentially("one");
    await message(page).press("Enter");
    await message(page).pressSequentially("two");
    expect(await message(page).inputValue()).toBe("one\ntwo");
    await page.getByRole("button", { name: "Send" }).tap();
    await log(page).getByText("You said: one").waitFor();
  });

  test("the prompt reaches the agent in the running turn, which can be cancelled", async () => {
    const { page } = await open();
    expect(await page.getByRole("button", { name: "Cancel the turn" }).count()).toBe(0);
    await prompt(page, "wait");
    await log(page).getByText("I wait.").waitFor();
    await message(page).fill("hurry");
    await page.getByRole("button", { name: "Say it now" }).click();
    await expect.poll(() => message(page).inputValue()).toBe("");
    await wantAccessible(page);
    await page.getByRole("button", { name: "Cancel the turn" }).click();
    await log(page).getByText("Cancelled.").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
  });

  test("the prompt shows text that could not be sent above the box, with the reason, to be put back", async () => {
    const { page } = await open();
    await prompt(page, "wait");
    await log(page).getByText("I wait.").waitFor();
    await prompt(page, "/clear all");
    await page.getByText("Not sent: ").waitFor();
    expect(await message(page).inputValue()).toBe("");
    await page.getByRole("button", { name: "Put back" }).click();
    expect(await message(page).inputValue()).toBe("/clear all");
    expect(await page.getByText("Not sent: ").count()).toBe(0);
    await wantAccessible(page);
    await tell(page, "setOff", true);
    await message(page).press("Enter");
    expect(await page.getByRole("button", { name: "Say it now" }).isDisabled()).toBe(true);
    expect(await message(page).inputValue()).toBe("/clear all");
  });

  test("the prompt is never locked: keys pressed right after Enter are the next message, and both arrive in order", async () => {
    const { page } = await open();
    await message(page).fill("one");
    await Promise.all([page.keyboard.press("Enter"), page.keyboard.type("my second message")]);
    expect(await message(page).inputValue()).toBe("my second message");
    await message(page).press("Enter");
    await log(page).getByText("You said: one").waitFor();
    await log(page).getByText("my second message", { exact: true }).first().waitFor();
  });

  test("the prompt leaves words that did not arrive above what was written since, to be put back or discarded", async () => {
    const { page } = await open();
    await prompt(page, "wait");
    await log(page).getByText("I wait.").waitFor();
    for (const command of ["/clear all", "/clear more"]) {
      await message(page).fill(command);
      await Promise.all([page.keyboard.press("Enter"), page.keyboard.type("words")]);
      await page.getByRole("button", { name: "Put back" }).last().waitFor();
    }
    await expect.poll(() => page.getByText("Not sent: ").count()).toBe(2);
    await wantAccessible(page);
    expect(await page.locator("output").textContent()).toBe("/clear all\n/clear more\nwords");
    await page.getByRole("button", { name: "Put back" }).first().click();
    expect(await message(page).inputValue()).toBe("/clear all\nwords");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByText("Not sent: ").count()).toBe(0);
    expect(await page.locator("output").textContent()).toBe("/clear all\nwords");
  });

  test("the prompt completes the session's commands, by keys and by a click", async () => {
    const { page } = await open();
    // Newer browsers give a promise, which no effect may return.
    await page.evaluate(() => {
      const { scrollIntoView } = Element.prototype;
      Element.prototype.scrollIntoView = async function (options) {
        scrollIntoView.call(this, options);
      };
    });
    const options = page.getByRole("listbox", { name: "Commands" }).getByRole("option");
    await message(page).pressSequentially("/");
    await page.getByText("2 commands").waitFor();
    await wantAccessible(page);
    await message(page).press("ArrowDown");
    expect(await options.filter({ hasText: "/clear" }).getAttribute("aria-selected")).toBe("true");
    await message(page).press("Enter");
    expect(await message(page).inputValue()).toBe("/clear ");
    await message(page).pressSequentially("all");
    await message(page).press("Enter");
    await log(page).getByText("Cleared all.").waitFor();
    await message(page).pressSequentially("/su");
    // A finger that comes down to scroll takes nothing.
    const text = await message(page).inputValue();
    await options.filter({ hasText: "/compact" }).dispatchEvent("pointerdown");
    expect(await message(page).inputValue()).toBe(text);
    await options.filter({ hasText: "/compact" }).click();
    await expect.poll(() => message(page).inputValue()).toBe("/compact ");
    await message(page).fill("/c");
    await message(page).press("Escape");
    expect(await options.count()).toBe(0);
    expect(await message(page).inputValue()).toBe("/c");
  });

  test("the prompt completes a command that the agent has gained since, and none that it has lost", async () => {
    const { page, commands, session } = await open();
    await message(page).pressSequentially("/");
    await page.getByText("2 commands").waitFor();
    commands.splice(0, 2, { name: "mcp.review", description: "Reviews", run: async () => {} });
    session.commandsChanged();
    await page.getByText("1 command", { exact: true }).waitFor();
    const more = Array.from({ length: 30 }, (_, at) => ({
      name: `x${at}`,
      description: "",
      run: async () => {},
    }));
    commands.push(...more);
    session.commandsChanged();
    await page.getByText("31 commands", { exact: true }).waitFor();
    await message(page).press("ArrowUp");
    const list = await page.getByRole("listbox").boundingBox();
    const last = await page.getByRole("option", { selected: true }).boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0));
    await message(page).pressSequentially("mcp.re");
    await message(page).press("Tab");
    expect(await message(page).inputValue()).toBe("/mcp.review ");
  });

  test("the prompt is not sent by the keys of an input method", async () => {
    const { page } = await open();
    await message(page).focus();
    const keys = await inputMethod(page);
    await keys.compose("ni");
    await keys.enter();
    await keys.choose("你好");
    expect(await message(page).inputValue()).toBe("你好");
    await message(page).press("Enter");
    await log(page).getByText("You said: 你好").waitFor();
    expect(await log(page).getByText("ni", { exact: true }).count()).toBe(0);
  });

  test("the prompt is on the page of the example, with the conversation and its cards", async () => {
    const { page, complaints } = await openTalk(browser, await buildTalk(browser, "conversation.tsx"));
    await prompt(page, "story");
    await page.getByLabel("Shop").click();
    await page.getByRole("button", { name: "Send answer" }).click();
    await log(page).getByText("It is called Shop.").waitFor();
    expect(complaints).toEqual([]);
  });

  test("the prompt has a switch for plan mode", async () => {
    const { page } = await open();
    await page.getByRole("switch", { name: "Plan first" }).click();
    await log(page).getByText("Plan mode is on.").waitFor();
    expect(await page.getByRole("switch", { name: "Plan first" }).isChecked()).toBe(true);
    await tell(page, "setLanguage", "zh");
    await page.getByRole("switch", { name: "先做计划" }).click();
    await page.getByText("计划模式已关闭。").waitFor();
  });
});
