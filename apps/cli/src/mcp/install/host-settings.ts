// The settings of hosts: which file has the server, which the rule that allows it, and how each is written.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstallHost } from "../host-lines.js";
import { tools } from "../tools.js";

/** The machine and its person, as far as settings depend on them. */
export interface HostSurroundings {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
}

/** The way to start this installation. */
export interface InstalledStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A member of a settings file that is ours: a value at a path, or one in the list at a path. */
export type SettingsEntry = { readonly path: readonly string[]; readonly isServer?: true } & (
  | { readonly value: unknown }
  | {
      readonly listed: unknown;
      /** True for an earlier form of it, whose place it takes. Default: none is. */
      readonly isOurs?: (entry: unknown) => boolean;
      /** True for an entry of somebody's that has ours in it: then nothing is changed. Default: none is. */
      readonly isMixed?: (entry: unknown) => boolean;
      /** True where a list would take the place of one that the host keeps elsewhere: none is begun then. */
      readonly ifThere?: boolean;
    }
);

/** A settings file, with the entries that are ours. */
export interface SettingsFile {
  readonly file: string;
  readonly format: "json" | "toml";
  readonly entries: readonly SettingsEntry[];
}

/** The settings of a host, and what a person has to know of it. */
export interface HostSettings {
  readonly settings: readonly SettingsFile[];
  readonly note: string;
}

const READS_ONLY = "It asks for no permission, since the tools are marked as reading only.";
const RESTART = "Start it again afterwards.";
/** Seconds of a call that are set in Codex, and the seconds that a call then waits. */
const CODEX_S = { call: 600, wait: 540 };

const json = (file: string, ...entries: SettingsEntry[]): SettingsFile => ({ file, format: "json", entries });
const server = (path: readonly string[], value: unknown): SettingsEntry => ({ path, value, isServer: true });

const settingsOf: Readonly<
  Record<InstallHost, (around: HostSurroundings, start: InstalledStart) => HostSettings>
> = {
  claude({ home, env }, start) {
    const { CLAUDE_CONFIG_DIR: own } = env;
    return {
      settings: [
        json(
          join(own || home, ".claude.json"),
          server(["mcpServers", "askwire"], { type: "stdio", ...plain(start) }),
        ),
        json(join(own || join(home, ".claude"), "settings.json"), {
          path: ["permissions", "allow"],
          listed: "mcp__askwire",
        }),
      ],
      note: `Claude Code writes the first file too, so close it before. ${RESTART}`,
    };
  },
  codex({ home, env }, { command, args, env: variables }) {
    const waits = args.includes("--timeout") ? [] : ["--timeout", String(CODEX_S.wait)];
    const value = {
      ...{ command, args: [...args, ...waits], tool_timeout_sec: CODEX_S.call },
      ...(Object.keys(variables).length > 0 && { env: variables }),
    };
    return {
      settings: [
        {
          file: join(env.CODEX_HOME || join(home, ".codex"), "config.toml"),
          format: "toml",
          entries: [server(["mcp_servers", "askwire"], value)],
        },
      ],
      note: `${READS_ONLY} ${RESTART}`,
    };
  },
  opencode(around, { command, args, env }) {
    const folder = join(configFolder(around), "opencode");
    const names = ["opencode.jsonc", "opencode.json"].map((name) => join(folder, name));
    const value = {
      ...{ type: "local", command: [command, ...args], enabled: true },
      ...(Object.keys(env).length > 0 && { environment: env }),
    };
    return {
      settings: [
        json(
          names.find((name) => existsSync(name)) ?? join(folder, "opencode.json"),
          server(["mcp", "askwire"], value),
        ),
      ],
      note: `It asks for no permission, unless your "permission" does: "askwire_*": "allow" then allows the tools. ${RESTART}`,
    };
  },
  gemini: ({ home }, start) => ({
    settings: [
      json(
        join(home, ".gemini", "settings.json"),
        server(["mcpServers", "askwire"], { ...plain(start), trust: true }),
      ),
    ],
    note: `"trust" is the rule that allows the tools. ${RESTART}`,
  }),
  cursor: ({ home }, start) => ({
    settings: [
      json(join(home, ".cursor", "mcp.json"), server(["mcpServers", "askwire"], plain(start))),
      json(join(home, ".cursor", "permissions.json"), {
        ...{ path: ["mcpAllowlist"], listed: "askwire:*", ifThere: true },
      }),
    ],
    note: 'Without a "mcpAllowlist" in permissions.json, the rule stands in Cursor\'s own settings: allow the tools there when it first asks.',
  }),
  vscode: (around, start) => ({
    settings: [
      json(
        join(appFolder(around, "Code"), "User", "mcp.json"),
        server(["servers", "askwire"], { type: "stdio", ...plain(start) }),
      ),
    ],
    note: READS_ONLY,
  }),
  zed(around, start) {
    const { platform, home } = around;
    const folder =
      platform === "win32"
        ? appFolder(around, "Zed")
        : join(platform === "darwin" ? join(home, ".config") : configFolder(around), "zed");
    const rules = tools.map(
      ({ name }): SettingsEntry => ({
        path: ["agent", "tool_permissions", "tools", `mcp:askwire:${name}`],
        value: { default: "allow" },
      }),
    );
    return {
      settings: [
        json(join(folder, "settings.json"), server(["context_servers", "askwire"], plain(start)), ...rules),
      ],
      note: "Zed 0.224 and later read the rules.",
    };
  },
};

/** The settings of a host that has to start this installation. */
export const hostSettings = (
  host: InstallHost,
  around: HostSurroundings,
  start: InstalledStart,
): HostSettings => settingsOf[host](around, start);

const plain = ({ command, args, env }: InstalledStart) => ({
  ...{ command, args: [...args] },
  ...(Object.keys(env).length > 0 && { env }),
});

const configFolder = ({ home, env }: HostSurroundings) => env.XDG_CONFIG_HOME || join(home, ".config");

function appFolder(around: HostSurroundings, name: string): string {
  const { home, platform, env } = around;
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), name);
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  return join(configFolder(around), name);
}
