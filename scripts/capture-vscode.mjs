// Makes the pictures of the extension anew, docs/captures/vscode-NAME.png, from its package in a real VS Code. Names
// choose scenes.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import packExtension from "../apps/vscode/package.mjs";
import { launchChromium } from "../examples/test/chromium.mjs";
import { startEditor } from "../examples/test/vs-code.mjs";
import { addEditorFonts, codeFont } from "./capture-fonts.mjs";
import { scenes, shop } from "./capture-vscode-scenes.mjs";
import { setUpVsCode } from "./setup-vscode.mjs";
import { chineseTexts } from "./vscode-language.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const askwire = join(root, "apps/cli/bin/askwire.js");

/** Settings of an editor in which nothing but the extension draws attention. */
const quiet = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.layoutControl.enabled": false,
  "chat.commandCenter.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "extensions.ignoreRecommendations": true,
  "remote.autoForwardPorts": false,
  "editor.minimap.enabled": false,
  "editor.fontFamily": `"${codeFont}", "Droid Sans"`,
  "editor.fontSize": 13,
};

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "askwire-pictures-"));
const browser = await launchChromium();
try {
  const vsCode = await setUpVsCode();
  const extension = join(folder, "askwire.vsix");
  await packExtension(extension);
  for (const scene of scenes) {
    const { name, theme, locale = "en", script = [], program, act } = scene;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await writeFile(join(folder, "script.json"), JSON.stringify(script));
    const scripted = [askwire, "serve", "--stdio", "--script", join(folder, "script.json")];
    const editor = await startEditor(vsCode, {
      packages: [extension],
      settings: { ...quiet, "workbench.colorTheme": theme },
      machineSettings: {
        "askwire.agent": "command",
        "askwire.command": [process.execPath, ...(program === undefined ? scripted : [program])],
      },
      ...(locale !== "en" && { language: { name: "zh-cn", texts: await chineseTexts() } }),
    });
    const viewport = { width: 1_100, height: 820 };
    const page = await browser.newPage({ viewport, reducedMotion: "reduce", locale });
    try {
      await page.goto(editor.at(await editor.folder("shop", shop)));
      await act(page);
      await addEditorFonts(page, { chinese: locale === "zh-CN" });
      // Drawn again with the fonts.
      await page.evaluate(() => document.fonts.ready);
      await page.screenshot({ path: join(root, "docs/captures", `vscode-${name}.png`) });
    } finally {
      await page.close();
      await editor.end();
    }
    process.stdout.write(`docs/captures/vscode-${name}.png\n`);
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
