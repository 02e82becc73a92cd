import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";

/** A program in a real pseudo-terminal, with the screen that a person would see. */
export interface Terminal {
  /** Sends keys as they are: `"\r"` is Enter, `"\u0003"` Ctrl-C. */
  type(keys: string): void;
  /** What is on the screen and above it, without trailing blanks; a line that the terminal wrapped is one line. */
  screen(): string;
  /** Everything that the program sent, escape sequences included. */
  readonly sent: string;
  /**
   * Resolves with the screen once it has the text, `times` times if that is given.
   *
   * @throws Error that shows the screen, after `deadlineMs` (default 5,000) or when the program has ended without it.
   */
  waitFor(text: string | RegExp, options?: { times?: number; deadlineMs?: number }): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly ended: Promise<{ exitCode: number; signal: number | undefined }>;
  /** Ends the program if it still runs. */
  close(): void;
}

export interface TerminalOptions {
  readonly cwd?: string;
  /** On top of this process's environment, in which colours are not forbidden. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: 80 by 24. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Lines that are kept above the screen. */
const SCROLLBACK = 1_000;

export function openTerminal(
  command: string,
  args: readonly string[],
  options: TerminalOptions = {},
): Terminal {
  const { columns: cols = 80, rows = 24, cwd = process.cwd() } = options;
  const { NO_COLOR: _none, ...inherited } = process.env;
  const env = { ...inherited, TERM: "xterm-256color", ...options.env };
  const program = pty.spawn(command, [...args], { name: env.TERM, cols, rows, cwd, env });
  const display = new headless.Terminal({ cols, rows, scrollback: SCROLLBACK, allowProposedApi: true });
  const watchers = new Set<() => void>();
  let sent = "";
  let hasEnded = false;

  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  // What a program asks of its terminal, such as where the cursor is, the display answers.
  display.onData((answer) => program.write(answer));
  program.onData((data) => {
    sent += data;
    display.write(data, notify);
  });
  const ended = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    program.onExit(({ exitCode, signal }) =>
      display.write("", () => {
        hasEnded = true;
        notify();
        resolve({ exitCode, signal });
      }),
    );
  });

  function screen(): string {
    const buffer = display.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < buffer.length; row++) {
      // A line that goes on below keeps its blanks: they may be between two words.
      const text = buffer.getLine(row)?.translateToString(!buffer.getLine(row + 1)?.isWrapped) ?? "";
      if (buffer.getLine(row)?.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  return {
    type: (keys) => program.write(keys),
    screen,
    get sent() {
      return sent;
    },
    waitFor(text, { times = 1, deadlineMs = 5_000 } = {}) {
      const pattern = typeof text === "string" ? text : new RegExp(text, `${text.flags.replace("g", "")}g`);
      return new Promise((resolve, reject) => {
        const settle = (problem?: string) => {
          clearTimeout(timer);
          watchers.delete(look);
          const found = screen();
          if (problem === undefined) resolve(found);
          else reject(new Error(`${problem}: ${times} × ${text}. The screen:\n${found}`));
        };
        const look = () => {
          const found = screen();
          const count =
            typeof pattern === "string"
              ? found.split(pattern).length - 1
              : [...found.matchAll(pattern)].length;
          if (count >= times) settle();
          else if (hasEnded) settle("the program ended without");
        };
        const timer = setTimeout(() => settle(`not on the screen after ${deadlineMs} ms`), deadlineMs);
        watchers.add(look);
        look();
      });
    },
    resize(columns, height) {
      program.resize(columns, height);
      display.resize(columns, height);
    },
    ended,
    close() {
      if (!hasEnded) program.kill("SIGKILL");
    },
  };
}
