/** The time that a host of MCP gives a tool call, as known of its versions up to November 2026. */
export interface HostLimit {
  /** The host for people. */
  readonly host: string;
  /** The beginning of its name in `clientInfo`. */
  readonly name: string;
  /** The version whose name in `clientInfo` and whose use of progress were seen. Undefined where they are assumed. */
  readonly seen?: string;
  /** The part of a result that it sends its model, as seen; undefined where that is not known. */
  readonly modelReads?: "structure" | "text";
  /** The limit as people know it. */
  readonly limit: string;
  /** True where progress extends the limit; undefined where that is not known. */
  readonly progressExtends?: boolean;
  /** The seconds after which a call returns with the handle. */
  readonly waitSeconds: number;
  /** The host's own setting of the limit. */
  readonly setting?: string;
}

/** The seconds after which a call of an unknown host returns: less than the minute of the SDKs. */
export const DEFAULT_WAIT_SECONDS = 50;

/** The limits by host (docs/mcp.md shows this table). */
export const hostLimits: readonly HostLimit[] = [
  {
    host: "Claude Code",
    name: "claude-code",
    seen: "2.1.332",
    modelReads: "structure",
    limit: "27 hours, to the background after 2 minutes, 30 minutes without progress",
    progressExtends: false,
    waitSeconds: 110,
    setting: "`timeout` of the server, `MCP_TOOL_TIMEOUT`",
  },
  {
    host: "Codex",
    name: "codex-mcp-client",
    seen: "0.171.0",
    modelReads: "structure",
    limit: "5 minutes, of older versions 1 minute",
    progressExtends: false,
    waitSeconds: DEFAULT_WAIT_SECONDS,
    setting: "`tool_timeout_sec`",
  },
  {
    host: "OpenCode",
    name: "opencode",
    seen: "1.18.33",
    modelReads: "text",
    limit: "none for minutes of progress",
    progressExtends: true,
    waitSeconds: 240,
    setting: "`timeout` of the server",
  },
  {
    host: "Gemini CLI",
    name: "gemini-cli-mcp-client",
    seen: "0.61.0",
    modelReads: "text",
    limit: "10 minutes",
    progressExtends: false,
    waitSeconds: 540,
    setting: "`timeout` of the server",
  },
  {
    host: "VS Code",
    name: "Visual Studio Code",
    limit: "none; trouble after 5 minutes is reported",
    waitSeconds: 240,
  },
  { host: "Cursor", name: "cursor", limit: "not established", waitSeconds: DEFAULT_WAIT_SECONDS },
  { host: "Zed", name: "Zed", limit: "not established", waitSeconds: DEFAULT_WAIT_SECONDS },
  {
    host: "Claude Desktop",
    name: "claude-ai",
    limit: "1 to 4 minutes",
    progressExtends: false,
    waitSeconds: DEFAULT_WAIT_SECONDS,
  },
  {
    host: "MCP Inspector",
    name: "inspector",
    seen: "2.12.0",
    limit: "1 minute",
    progressExtends: false,
    waitSeconds: DEFAULT_WAIT_SECONDS,
  },
];

/** The seconds that a call of a host may wait for a person, by the host's name in `clientInfo`. */
export function waitSecondsFor(clientName: string | undefined): number {
  const name = clientName?.toLowerCase() ?? "";
  const known = hostLimits.find((host) => name.startsWith(host.name.toLowerCase()));
  return known?.waitSeconds ?? DEFAULT_WAIT_SECONDS;
}
