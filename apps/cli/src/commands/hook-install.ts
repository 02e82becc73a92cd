import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { HookOptions } from "../command-line/hook.js";
import { hookFile } from "../hook/settings.js";
import { usageFailure } from "../input/failure.js";
import { writeSettings } from "./write-settings.js";

/** Puts the hooks into the settings of Claude Code, or takes them out again. */
export async function hookInstall(options: HookOptions): Promise<void> {
  const { install, uninstall, scope, defer } = options;
  if (install === uninstall)
    throw usageFailure("hook claude: --install and --uninstall together: leave one out");
  if (defer === true)
    throw usageFailure(
      "hook claude: --defer is for PreToolUse, which --install does not write: see docs/claude-code.md",
    );
  const around = { home: homedir(), cwd: process.cwd(), configured: process.env.CLAUDE_CONFIG_DIR };
  const words = [
    process.execPath,
    realpathSync(process.argv[1] ?? ""),
    "hook",
    "claude",
    ...flagsOf(options),
  ];
  const { file, entries } = hookFile(scope, around, words);
  await writeSettings(
    {
      settings: [{ file, format: "json", entries }],
      note: 'Start Claude Code again, and open the page with "askwire open".',
    },
    install === true ? "install" : "uninstall",
    { command: "hook claude", host: "Claude Code" },
    options,
  );
}

/** The options that the hook is started with. */
function flagsOf({ connect, tokenFile, timeout, idle, notify, notifyText }: HookOptions): string[] {
  const given: readonly (readonly [string, string | number | undefined])[] = [
    ["--connect", connect],
    ["--token-file", tokenFile],
    ["--timeout", timeout],
    ["--idle", idle],
    ["--notify", notify],
    ["--notify-text", notifyText],
  ];
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
}
