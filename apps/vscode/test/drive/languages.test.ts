// The language of the view and of the editor's half, from the extension as it is laid out for its package.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { openEditor } from "../../../../examples/test/test-editor.js";
import { setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import { layOut } from "../../package.mjs";
import { openView } from "./editor.js";

const vsCode = await setUpVsCodeOrSkip();
const browser = testBrowser();

describe.skipIf(vsCode === undefined)("the extension in an editor of another language", () => {
  test.each([
    ["zh-tw", "Askwire: Start the Agent", "Begin the interview", "Sessions of this folder", "Switch Session"],
    ["zh-cn", "Askwire: 启动智能体", "开始问卷", "此文件夹的会话", "切换会话"],
  ])(
    "the view and the picks speak one language where the editor's is %s",
    async (name, start, begin, title, switchSession) => {
      if (vsCode === undefined) return;
      const folder = await browser.folder();
      const [extension, texts] = [join(folder, "extension"), join(folder, "texts.json")];
      await layOut(extension);
      // The editor's own texts stay English: a pack without any is enough to have it look for ours.
      await writeFile(texts, JSON.stringify({ "": "", version: "1.0.0", contents: {} }));
      const editor = await openEditor(browser, vsCode, {
        extensions: { "askwire.askwire-vscode": extension },
        language: { name, texts },
      });
      const { page, view, run } = await openView(browser, editor, await editor.folder("shop"));
      await run(start);
      await view.getByRole("button", { name: begin, exact: true }).click();
      await view.locator(".dock .askwire-card").waitFor();
      await run(`Askwire: ${switchSession}`);
      await page.locator(".quick-input-title", { hasText: title }).waitFor();
      await expect.poll(() => page.locator(".quick-input-list .monaco-list-row").count()).toBe(1);
    },
  );
});
