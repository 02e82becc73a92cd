import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { McpOptions } from "../command-line/mcp.js";
import { usageFailure } from "../input/failure.js";
import { hostSettings, type InstalledStart } from "../mcp/install/host-settings.js";
import { writeSettings } from "./write-settings.js";

/** Puts the server, and the rule that allows its tools, into the settings of a host, or takes them out again. */
export async function mcpInstall(options: McpOptions): Promise<void> {
  const { install, uninstall } = options;
  const host = install ?? uninstall;
  if (host === undefined || (install ?? uninstall) !== (uninstall ?? install))
    throw usageFailure("mcp: --install and --uninstall together: leave one out");
  const what = uninstall === undefined ? "install" : "uninstall";
  const around = { home: homedir(), platform: process.platform, env: process.env };
  await writeSettings(hostSettings(host, around, startOf(options)), what, { command: "mcp", host }, options);
}

/** The start of this installation, with the options that were given beside. */
function startOf(options: McpOptions): InstalledStart {
  const { connect, tokenFile, timeout, via, onCancel, idle, notify, notifyText } = options;
  const given: readonly (readonly [string, string | number | undefined])[] = [
    ["--connect", connect],
    ["--token-file", tokenFile],
    ["--timeout", timeout],
    ["--via", via === "gateway" ? undefined : via],
    ["--on-cancel", onCancel === "keep" ? undefined : onCancel],
    ["--idle", idle],
    ["--notify", notify],
    ["--notify-text", notifyText],
  ];
  const flags = given.flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
  const { ASKWIRE_HOME } = process.env;
  return {
    command: process.execPath,
    args: [realpathSync(process.argv[1] ?? ""), "mcp", ...flags],
    env: ASKWIRE_HOME === undefined ? {} : { ASKWIRE_HOME },
  };
}
