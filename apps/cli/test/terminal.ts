import type { ReadStream } from "node:tty";
import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { onTestFinished } from "vitest";
import { command } from "./askwire.js";

/** A program in a real pseudo-terminal, with the screen that a person would see. */
export interface Terminal {
  /** Sends keys, or bytes, as they are: `"\r"` is Enter, `"\u0003"` Ctrl-C. */
  type(keys: string | Buffer): void;
  /** The text on the screen and above, without trailing blanks. A line that the terminal wrapped is one line. */
  screen(): string;
  /** The rows that are on the screen now, without trailing blanks. */
  rows(): string[];
  /** The row below the prompt while a turn runs, which is in no other text. Undefined where there is none. */
  status(): string | undefined;
  /** The position of the cursor on the screen, from 0; undefined while it is hidden. */
  cursor(): { row: number; column: number } | undefined;
  /** Everything that the program sent, escape sequences included. */
  readonly sent: string;
  /** Everything that the program has written, of which a part may still be on its way. */
  readonly written: string;
  /**
   * Resolves with the screen once it has the text, `times` times if that is given.
   *
   * @throws Error that shows the screen, after a minute or when the program has ended without it.
   */
  waitFor(text: string | RegExp, options?: { times?: number }): Promise<string>;
  /** Waits for a text on the present screen, with its rows joined by line feeds. */
  waitForRows(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly ended: Promise<{ exitCode: number; signal: number | undefined }>;
  /** Closes the terminal itself, as a window that is closed does. */
  hangUp(): void;
  /** Sends a signal to the program. */
  send(signal: NodeJS.Signals): void;
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
  /** The time that each byte takes, in either direction, in milliseconds. Default: none. */
  readonly delayMs?: number;
}

/** Sequences that hide and show the cursor. */
const [HIDE, SHOW] = ["\u001b[?25l", "\u001b[?25h"];

/** The row below the prompt begins with the picture of a spinner. */
const STATUS = /^ {2}[\u2800-\u28ff] /;

/** Lines that are kept above the screen. */
const SCROLLBACK = 1_000;
/** The time for a text to appear, in milliseconds: a bound for a text that never comes. */
const DEADLINE_MS = 60_000;

/** The time for the last output of a program that has ended, in milliseconds, where something else still has its terminal. */
const LAST_WORDS_MS = 5_000;

/** The built command in a terminal. */
export const openAskwire = (args: readonly string[], options?: TerminalOptions): Terminal =>
  openTerminal(process.execPath, [command, ...args], options);

/** A program in a terminal that is closed after the test. */
export function openTerminal(file: string, args: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns: cols = 80, rows = 24, cwd = process.cwd(), delayMs } = options;
  const { NO_COLOR: _none, ...inherited } = process.env;
  // The display is xterm.js.
  const env = { ...inherited, TERM: "xterm-256color", TERM_PROGRAM: "vscode", ...options.env };
  const program = pty.spawn(file, [...args], { name: env.TERM, cols, rows, cwd, env });
  const letGoAtOnce = readsItsLastWords(program);
  const display = new headless.Terminal({ cols, rows, scrollback: SCROLLBACK, allowProposedApi: true });
  const watchers = new Set<() => void>();
  /** Lets something come after its time on the line, in its order. */
  const later = (come: () => void) => {
    if (delayMs === undefined) come();
    else setTimeout(come, delayMs);
  };
  let sent = "";
  let written = "";
  let hasEnded = false;

  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  // The display answers a program's questions, such as for the cursor's place.
  display.onData((answer) => later(() => program.write(answer)));
  program.onData((data) => {
    written += data;
    later(() => {
      sent += data;
      display.write(data, notify);
    });
  });
  const ended = new Promise<{ exitCode: number; signal: number | undefined }>((resolve) => {
    program.onExit(({ exitCode, signal }) =>
      later(() =>
        display.write("", () => {
          hasEnded = true;
          notify();
          resolve({ exitCode, signal });
        }),
      ),
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
    return lines
      .filter((line) => !STATUS.test(line))
      .join("\n")
      .trimEnd();
  }

  const visibleRows = () => {
    const shown = allRows().filter((row) => !STATUS.test(row));
    return shown.slice(0, shown.findLastIndex((row) => row !== "") + 1);
  };

  function allRows(): string[] {
    const { active } = display.buffer;
    return Array.from({ length: display.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? "").trimEnd(),
    );
  }

  function waitUntil(
    look: () => string,
    text: string | RegExp,
    { times = 1 }: { times?: number } = {},
  ): Promise<string> {
    const pattern = typeof text === "string" ? text : new RegExp(text, `${text.flags.replace("g", "")}g`);
    return new Promise((resolve, reject) => {
      const settle = (problem?: string) => {
        clearTimeout(timer);
        watchers.delete(watch);
        const found = look();
        if (problem === undefined) resolve(found);
        else reject(new Error(`${problem}: ${times} × ${text}. The screen:\n${found}`));
      };
      const watch = () => {
        const found = look();
        const count =
          typeof pattern === "string" ? found.split(pattern).length - 1 : [...found.matchAll(pattern)].length;
        if (count >= times) settle();
        else if (hasEnded) settle("the program ended without");
      };
      const timer = setTimeout(() => settle(`not on the screen after ${DEADLINE_MS} ms`), DEADLINE_MS);
      watchers.add(watch);
      watch();
    });
  }

  function close(): void {
    if (!hasEnded) program.kill("SIGKILL");
  }
  onTestFinished(close);

  return {
    // Bytes go to the stream as they are, whatever the declaration says.
    type: (keys) => later(() => program.write(keys as string)),
    screen,
    rows: visibleRows,
    status: () =>
      allRows()
        .find((row) => STATUS.test(row))
        ?.trim(),
    cursor() {
      if (sent.lastIndexOf(HIDE) > sent.lastIndexOf(SHOW)) return undefined;
      return { row: display.buffer.active.cursorY, column: display.buffer.active.cursorX };
    },
    hangUp() {
      letGoAtOnce();
      // The declarations leave it out.
      (program as typeof program & { destroy(): void }).destroy();
    },
    send: (signal) => program.kill(signal),
    get sent() {
      return sent;
    },
    get written() {
      return written;
    },
    waitFor: (text, options) => waitUntil(screen, text, options),
    waitForRows: (text) => waitUntil(() => visibleRows().join("\n"), text),
    resize(columns, height) {
      later(() => program.resize(columns, height));
      display.resize(columns, height);
    },
    ended,
    close,
  };
}

/**
 * Reads what a program wrote last. node-pty lets go of a terminal 200 ms after the end of its program, when on a busy machine
 * the kernel may still have something to hand over; after that the terminal closes by itself.
 *
 * @returns what lets node-pty let go at once.
 */
function readsItsLastWords(program: pty.IPty): () => void {
  const { _socket: socket } = program as unknown as { readonly _socket: ReadStream };
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (error === undefined) setTimeout(destroy, LAST_WORDS_MS).unref();
    else destroy(error);
    return socket;
  };
  return () => {
    socket.destroy = destroy;
  };
}
