import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { TestRunner } from "vitest";
import type { VsCode } from "../../scripts/setup-vscode.mjs";
import { runCommand } from "./run-command.mjs";
import type { TestBrowser } from "./test-browser.js";
import { type Editor, type EditorOptions, startEditor } from "./vs-code.mjs";

const pictures = fileURLToPath(new URL("../../node_modules/.cache/askwire-editor-failures", import.meta.url));

/** The source of pages, and the ends of all that is opened there. */
export type Pages = Pick<TestBrowser, "newPage" | "ends">;

/** A window of an editor, as its person uses it. */
export interface EditorWindow {
  readonly page: Page;
  /** Runs the command with exactly this title by the palette. */
  run(title: string): Promise<void>;
}

/** Calls `tell` with the test's name at the end of the current test, if the test has failed by then. */
function atFailure(browser: Pages, tell: (name: string) => Promise<void>): void {
  const task = TestRunner.getCurrentTest();
  browser.ends.push(async () => {
    if (task?.result?.state === "fail") await tell(task.name).catch(() => {});
  });
}

/** Starts an editor until the end of a test, which prints its logs if it fails. */
export async function openEditor(
  browser: TestBrowser,
  vsCode: VsCode,
  options: EditorOptions = {},
): Promise<Editor> {
  const editor = await startEditor(vsCode, options);
  browser.ends.push(() => editor.end());
  atFailure(browser, async () => void process.stderr.write(`${await editor.logs()}\n`));
  return editor;
}

/** Keeps the picture of a page, and says where. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const path = join(pictures, `${name.replaceAll(/\W+/g, "-")}.png`);
  await page.screenshot({ path });
  process.stderr.write(`the window as it was: ${path}\n`);
}

/** Opens a window on a folder of an editor until the end of the test. If the test fails, its picture is kept. */
export async function openWindow(browser: Pages, editor: Editor, folder: string): Promise<EditorWindow> {
  const { page } = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
  // The host of the window would wait for a browser that is gone.
  browser.ends.push(() => page.close());
  const number = browser.ends.length;
  atFailure(browser, (name) => keepPicture(page, `${name} ${number}`));
  await page.goto(editor.at(folder));
  await page.locator(".monaco-workbench").waitFor();
  return { page, run: (title) => runCommand(page, title) };
}
