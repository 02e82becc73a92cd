import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testBrowser } from "./test-browser.js";
import { openEditor, openWindow } from "./test-editor.js";
import { setUpVsCodeOrSkip } from "./vs-code.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = fileURLToPath(new URL("../vscode", import.meta.url));
const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

/** A script: the agent asks with two options, and says what the tool told it. */
const question = {
  question: "Which database?",
  header: "DB",
  options: [{ label: "SQLite" }, { label: "None" }],
};
const call = { id: "c1", name: "AskUserQuestion", arguments: JSON.stringify({ questions: [question] }) };
const script = [`tool_call: ${JSON.stringify(call)}`, "text: It is settled."];

test.skipIf(vsCode === undefined)(
  "the smallest extension asks the agent's question by a quick pick",
  async () => {
    if (vsCode === undefined) return;
    const { scripts } = await import("../vscode/package.json", { with: { type: "json" } }).then(
      (m) => m.default,
    );
    const folder = join(await browser.folder(), "smallest");
    await cp(example, folder, { recursive: true });
    const [command = "", ...args] = scripts.build.split(" ");
    const outfile = `--outfile=${join(folder, "dist/extension.cjs")}`;
    await promisify(execFile)(join(root, "node_modules/.bin", command), [...args, outfile], { cwd: example });

    const editor = await openEditor(browser, vsCode, { extensions: { "askwire-examples.smallest": folder } });
    const workspace = await editor.folder("shop", { "script.json": JSON.stringify(script) });
    const askwire = [process.execPath, join(root, "apps/cli/bin/askwire.js")];
    const agent = ["serve", "--stdio", "--script", join(workspace, "script.json")];
    await editor.setForMachine({ "smallest.command": [...askwire, ...agent] });

    const { page, run } = await openWindow(browser, editor, workspace);
    await run("Smallest: Prompt the Agent");
    await page.getByText("What should the agent do?").waitFor();
    await page.locator(".quick-input-widget input.input").fill("Set up the shop");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-title", { hasText: "Which database?" }).waitFor();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "SQLite" }).click();
    const notice = page.locator(".notification-toast");
    await notice.waitFor();
    expect(await notice.textContent()).toContain("It is settled.");
  },
);
