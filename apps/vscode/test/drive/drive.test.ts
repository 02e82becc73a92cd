import { readdir, readFile, rename } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { clickTwice } from "../../../../examples/test/pressable.js";
import { runCommand } from "../../../../examples/test/run-command.mjs";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { keepPicture } from "../../../../examples/test/test-editor.js";
import { type Editor, setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import packExtension from "../../package.mjs";
import { ownFiles, packedFiles } from "../packed-files.js";
import { type ExtensionWindow, openView, pressUntilGone, startWithExtension } from "./editor.js";

const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

/** The double presses to try. Default: two. */
const PRESSES = Number(process.env.DOUBLE_PRESSES ?? 2);

/** The times that a window with an open question is closed and comes back. Default: once. */
const RELOADS = Number(process.env.ASKWIRE_RELOADS ?? 1);

const status = "[id='askwire.askwire-vscode.askwire.status']";

/** The place of the installed extension. */
const installed = (editor: Editor, ...names: string[]) =>
  join(editor.home, "extensions/askwire.askwire-vscode-0.1.0", ...names);

describe.skipIf(vsCode === undefined)("the packed extension in a real VS Code", () => {
  let editor: Editor;
  let file: string;
  /** The window that most tests share, with an agent that waits for words. Each leaves no card open. */
  let shared: ExtensionWindow;
  const ends: (() => unknown)[] = [];

  beforeAll(async () => {
    if (vsCode === undefined) return;
    file = join(await browser.folder(), "askwire.vsix");
    await packExtension(file);
    editor = await startWithExtension(vsCode, file);
    ends.push(() => editor.end());
    const lasting = { ends, newPage: (options: object) => browser.newPage(options, ends) };
    shared = await openView(lasting, editor, await editor.folder("shop", { "cart.txt": "apples\n" }));
    await shared.run("Askwire: Start the Agent");
    await shared.view.getByRole("textbox", { name: "Message" }).waitFor();
  }, 300_000);
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await keepPicture(shared.page, `shared ${task.name}`);
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  test("the packed extension is installed with its own files, those of the command, and nothing else", async () => {
    const entries = await readdir(installed(editor), { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(installed(editor), join(parentPath, name)));
    // The packer's own names for some of them, and its list.
    const renamed = new Map([
      ["LICENSE", "LICENSE.txt"],
      ["README.md", "readme.md"],
      ["CHANGELOG.md", "changelog.md"],
    ]);
    const expected = [".vsixmanifest", ...packedFiles.map((name) => renamed.get(name) ?? name)];
    expect(ownFiles(names)).toEqual(expected.sort());
  });

  test("the walkthrough leads to the first answer, and marks each completed step", async () => {
    const { page, view, prompt, send, said, run } = shared;
    await run("Welcome: Open Walkthrough...");
    await page.locator(".quick-input-widget input.input").fill("Askwire");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Begin with Askwire" }).click();
    const steps = page.locator(".getting-started-step");
    await steps.filter({ hasText: "Start the agent" }).click();
    await steps.getByRole("button", { name: "Start the agent" }).last().click();
    const done = steps.locator(".codicon.complete");
    await expect.poll(() => done.count()).toBe(2);
    await prompt("choice");
    await view.getByLabel("SQLite").check();
    await send();
    await said(/Result: .*SQLite/);
    await expect.poll(() => done.count()).toBe(3);
    await run("View: Close Editor");
  });

  test("a person answers by a card, a typed field and a quick pick", async () => {
    const { page, view, prompt, send, said, run } = shared;
    await prompt("choice");
    await view.getByLabel("SQLite").check();
    await send();
    await said(/Result: .*SQLite/);

    await prompt("number");
    const field = view.getByRole("textbox", { name: "Your answer" });
    await field.fill("80");
    await send();
    await view.getByText("Expected:").first().waitFor();
    await field.fill("8080");
    await send();
    await said(/Result: .*8080/);

    await prompt("choice");
    await view.getByLabel("PostgreSQL").waitFor();
    await run("Askwire: Answer by Quick Pick");
    await page.locator(".quick-input-title", { hasText: "Which database?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(status, { hasText: "Askwire: 1" }).waitFor();
    await run("Askwire: Answer by Quick Pick");
    await pressUntilGone(page.locator(".quick-input-list .monaco-list-row", { hasText: "PostgreSQL" }));
    await said(/Result: .*PostgreSQL/);
  });

  test("an approval opens in the diff editor, where closing decides nothing and the title's button approves", async () => {
    const { page, view, prompt, said, run, file } = shared;
    await prompt("write");
    const line = page.locator(".monaco-diff-editor .line-insert");
    await line.first().waitFor();
    await run("View: Close Editor");
    await line.first().waitFor({ state: "detached" });
    await page.locator(status, { hasText: "Askwire: 1" }).waitFor();
    expect(await readFile(file("cart.txt"), "utf8")).toBe("apples\n");

    await view.getByRole("button", { name: "Show the difference in the editor" }).click();
    await line.first().waitFor();
    await pressUntilGone(page.locator(".editor-actions").getByRole("button", { name: "Approve" }));
    await said("Result: approve");
    expect(await readFile(file("cart.txt"), "utf8")).toBe("pears\n");
    await line.first().waitFor({ state: "detached" });
  });

  test("the second half of a double press on Approve approves no second change", async () => {
    const { page, view, prompt, said } = shared;
    const dock = view.locator(".dock");
    const early = dock.locator(".askwire-page[aria-disabled]");
    for (let at = 0; at < PRESSES; at += 1) {
      const pause = 30 + Math.round((at * 570) / Math.max(1, PRESSES - 1));
      await prompt("twice");
      const approve = dock.getByRole("button", { name: "Approve once", exact: true });
      await approve.nth(1).waitFor();
      await expect.poll(() => early.count()).toBe(0);
      await clickTwice(page, approve.first(), pause);
      await expect.poll(() => dock.locator("[data-askwire-request]").count()).toBe(1);
      await page.mouse.move(1, 1);
      await expect.poll(() => early.count()).toBe(0);
      // Open already where the second press met this very button, which decides nothing.
      const reject = dock.getByRole("button", { name: "Reject…", exact: true });
      if (await reject.isVisible()) await reject.click();
      await expect.poll(() => early.count()).toBe(0);
      await dock.getByRole("button", { name: "Reject", exact: true }).click();
      await said(/Result: (approve,reject|reject,approve)/);
      await approve.first().waitFor({ state: "detached" });
    }
  });

  test("the view in an editor tab shows the same session, and answers its cards", async () => {
    const { page, view, prompt, send, said, run } = shared;
    await run("Askwire: Open the View in an Editor Tab");
    await page.getByRole("tab", { name: "Askwire", exact: true }).last().waitFor();
    // The view in the side bar goes with it, so that one page is left.
    await run("View: Toggle Primary Side Bar Visibility");
    const pages = page.locator('iframe.webview.ready[src*="extensionId=askwire.askwire-vscode"]');
    await expect.poll(() => pages.count()).toBe(1);
    await prompt("choice");
    await view.getByLabel("SQLite").check();
    await send();
    await said(/Result: .*SQLite/);
    await run("View: Close Editor");
    await expect.poll(() => pages.count()).toBe(0);
    await run("View: Toggle Primary Side Bar Visibility");
    await view.getByRole("textbox", { name: "Message" }).waitFor();
  });

  test("a file outside the workspace is marked in the card and in the title of the difference", async () => {
    const { page, view, prompt, said } = shared;
    await prompt("write outside");
    await view.getByText("Outside of the workspace: /nobody/hosts").waitFor();
    await page.getByRole("tab", { name: "/nobody/hosts: outside of the workspace" }).waitFor();
    const dock = view.locator(".dock");
    await dock.getByRole("button", { name: "Reject…", exact: true }).click();
    await expect.poll(() => dock.locator(".askwire-page[aria-disabled]").count()).toBe(0);
    await dock.getByRole("button", { name: "Reject", exact: true }).click();
    await said("Result: reject");
  });

  test("a question under a hidden view is reported by a notification that only shows it", async () => {
    const { page, view, run, send, said } = shared;
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
    await view.getByLabel("SQLite").check();
    await send();
    await said(/Result: .*SQLite/);
  });

  test("a killed agent is reported as ended, and a restart resumes its session", async () => {
    const { view, prompt } = shared;
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
    const { view, prompt, run } = shared;
    await view.getByLabel("SQLite").waitFor();
    await run("Askwire: New Session");
    const sessions = view.getByRole("navigation", { name: "Sessions" }).getByRole("button");
    await expect.poll(() => sessions.count()).toBe(2);
    await prompt("number");
    await view.getByRole("textbox", { name: "Your answer" }).waitFor();
    await sessions.first().click();
    await view.getByLabel("SQLite").waitFor();
  });

  test("a reloaded window resumes with the question and the typed words, and a second window is offered one of its own", async () => {
    await editor.setForMachine({ "askwire.agent": "interview" });
    const folder = await editor.folder("reloaded");
    // Tabs of one browser, which has the workbench already: they share what it keeps.
    const tabs = { ends: browser.ends, newPage: () => browser.newTab(shared.page) };
    const { page, view, prompt, send, run } = await openView(tabs, editor, folder);
    await run("Askwire: Start the Agent");
    await prompt("Begin");
    const words = view.locator(".dock").getByRole("textbox", { name: "In your own words" });
    await words.fill("./check --all");
    for (let at = 0; at < RELOADS; at += 1) {
      const loaded = page.waitForEvent("load");
      await run("Developer: Reload Window");
      await loaded;
      await page.locator(status).waitFor();
      await run("Askwire: Start the Agent");
      await words.waitFor();
      expect([await words.count(), await words.inputValue()]).toEqual([1, "./check --all"]);
    }
    expect(await view.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");

    const second = await openView(tabs, editor, folder);
    await second.run("Askwire: Start the Agent");
    await second.view.getByText("Another window has the session of this folder").waitFor();
    await second.view.getByRole("button", { name: "New Session" }).click();
    await second.view.getByRole("textbox", { name: "Message" }).waitFor();
    expect(await second.view.locator(".dock").count()).toBe(0);

    await send();
    await view.getByRole("log").getByText("./check --all").first().waitFor();
  });

  test("a second window watches the session of the first where that lets others in, and answers in it", async () => {
    await editor.setForMachine({ "askwire.agent": "interview", "askwire.inbox": true });
    const folder = await editor.folder("watched");
    const tabs = { ends: browser.ends, newPage: () => browser.newTab(shared.page) };
    const first = await openView(tabs, editor, folder);
    await first.run("Askwire: Start the Agent");
    await first.prompt("Begin");
    await first.view.locator(".dock").getByRole("textbox", { name: "In your own words" }).waitFor();

    const second = await openView(tabs, editor, folder);
    const offer = second.page.locator(".notification-toast", { hasText: "another window has the session" });
    await offer.waitFor();
    await second.run("Askwire: Start the Agent");
    await second.view.getByText("Another window has the session of this folder").waitFor();
    await offer.getByRole("button", { name: "Watch and Answer Here" }).click();
    await second.view
      .locator(".dock")
      .getByRole("textbox", { name: "In your own words" })
      .fill("./check --all");
    await second.send();
    await first.view.getByRole("log").getByText("./check --all").first().waitFor();
    await editor.setForMachine({ "askwire.inbox": false });
  });

  test("nothing runs in an untrusted folder, and after the trust a view that does not load says so", async () => {
    if (vsCode === undefined) return;
    // Newer editors ask for trust in a banner, older ones in a dialog, and both in this editor of theirs.
    const settings = { "security.workspace.trust.startupPrompt": "never" };
    const wary = await startWithExtension(vsCode, file, { asksForTrust: true, settings });
    browser.ends.push(() => wary.end());
    const script = installed(wary, "dist/webview/main.js");
    await rename(script, `${script}.gone`);
    const { page, view, run } = await openView(browser, wary, await wary.folder("foreign"), async (page) => {
      await runCommand(page, "Workspaces: Manage Workspace Trust");
      const trust = page.getByRole("button", { name: "Trust", exact: true });
      await trust.waitFor();
      expect(await page.locator(status).count()).toBe(0);
      await trust.click();
    });
    await run("Askwire: Start the Agent");
    const problem = page.locator(".notification-toast", { hasText: "the view does not load" });
    await problem.waitFor();
    await rename(`${script}.gone`, script);
    await problem.getByRole("button", { name: "Load the view again" }).click();
    await view.getByRole("textbox", { name: "Message" }).waitFor();
  });
});
