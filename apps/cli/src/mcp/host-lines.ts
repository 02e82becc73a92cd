import type { StartWords } from "../installed/own-start.js";

/** The hosts whose settings are known. */
export const installHosts = ["claude", "codex", "opencode", "gemini", "cursor", "vscode", "zed"] as const;
export type InstallHost = (typeof installHosts)[number];

/** The ways to have a host start `askwire mcp`: its own command where it has one, and a file. */
interface HostLines {
  /** The beginning of the host's own command; the program and its arguments follow. */
  readonly adds?: string;
  readonly file: string;
  readonly content: (program: string, args: readonly string[]) => string;
}

/** Seconds of a call that are set in Codex, whose own limit is short, and the seconds that a call then waits. */
const CODEX_CALL_S = 600;
const CODEX_WAIT_S = 540;

const json = (value: object) => JSON.stringify(value, null, 2);
const servers = (command: string, args: readonly string[]) =>
  json({ mcpServers: { askwire: { command, args } } });

/** The hosts whose lines are known, by the name for `--print`. */
export const hostLines: Readonly<Record<string, HostLines>> = {
  "claude-code": {
    adds: "claude mcp add askwire --",
    file: ".mcp.json of a project",
    content: (command, args) => json({ mcpServers: { askwire: { type: "stdio", command, args } } }),
  },
  codex: {
    adds: "codex mcp add askwire --",
    file: "~/.codex/config.toml",
    content: (command, args) =>
      [
        "[mcp_servers.askwire]",
        `command = ${JSON.stringify(command)}`,
        `args = [${[...args, "--timeout", String(CODEX_WAIT_S)].map((arg) => JSON.stringify(arg)).join(", ")}]`,
        `tool_timeout_sec = ${CODEX_CALL_S}`,
      ].join("\n"),
  },
  opencode: {
    file: "opencode.json",
    content: (command, args) =>
      json({ mcp: { askwire: { type: "local", command: [command, ...args], enabled: true } } }),
  },
  gemini: {
    adds: "gemini mcp add -s user askwire",
    file: "~/.gemini/settings.json",
    content: servers,
  },
  cursor: { file: ".cursor/mcp.json of a project, or ~/.cursor/mcp.json", content: servers },
  vscode: {
    file: ".vscode/mcp.json",
    content: (command, args) => json({ servers: { askwire: { type: "stdio", command, args } } }),
  },
  zed: {
    file: "the settings of Zed",
    content: (command, args) => json({ context_servers: { askwire: { command, args } } }),
  },
};

/**
 * Tells the person what to type, or to write into which file, so that a host starts this installation.
 *
 * @param host a key of {@link hostLines}.
 * @param start the words that start this command.
 */
export function linesFor(host: string, [program, ...words]: StartWords): string {
  const { adds, file, content } = hostLines[host] as HostLines;
  const args = [...words, "mcp"];
  const indented = (text: string) => text.replace(/^/gm, "  ");
  const typed =
    adds === undefined ? "" : `Type:\n\n  ${[adds, ...[program, ...args].map(quoted)].join(" ")}\n\nor `;
  return `${typed}${adds === undefined ? "Put" : "put"} into ${file}:\n\n${indented(content(program, args))}\n`;
}

/** A word for a shell. */
const quoted = (word: string) =>
  /^[\w./:@%+=,\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
