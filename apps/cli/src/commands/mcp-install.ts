import { homedir } from "node:os";
import type { McpOptions } from "../command-line/mcp.js";
import { usageFailure } from "../input/failure.js";
import { ownStart } from "../installed/own-start.js";
import { hostSettings, type InstalledStart, type SettingsFile } from "../mcp/install/host-settings.js";
import { hookSettings } from "./hook-install.js";
import { flagWords, writeSettings } from "./write-settings.js";

/** Puts the server, and the rule that allows its tools, into the settings of a host, or takes them out again. */
export async function mcpInstall(options: McpOptions): Promise<void> {
  const { install, uninstall } = options;
  const host = install ?? uninstall;
  if (host === undefined || (install ?? uninstall) !== (uninstall ?? install))
    throw usageFailure("mcp: --install and --uninstall together: leave one out");
  const what = uninstall === undefined ? "install" : "uninstall";
  if (options.approvals === true && host !== "claude")
    throw usageFailure(`mcp: --approvals is for Claude Code: leave it out for ${host}`);
  const around = { home: homedir(), platform: process.platform, env: process.env };
  const { settings, note } = hostSettings(host, around, startOf(options));
  const all = options.approvals === true ? withHooks(settings, options) : settings;
  await writeSettings({ settings: all, note }, what, { command: "mcp", host }, options);
}

/** The settings with the hooks of Claude Code in the file that has its rules. */
function withHooks(
  settings: readonly SettingsFile[],
  // A hook has another time than a call of the server.
  { timeout: _, ...options }: McpOptions,
): readonly SettingsFile[] {
  const { file, entries } = hookSettings("user", options);
  return settings.map((own) => (own.file === file ? { ...own, entries: [...own.entries, ...entries] } : own));
}

/** The start of this installation, with the options that were given beside. */
function startOf(options: McpOptions): InstalledStart {
  const { connect, tokenFile, timeout, via, onCancel, idle, notify, notifyText, approvals } = options;
  const flags = flagWords({
    "--connect": connect,
    "--token-file": tokenFile,
    "--timeout": timeout,
    "--via": via === "gateway" ? undefined : via,
    "--on-cancel": onCancel === "keep" ? undefined : onCancel,
    "--idle": idle,
    "--notify": notify,
    "--notify-text": notifyText,
  });
  const { ASKWIRE_HOME } = process.env;
  const [command, ...words] = ownStart();
  return {
    command,
    args: [...words, "mcp", ...flags, ...(approvals === true ? ["--approvals"] : [])],
    env: ASKWIRE_HOME === undefined ? {} : { ASKWIRE_HOME },
  };
}
