// Files that are named in the prompt, in a real editor: those that are open there, which need no search.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { openEditor } from "../../../../examples/test/test-editor.js";
import { setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import { layOut } from "../../package.mjs";
import { openView } from "./editor.js";

const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

describe.skipIf(vsCode === undefined)("the prompt of the extension in a real editor", () => {
  test("an open file is suggested behind an @ by its path in the workspace", async () => {
    if (vsCode === undefined) return;
    const extension = join(await browser.folder(), "extension");
    await layOut(extension);
    const editor = await openEditor(browser, vsCode, {
      extensions: { "askwire.askwire-vscode": extension },
    });
    const folder = await editor.folder("shop", { "shopping cart.ts": "", "other.ts": "" });
    const { page, view, run } = await openView(browser, editor, folder);
    await page.getByRole("treeitem", { name: "shopping cart.ts" }).dblclick();
    await page.getByRole("tab", { name: "shopping cart.ts" }).waitFor();
    await run("Askwire: Start the Agent");
    const box = view.getByRole("textbox", { name: "Message" });
    await box.pressSequentially("Look at @Cart");
    await view.getByRole("option", { name: "shopping cart.ts" }).waitFor();
    await box.press("Tab");
    await expect.poll(() => box.inputValue()).toBe('Look at @"shopping cart.ts" ');
  });
});
