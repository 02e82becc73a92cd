import { Readable } from "node:stream";
import { terminalSize } from "./terminal-size.js";

/** A terminal: its keys, its size, its signals. */
export interface TerminalDevice {
  readonly size: { readonly columns: number; readonly rows: number };
  /** See the screen's. */
  readonly strayCursor: boolean;
  write(text: string): void;
  /** Whether keys come one by one, unseen, as a program reads them that shows them itself. */
  raw(on: boolean): void;
  /** Learns of a new size now: its signal may come later than what is to be drawn in it. */
  measure(): void;
  /** Stops this process and those that wait for it, as Ctrl-Z does. Returns when they go on. */
  stop(): void;
  /** Stops reading. */
  close(): void;
}

interface Listener {
  typed(chunk: Buffer): void;
  /** Nobody will type any more. */
  gone(): void;
  resized(): void;
  /** This process was stopped by somebody else, and goes on. */
  continued(): void;
}

/** How long after a stop of our own the signal that ended it may come, in milliseconds. */
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
  /** Node sees to the size of standard output only, not to that of a terminal that was opened by its path. */
  function refreshSize(): void {
    if (!output.destroyed) (output as Partial<{ _refreshSize(): void }>)._refreshSize?.();
  }
  const typed = (chunk: Buffer | string) => {
    refreshSize();
    told.typed(Buffer.from(chunk as string));
  };
  const continued = () => {
    if (performance.now() - wentOnAt < CONTINUED_MS) return;
    // Node would take it to be as it left it.
    if (isRaw) {
      raw(false);
      raw(true);
    }
    refreshSize();
    told.continued();
  };

  input.on("data", typed).resume();
  for (const event of ["end", "error", "close"]) input.on(event, told.gone);
  if (output.isTTY) output.on("error", told.gone);
  output.on("resize", told.resized);
  process.on("SIGWINCH", refreshSize);
  process.on("SIGCONT", continued);

  return {
    get size() {
      return terminalSize(output);
    },
    // Those who have it made of xterm.js go by this name.
    strayCursor: env.TERM_PROGRAM === "vscode",
    write: (text) => void output.write(text),
    raw,
    measure: refreshSize,
    stop() {
      const was = isRaw;
      raw(false);
      process.kill(0, "SIGTSTP");
      // Continued, or not stopped at all: a shell protects what runs in its own $(…).
      wentOnAt = performance.now();
      raw(was);
      refreshSize();
    },
    close() {
      input.off("data", typed);
      // What is heard of it from now on is no failure, so "error" keeps its listener.
      for (const event of ["end", "close"]) input.off(event, told.gone);
      output.off("resize", told.resized);
      process.off("SIGWINCH", refreshSize);
      process.off("SIGCONT", continued);
      input.pause();
    },
  };
}

/** Bytes for a reader that takes a stream. What is given is read before `give` returns. */
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
