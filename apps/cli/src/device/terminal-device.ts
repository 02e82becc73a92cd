import { Readable } from "node:stream";
import { isatty } from "node:tty";
import { hasControllingTerminal } from "./controlling-terminal.js";
import { terminalSize } from "./terminal-size.js";

/** A terminal: its keys, its size, its signals. */
export interface TerminalDevice {
  readonly size: { readonly columns: number; readonly rows: number };
  /** Set if the cursor leaves its line when the terminal gets another width. */
  readonly strayCursor: boolean;
  write(text: string): void;
  /** Switches raw mode: keys come one by one, unseen, for a program that shows them itself. */
  raw(on: boolean): void;
  /** Reads the current size. The signal for a new size may come later than the next frame. */
  measure(): void;
  /** Stops this process and its group, as Ctrl-Z does. Returns when they go on. */
  stop(): void;
  /** Leaves the keys to another program, in the mode that the terminal was found in, or takes them again. */
  yield(on: boolean): void;
  /** Stops reading. */
  close(): void;
}

interface Listener {
  typed(chunk: Buffer): void;
  /** No key will come: the terminal is gone, or a person ended a terminal that gives whole lines (Ctrl-D). */
  ended(how: "gone" | "typed"): void;
  resized(): void;
  /** This process goes on after another process stopped it. */
  continued(): void;
}

/** The time in which the signal that ended our own stop may come, in milliseconds. */
const CONTINUED_MS = 100;

export function terminalDevice(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  told: Listener,
): TerminalDevice {
  let isRaw = false;
  let wentOnAt = Number.NEGATIVE_INFINITY;

  function raw(on: boolean): void {
    isRaw = on;
    if (!input.destroyed && typeof input.setRawMode === "function") input.setRawMode(on);
  }
  /** Refreshes the size. Node follows the size of standard output only, not of a terminal opened by its path. */
  function refreshSize(): void {
    if (!output.destroyed) (output as Partial<{ _refreshSize(): void }>)._refreshSize?.();
  }
  const typed = (chunk: Buffer | string) => {
    refreshSize();
    told.typed(Buffer.from(chunk as string));
  };
  const gone = () => told.ended("gone");
  // A terminal that has hung up is none any more. A stream of the controlling terminal has no descriptor to ask.
  const { fd } = input as Partial<{ fd: number }>;
  const isThere = () => (fd === undefined ? hasControllingTerminal() : isatty(fd));
  const ended = () => told.ended(isThere() ? "typed" : "gone");
  const continued = () => {
    if (performance.now() - wentOnAt < CONTINUED_MS) return;
    // Node would assume the mode that it left.
    if (isRaw) {
      raw(false);
      raw(true);
    }
    refreshSize();
    told.continued();
  };

  input.on("data", typed).resume();
  input.on("end", ended);
  for (const event of ["error", "close"]) input.on(event, gone);
  if (output.isTTY) output.on("error", gone);
  output.on("resize", told.resized);
  process.on("SIGWINCH", refreshSize);
  process.on("SIGCONT", continued);

  return {
    get size() {
      return terminalSize(output);
    },
    // Terminals made of xterm.js use this name.
    strayCursor: env.TERM_PROGRAM === "vscode",
    write: (text) => void output.write(text),
    raw,
    measure: refreshSize,
    stop() {
      const was = isRaw;
      raw(false);
      process.kill(0, "SIGTSTP");
      // Continued, or not stopped at all: a shell protects the processes in its own $(…).
      wentOnAt = performance.now();
      raw(was);
      refreshSize();
    },
    yield(on) {
      if (input.destroyed) return;
      if (on) {
        input.off("data", typed).pause();
        raw(false);
      } else {
        raw(true);
        input.on("data", typed).resume();
        refreshSize();
      }
    },
    close() {
      input.off("data", typed);
      // Later errors are no failure, so the listener for "error" stays.
      input.off("end", ended).off("close", gone);
      output.off("resize", told.resized);
      process.off("SIGWINCH", refreshSize);
      process.off("SIGCONT", continued);
      input.pause();
    },
  };
}

/** Bytes for a reader that takes a stream. Given bytes are read before `give` returns. */
export function byteSource(raw: (on: boolean) => void = () => {}): {
  stream: Readable;
  give(chunk: Buffer): void;
  end(): void;
} {
  const stream = Object.assign(new Readable({ read() {} }), { setRawMode: raw });
  return {
    stream,
    give: (chunk) => void stream.emit("data", chunk),
    end: () => void stream.emit("end"),
  };
}
