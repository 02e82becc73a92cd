import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { openWindow } from "../../../../examples/test/test-editor.js";
import { type Editor, setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import packExtension from "../../package.mjs";
import { openView, startWithExtension } from "./editor.js";

const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

describe.skipIf(vsCode === undefined)("the packed extension in a real VS Code", () => {
  let editor: Editor;
  let file: string;

  beforeAll(async () => {
    if (vsCode === undefined) return;
    file = join(await browser.folder(), "askwire.vsix");
    await packExtension(file);
    editor = await startWithExtension(vsCode, file);
  }, 300_000);
  afterAll(() => editor?.end());

  const status = "[id='askwire.askwire-vscode.askwire.status']";

  /** A window on a folder, with a running agent. */
  async function begun(name: string, files: Record<string, string> = {}) {
    const window = await openView(browser, editor, await editor.folder(name, files));
    await window.run("Askwire: Start the Agent");
    await window.view.getByRole("textbox", { name: "Message" }).waitFor();
    return window;
  }

  test("a person answers by a card, a typed field and a quick pick", async () => {
    const { page, view, prompt, said, run } = await begun("answers");
    await prompt("choice");
    await view.getByLabel("SQLite").check();
    await view.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
    await said(/Result: .*SQLite/);

    await prompt("number");
    const field = view.getByRole("textbox", { name: "Your answer" });
    await field.fill("80");
    await view.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
    await view.getByText("Expected:").first().waitFor();
    await field.fill("8080");
    await view.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
    await said(/Result: .*8080/);

    await prompt("choice");
    await view.getByLabel("PostgreSQL").waitFor();
    await run("Askwire: Answer by Quick Pick");
    await page.locator(".quick-input-title", { hasText: "Which database?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(status, { hasText: "1" }).waitFor();
    await run("Askwire: Answer by Quick Pick");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "PostgreSQL" }).click();
    await said(/Result: .*PostgreSQL/);
  });

  test("an approval opens in the diff editor; closing it decides nothing, its title approves", async () => {
    const { page, view, prompt, said, file } = await begun("approval", { "cart.txt": "apples\n" });
    await prompt("write");
    const line = page.locator(".monaco-diff-editor .line-insert");
    await line.first().waitFor();
    const tab = page.getByRole("tab", { name: /cart\.txt/ });
    await tab.hover();
    await tab.locator(".codicon-close").click();
    await line.first().waitFor({ state: "detached" });
    await page.locator(status, { hasText: "1" }).waitFor();
    expect(await readFile(file("cart.txt"), "utf8")).toBe("apples\n");

    await view.getByRole("button", { name: "Show the difference in the editor" }).click();
    await line.first().waitFor();
    await page.locator(".editor-actions").getByRole("button", { name: "Approve" }).click();
    await said("Result: approve");
    expect(await readFile(file("cart.txt"), "utf8")).toBe("pears\n");
    await line.first().waitFor({ state: "detached" });
  });

  test("a question under a hidden view is told by a notification that only shows it", async () => {
    const { page, view, run } = await begun("hidden");
    await page
      .getByRole("tab", { name: /Explorer/ })
      .first()
      .click();
    await run("Askwire: Write to the Agent");
    await page.locator(".quick-input-title", { hasText: "Write to the agent" }).waitFor();
    await page.locator(".quick-input-widget input.input").fill("choice");
    await page.keyboard.press("Enter");
    const notice = page.locator(".notification-toast", { hasText: "Which database?" });
    const buttons = notice.locator(".notification-list-item-buttons-container").getByRole("button");
    await buttons.first().waitFor();
    expect(await buttons.allTextContents()).toEqual(["Show"]);
    await buttons.first().click();
    await view.getByLabel("SQLite").waitFor();
  });

  test("an agent that is killed is said to have ended, and a restart goes on", async () => {
    const { view, prompt } = await begun("killed");
    await prompt("who");
    const words = view.getByRole("log").getByText(/Result: \d+/);
    const pid = Number(/\d+/.exec((await words.textContent()) ?? "")?.[0]);
    process.kill(pid, "SIGKILL");
    await view.getByText("The agent has ended.").waitFor();
    await view.getByRole("button", { name: "Restart", exact: true }).click();
    await prompt("choice");
    await view.getByLabel("SQLite").waitFor();
  });

  test("two sessions of a window keep their own questions", async () => {
    const { view, prompt, run } = await begun("two");
    await prompt("choice");
    await view.getByLabel("SQLite").waitFor();
    await run("Askwire: New Session");
    const sessions = view.getByRole("navigation", { name: "Sessions" }).getByRole("button");
    await expect.poll(() => sessions.count()).toBe(2);
    await prompt("number");
    await view.getByRole("textbox", { name: "Your answer" }).waitFor();
    await sessions.first().click();
    await view.getByLabel("SQLite").waitFor();
  });

  test("in a folder that nobody trusts there is no extension and no agent", async () => {
    if (vsCode === undefined) return;
    const wary = await startWithExtension(vsCode, file, { asksForTrust: true });
    browser.ends.push(() => wary.end());
    const { page } = await openWindow(browser, wary, await wary.folder("foreign"));
    const trust = page.getByRole("button", { name: "Yes, I trust the authors" });
    await trust.waitFor();
    expect(await page.locator(status).count()).toBe(0);
    await trust.click();
    await page.locator(status).waitFor();
  });
});
