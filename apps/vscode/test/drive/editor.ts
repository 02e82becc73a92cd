import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openWindow, type Pages } from "../../../../examples/test/test-editor.js";
import { type Editor, type EditorOptions, startEditor } from "../../../../examples/test/vs-code.mjs";
import type { VsCode } from "../../../../scripts/setup-vscode.mjs";

const agent = fileURLToPath(new URL("agent.mjs", import.meta.url));

/** Settings under which the agent of the drive is started. */
const driven = { "askwire.agent": "command", "askwire.command": [process.execPath, agent] };

/** Starts an editor with the extension. */
export const startWithExtension = (vsCode: VsCode, file: string, options: EditorOptions = {}) =>
  startEditor(vsCode, { packages: [file], machineSettings: driven, ...options });

/** A window with the view of the extension. */
export type ExtensionWindow = Awaited<ReturnType<typeof openView>>;

/** Opens a window on a folder, with the view of the extension. `before` is done until the extension is there. */
export async function openView(
  browser: Pages,
  editor: Editor,
  folder: string,
  before?: (page: Page) => Promise<void>,
) {
  const window = await openWindow(browser, editor, folder);
  const { page } = window;
  await before?.(page);
  await page.locator("[id='askwire.askwire-vscode.askwire.status']").waitFor();
  const view: FrameLocator = page
    .frameLocator('iframe.webview.ready[src*="extensionId=askwire.askwire-vscode"]')
    .frameLocator("#active-frame");
  return {
    ...window,
    view,
    async prompt(text: string) {
      const box = view.getByRole("textbox", { name: "Message" });
      const send = view.getByRole("button", { name: "Send", exact: true }).last();
      // A command that focuses the view may take the focus from the box between the two halves of a fill.
      const isWritten = async () => {
        await box.fill(text);
        return (await box.inputValue()) === text;
      };
      await expect.poll(isWritten, { interval: 200, timeout: 30_000 }).toBe(true);
      // Off until the agent is connected. Where the view moves under the pointer, as it does when it is focused by a
      // command, a press counts for nothing and the words stay: press again, as a person would.
      const isSent = async () => {
        if ((await box.inputValue()) === "") return true;
        await send.click();
        return (await box.inputValue()) === "";
      };
      await expect.poll(isSent, { interval: 200, timeout: 30_000 }).toBe(true);
    },
    /** Sends the card that is shown. */
    send: () => view.locator(".dock").getByRole("button", { name: "Send answer", exact: true }).click(),
    /** Waits for the agent's last words. */
    said: (text: string | RegExp) => view.getByRole("log").getByText(text).last().waitFor(),
    file: (name: string) => join(folder, name),
  };
}

/** Presses a button of the editor, or a row of a pick, until it is gone: in the moment in which it comes no press counts. */
export async function pressUntilGone(button: Locator): Promise<void> {
  await button.waitFor();
  const isGone = async () => {
    if (!(await button.isVisible())) return true;
    await button.click({ timeout: 5_000 }).catch(() => {});
    return false;
  };
  await expect.poll(isGone, { interval: 200 }).toBe(true);
}
