import { homedir } from "node:os";
import type { HookOptions } from "../command-line/hook.js";
import { type HookScope, hookFile } from "../hook/settings.js";
import { usageFailure } from "../input/failure.js";
import { ownStart } from "../installed/own-start.js";
import type { SettingsFile } from "../mcp/install/host-settings.js";
import { flagWords, writeSettings } from "./write-settings.js";

/** Puts the hooks into the settings of Claude Code, or takes them out again. */
export async function hookInstall(options: HookOptions): Promise<void> {
  const { install, uninstall, scope, defer } = options;
  if (install === uninstall)
    throw usageFailure("hook claude: --install and --uninstall together: leave one out");
  if (defer === true)
    throw usageFailure(
      "hook claude: --defer is for PreToolUse, which --install does not write: see docs/claude-code.md",
    );
  await writeSettings(
    {
      settings: [hookSettings(scope, options)],
      note: 'Start Claude Code again, and open the page with "askwire open".',
    },
    install === true ? "install" : "uninstall",
    { command: "hook claude", host: "Claude Code" },
    options,
  );
}

/** The settings file that starts this installation as a hook, with the options that were given beside. */
export function hookSettings(scope: HookScope, options: StartOptions): SettingsFile {
  const around = { home: homedir(), cwd: process.cwd(), configured: process.env.CLAUDE_CONFIG_DIR };
  const start = [...ownStart(), "hook", "claude"];
  return { ...hookFile(scope, around, [...start, ...flagsOf(options)]), format: "json" };
}

/** The options that the hook is started with. */
type StartOptions = Pick<HookOptions, "connect" | "tokenFile" | "timeout" | "idle" | "notify" | "notifyText">;

const flagsOf = ({ connect, tokenFile, timeout, idle, notify, notifyText }: StartOptions): string[] =>
  flagWords({
    "--connect": connect,
    "--token-file": tokenFile,
    "--timeout": timeout,
    "--idle": idle,
    "--notify": notify,
    "--notify-text": notifyText,
  });
