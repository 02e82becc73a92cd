import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { command } from "../askwire.js";
import { start } from "../panel/at-panel.js";
import type { TerminalOptions } from "../terminal.js";

/** `askwire` in a terminal that keeps all that it has shown. */
export interface Recorded {
  /** Everything above and on the screen. A line that the terminal wrapped is one line. */
  whole(): string;
  /** Resolves once the whole has a text. */
  has(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  resize(columns: number): void;
  /** The bytes that came so far. Undefined where they cannot be counted. */
  readonly bytes: number | undefined;
}

const ROWS = 24;

/** In a pseudo-terminal with a headless xterm.js. */
export function inXterm(args: readonly string[], options: TerminalOptions): Recorded {
  const terminal = start(args, { ...options, rows: ROWS });
  return {
    whole: terminal.screen,
    async has(text) {
      await terminal.waitFor(text);
    },
    type: terminal.type,
    resize: (columns) => terminal.resize(columns, ROWS),
    get bytes() {
      return Buffer.byteLength(terminal.sent);
    },
  };
}

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** In a pane of a tmux of its own. */
export function inTmux(args: readonly string[], { columns = 80, cwd }: TerminalOptions): Recorded {
  const folder = mkdtempSync(join(tmpdir(), "askwire-tmux-"));
  const socket = join(folder, "s");
  const settings = join(folder, "tmux.conf");
  writeFileSync(settings, "set -g history-limit 5000\nset -g status off\n");
  const tmux = (...line: readonly string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", settings, ...line], { cwd, encoding: "utf8", stdio: "pipe" });
  onTestFinished(() => {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(folder, { recursive: true, force: true });
  });
  const size = ["-x", `${columns}`, "-y", `${ROWS}`];
  const env = ["-e", `ASKWIRE_HOME=${folder}`, "-e", "LC_ALL=C.UTF-8"];
  const line = [process.execPath, command, ...args].map((part) => `'${part.replaceAll("'", "'\\''")}'`);
  tmux("new-session", "-d", ...size, ...env, line.join(" "));
  const whole = () => tmux("capture-pane", "-p", "-J", "-S", "-").trimEnd();
  return {
    whole,
    async has(text) {
      const told = expect.poll(whole, { timeout: 60_000, interval: 100 });
      if (typeof text === "string") await told.toContain(text);
      else await told.toMatch(text);
    },
    type: (keys) => void tmux("send-keys", "-H", ...[...Buffer.from(keys)].map((byte) => byte.toString(16))),
    resize: (width) => void tmux("resize-window", "-x", `${width}`, "-y", `${ROWS}`),
    bytes: undefined,
  };
}
