import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../../../examples/test/chromium.mjs";
import { type Editor, setUpVsCodeOrSkip, startEditor } from "../../../../examples/test/vs-code.mjs";
import { deferred } from "../../../../scripts/deferred.js";
import { layOut } from "../../package.mjs";
import { cases } from "./cases/cases.js";
import { type Ended, listenFor, type Person } from "./person.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const vsCode = await setUpVsCodeOrSkip();

/** The parts of a window that a case asks for. */
function personAtPage(page: Page): Person {
  const textsOf = async (selector: string) => {
    const rows = page.locator(`.quick-input-list .monaco-list-row ${selector}`);
    await rows.first().waitFor();
    const texts = await rows.allTextContents();
    await page.keyboard.press("Escape");
    return texts;
  };
  const input = page.locator(".quick-input-widget input.input");
  return {
    async types(text) {
      await input.fill(text);
      // An Enter in the moment in which an input comes does not count where nothing was typed.
      const isTaken = async () => {
        if (!(await input.isVisible())) return true;
        // To the input itself, not by the keyboard: where the input goes at this moment, a key that is pressed would
        // put a line break in the place of what is selected in the editor.
        const enter = { key: "Enter", code: "Enter", keyCode: 13 };
        await input.dispatchEvent("keydown", enter, { timeout: 1_000 }).catch(() => {});
        return false;
      };
      await expect.poll(isTaken, { interval: 200 }).toBe(true);
    },
    clicks: (button) => page.getByRole("button", { name: button, exact: true }).click(),
    async presses(keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    reads: async (selector) => (await page.locator(selector).first().textContent()) ?? "",
    rows: () => textsOf(".quick-input-list-row:first-child .label-name"),
    // A row of an earlier pick may have left its detail there, out of sight.
    rowsWithDetails: () => textsOf(".label-name:visible"),
  };
}

/** Builds the cases into an extension of their own: the editor trusts the one that it is told to develop. */
async function buildTests(folder: string, tester: string): Promise<void> {
  await build({
    entryPoints: { index: join(here, "host.ts") },
    outdir: folder,
    bundle: true,
    ...{ platform: "node", format: "cjs", target: "node20", external: ["vscode"] },
    conditions: ["@askwire/source"],
    define: { TESTER: JSON.stringify(tester) },
  });
  const about = { name: "inside", publisher: "askwire", version: "0.1.0", engines: { vscode: "^1.100.0" } };
  const capabilities = { untrustedWorkspaces: { supported: true } };
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...about, capabilities }));
}

/** The cases that run in the extension host, each as a promise of its end. */
function awaited(names: readonly string[]) {
  const all = new Map(
    names.map((name) => {
      const { promise: ended, resolve: end } = deferred<string | undefined>();
      return [name, { ended, end }];
    }),
  );
  return {
    ended: ({ name, problem }: Ended) => all.get(name)?.end(problem),
    /** Ends those that are still awaited. */
    endAll: (problem: string) => all.forEach(({ end }) => void end(problem)),
    of: (name: string) => all.get(name)?.ended,
  };
}

describe.skipIf(vsCode === undefined)("inside the extension host of a real VS Code", () => {
  const names = Object.keys(cases);
  const { ended, endAll, of } = awaited(names);
  const ends: (() => unknown)[] = [];
  let browser: Browser;
  let editor: Editor;
  let hasFailed = false;

  beforeAll(async () => {
    if (vsCode === undefined) return;
    const built = await mkdtemp(join(tmpdir(), "askwire-inside-"));
    ends.push(() => rm(built, { recursive: true, force: true }));
    let page: Page;
    const tester = await listenFor(() => personAtPage(page), ended);
    ends.push(tester.close);
    const [extension, tests] = [join(built, "extension"), join(built, "tests")];
    await Promise.all([layOut(extension), buildTests(tests, tester.address)]);
    const settings = {
      "askwire.agent": "command",
      "askwire.command": [process.execPath, join(here, "agent.mjs")],
    };
    editor = await startEditor(vsCode, {
      extensions: { "askwire.askwire-vscode": extension },
      ...{ machineSettings: settings, asksForTrust: true, runsTests: true },
      // A server's window would save edits by itself.
      settings: { "files.autoSave": "off" },
    });
    ends.push(() => editor.end());
    await editor.folder("", { "outside.txt": "outside\n" });
    const folder = await editor.folder("shop", {
      ".vscode/settings.json": JSON.stringify({ "askwire.agent": "interview", "askwire.notify": false }),
      "list.txt": "one\ntwo\nthree\n",
    });

    browser = await launchChromium();
    ends.push(() => browser.close());
    page = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
    page.setDefaultTimeout(60_000);
    ends.push(() => page.close());
    await page.exposeFunction("codeAutomationLog", () => {});
    await page.exposeFunction("codeAutomationExit", () =>
      endAll("the extension host ended before this case"),
    );
    const late = setTimeout(() => endAll("no end within four minutes"), 240_000);
    ends.push(() => clearTimeout(late));
    const at = `vscode-remote://${new URL(editor.url).host}`;
    const payload = JSON.stringify([
      ["extensionDevelopmentPath", `${at}${tests}`],
      ["extensionTestsPath", `${at}${tests}/index.js`],
    ]);
    await page.goto(`${editor.at(folder)}&payload=${encodeURIComponent(payload)}`);
  }, 300_000);

  afterAll(async () => {
    if (hasFailed) process.stderr.write(`${await editor.logs()}\n`);
    for (const end of ends.reverse()) await end();
  });

  test.each(names)("in the extension host, %s", async (name) => {
    const problem = await of(name);
    if (problem === undefined) return;
    hasFailed = true;
    throw new Error(problem);
  });
});
