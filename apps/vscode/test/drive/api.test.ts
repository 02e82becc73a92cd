import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import packExtension from "../../package.mjs";
import { openView, startWithExtension } from "./editor.js";

const example = fileURLToPath(new URL("../../../../examples/vscode-api", import.meta.url));
const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

test.skipIf(vsCode === undefined)(
  "an extension beside that of Askwire sees its questions and answers one with the selected text",
  async () => {
    if (vsCode === undefined) return;
    const file = join(await browser.folder(), "askwire.vsix");
    await packExtension(file);
    const extensions = { "askwire-examples.answer-with-selection": example };
    const editor = await startWithExtension(vsCode, file, { extensions });
    browser.ends.push(() => editor.end());
    const window = await openView(browser, editor, await editor.folder("shop"));
    const { page, run, view } = window;
    const waiting = page.locator("[id='askwire-examples.answer-with-selection.answerWithSelection.waiting']");

    await run("Askwire: Start the Agent");
    await window.prompt("choice");
    await view.getByText("Which database?").first().waitFor();
    await expect.poll(() => waiting.textContent()).toBe("Questions: 1");

    await run("File: New Untitled Text File");
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.type("DuckDB");
    await page.keyboard.press("ControlOrMeta+A");
    await run("Answer the Agent with the Selection");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Which database?" }).click();
    await window.said(/Result: .*DuckDB/);
    await expect.poll(() => waiting.textContent()).toBe("Questions: 0");
  },
  300_000,
);
