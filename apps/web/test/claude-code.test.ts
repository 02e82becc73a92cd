import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { scriptedClaude } from "../../../packages/agents/test/acp/claude-provider.js";
import { command, folderWith } from "../../cli/test/askwire.js";
import { colour, gatewayOf, newHome, untilThere } from "../../cli/test/mcp/hosts.js";

const browser = testBrowser();
/** The folder in which Claude Code is installed, and Node for it. */
const folder = process.env.ASKWIRE_CLAUDE_CODE;

test.skipIf(folder === undefined)(
  "Claude Code asks by the tool of askwire mcp, is answered on the page, and goes on",
  async () => {
    const home = await newHome();
    const cwd = await folderWith();
    const asks = {
      type: "tool_use",
      id: "ask",
      name: "mcp__askwire__ask_user_question",
      input: { questions: [colour] },
    } as const;
    const told: string[] = [];
    const provider = await scriptedClaude(
      [asks, { type: "text", text: "All done." }],
      (text) => void told.push(text),
    );
    const server = {
      type: "stdio",
      command: process.execPath,
      args: [command, "mcp"],
      env: { ASKWIRE_HOME: home },
    };
    const config = JSON.stringify({ mcpServers: { askwire: server } });
    const bin = join(folder ?? "", "node_modules/.bin");
    const args = ["-p", "go", "--mcp-config", config, "--strict-mcp-config", "--allowedTools", asks.name];
    const env = {
      ...process.env,
      ...{
        PATH: `${bin}:${process.env.PATH}`,
        HOME: cwd,
        ENABLE_TOOL_SEARCH: "false",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      },
      ...{ ANTHROPIC_BASE_URL: provider, ANTHROPIC_API_KEY: "x" },
    };
    const claude = spawn(join(bin, "claude"), args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    claude.stdout.on("data", (text) => {
      printed += text;
    });
    claude.stderr.on("data", (text) => {
      printed += text;
    });
    const ended = once(claude, "close");
    const { address } = await untilThere(() => gatewayOf(home));
    const { page } = await browser.newPage({});
    const { host, hash, pathname } = new URL(address);
    await page.goto(`http://${host}/#token=${hash.slice(1)}&session=${pathname.split("/").at(-1)}`);
    await page.getByLabel("Blue").check();
    await page.locator(".dock").getByRole("button", { name: "Send", exact: true }).click();
    expect(await ended).toEqual([0, null]);
    expect(printed).toContain("All done.");
    expect(told.join()).toContain("Blue");
  },
);
