import { Readable } from "node:stream";
import { isatty } from "node:tty";
import { hasControllingTerminal } from "./controlling-terminal.js";
import { terminalSize } from "./terminal-size.js";

interface Listener {
  typed(chunk: Buffer): void;
  /** No key will come: the terminal is gone, or a person ended a terminal that gives whole lines (Ctrl-D). */
  ended(how: "gone" | "typed"): void;
  resized(): void;
  /** This process resumes after another process stopped it. */
  continued(): void;
}

/** The time in which the signal that ended our own stop may come, in milliseconds. */
const CONTINUED_MS = 100;

/** A terminal: its keys, its size, its signals. */
export class TerminalDevice {
  /** Set if the cursor leaves its line when the terminal gets another width. */
  readonly strayCursor: boolean;
  readonly #input: NodeJS.ReadStream;
  readonly #output: NodeJS.WriteStream;
  readonly #told: Listener;
  #isRaw = false;
  #wentOnAt = Number.NEGATIVE_INFINITY;

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, env: NodeJS.ProcessEnv, told: Listener) {
    // Terminals made of xterm.js use this name.
    this.strayCursor = env.TERM_PROGRAM === "vscode";
    this.#input = input;
    this.#output = output;
    this.#told = told;
    input.on("data", this.#typed).resume();
    input.on("end", this.#ended);
    for (const event of ["error", "close"]) input.on(event, this.#gone);
    if (output.isTTY) output.on("error", this.#gone);
    output.on("resize", told.resized);
    process.on("SIGWINCH", this.#refreshSize);
    process.on("SIGCONT", this.#continued);
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return terminalSize(this.#output);
  }

  write(text: string): void {
    this.#output.write(text);
  }

  /** Switches raw mode: keys come one by one, unseen, for a program that shows them itself. */
  raw(on: boolean): void {
    this.#isRaw = on;
    const input: Partial<NodeJS.ReadStream> = this.#input;
    if (!input.destroyed) input.setRawMode?.(on);
  }

  /** Reads the current size. The signal for a new size may come later than the next frame. */
  measure(): void {
    this.#refreshSize();
  }

  /** Stops this process and its group, as Ctrl-Z does. Returns when they resume. */
  stop(): void {
    const wasRaw = this.#isRaw;
    this.raw(false);
    process.kill(0, "SIGTSTP");
    // Continued, or not stopped at all: a shell protects the processes in its own $(…).
    this.#wentOnAt = performance.now();
    this.raw(wasRaw);
    this.#refreshSize();
  }

  /** Leaves the keys to another program, in the mode that the terminal was found in, or takes them again. */
  yield(on: boolean): void {
    if (this.#input.destroyed) return;
    if (on) {
      this.#input.off("data", this.#typed).pause();
      this.raw(false);
    } else {
      this.raw(true);
      this.#input.on("data", this.#typed).resume();
      this.#refreshSize();
    }
  }

  /** Stops reading. */
  close(): void {
    this.#input.off("data", this.#typed);
    // Later errors are no failure, so the listener for "error" stays.
    this.#input.off("end", this.#ended).off("close", this.#gone);
    this.#output.off("resize", this.#told.resized);
    process.off("SIGWINCH", this.#refreshSize);
    process.off("SIGCONT", this.#continued);
    this.#input.pause();
  }

  /** Refreshes the size. Node follows the size of standard output only, not of a terminal opened by its path. */
  readonly #refreshSize = (): void => {
    const output = this.#output as Partial<{ _refreshSize(): void }>;
    if (!this.#output.destroyed) output._refreshSize?.();
  };

  readonly #typed = (chunk: Buffer | string): void => {
    this.#refreshSize();
    this.#told.typed(Buffer.from(chunk as string));
  };

  readonly #gone = (): void => this.#told.ended("gone");

  readonly #ended = (): void => this.#told.ended(this.#isThere() ? "typed" : "gone");

  /** A terminal that has hung up no longer is one. A stream of the controlling terminal has no descriptor to ask. */
  #isThere(): boolean {
    const { fd } = this.#input as Partial<{ fd: number }>;
    return fd === undefined ? hasControllingTerminal() : isatty(fd);
  }

  readonly #continued = (): void => {
    if (performance.now() - this.#wentOnAt < CONTINUED_MS) return;
    // Node would assume the mode that it left.
    if (this.#isRaw) {
      this.raw(false);
      this.raw(true);
    }
    this.#refreshSize();
    this.#told.continued();
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
