import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  /** @param rows Default: 24. */
  resize(columns: number, rows?: number): void;
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
    resize: (columns, rows = ROWS) => terminal.resize(columns, rows),
    get bytes() {
      return Buffer.byteLength(terminal.sent);
    },
  };
}

/** In a window of GNU screen, whose size stays 80 columns by 24 rows. Its copies have ASCII alone: `❯` is an `o`. */
export function inScreen(args: readonly string[], { cwd }: TerminalOptions): Recorded {
  const folder = mkdtempSync(join(tmpdir(), "askwire-screen-"));
  const settings = join(folder, "screenrc");
  writeFileSync(settings, "startup_message off\ndefscrollback 5000\ndefutf8 on\n");
  const env = { ...process.env, SCREENDIR: folder, ASKWIRE_HOME: folder, LC_ALL: "C.UTF-8" };
  const screen = (...line: readonly string[]) =>
    execFileSync("screen", ["-S", "recorded", "-c", settings, "-U", ...line], { cwd, env, stdio: "pipe" });
  chmodSync(folder, 0o700);
  onTestFinished(() => {
    spawnSync("screen", ["-S", "recorded", "-X", "quit"], { env });
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  screen("-dm", process.execPath, command, ...args);
  const shown = join(folder, "shown");
  const whole = () => {
    screen("-p", "0", "-X", "hardcopy", "-h", shown);
    // A question is answered once the copy is there.
    screen("-Q", "windows");
    return readFileSync(shown, "utf8").trimEnd();
  };
  return {
    whole,
    has: (text) => untilHas(whole, text),
    type(keys) {
      for (const part of keys.match(/.{1,100}/gsu) ?? []) screen("-p", "0", "-X", "stuff", octal(part));
    },
    resize: () => {},
    bytes: undefined,
  };
}

/** Bytes as screen reads them. */
const octal = (text: string) =>
  [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

async function untilHas(whole: () => string, text: string | RegExp): Promise<void> {
  const told = expect.poll(whole, { timeout: 60_000, interval: 100 });
  if (typeof text === "string") await told.toContain(text);
  else await told.toMatch(text);
}

export const hasScreen = spawnSync("screen", ["-v"]).error === undefined;
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
    has: (text) => untilHas(whole, text),
    type: (keys) => void tmux("send-keys", "-H", ...[...Buffer.from(keys)].map((byte) => byte.toString(16))),
    resize: (width, rows = ROWS) => void tmux("resize-window", "-x", `${width}`, "-y", `${rows}`),
    bytes: undefined,
  };
}
