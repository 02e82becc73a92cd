import type { Frame } from "./loan.js";
import { createScreen } from "./screen.js";
import { createStopKey } from "./stop-key.js";
import { terminalDevice } from "./terminal-device.js";
import { terminalModes } from "./terminal-modes.js";

/**
 * A terminal in raw mode, with one frame below everything else that is written.
 * At every end of this process the terminal is left as found: without the frame, its modes off.
 */
export interface PaintedTerminal {
  readonly size: { readonly columns: number; readonly rows: number };
  /** Reads the current size. */
  measure(): void;
  /** Paints a frame in place of the last one, with whole lines above it. */
  show(frame: Frame, above?: string): void;
  /** Writes whole lines above the frame. */
  above(text: string): void;
  /** Writes bytes that are no text: a bell, a title, a notification. The frame stays in place. */
  signal(sequence: string): void;
  /** Restores the earlier title of the window. */
  untitle(): void;
  /**
   * Lets another program have the terminal. Whole lines that are written meanwhile follow when it has ended; the signal
   * is aborted when the terminal is left.
   */
  away<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Wipes the screen; the frame is painted anew. */
  wipe(): void;
  /** Writes the rest in place of the frame, and leaves the terminal. */
  close(): void;
}

interface User {
  /** Bytes from the keyboard, without Ctrl-Z. */
  typed(chunk: Buffer): void;
  /** Asks for a new frame. */
  redraw(): void;
  /** No key will come: the terminal is gone, or a person ended it. */
  ended(how: "gone" | "typed"): void;
  /** The text that stays on the terminal in place of the frame. */
  rest(): string;
}

/** The most UTF-16 units of lines that wait while another program has the terminal; older lines are dropped. */
const MOST_WAITING = 1_048_576;

/** The sequence that sets the title of a window. Later titles are the terminal's until the title is given back. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one.
const TITLE = /^\u001b\][012];/;

export function paintedTerminal(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  user: User,
): PaintedTerminal {
  const modes = terminalModes();
  const cutAtStops = createStopKey(() => performance.now());
  let over = false;
  /** Set while this process is being stopped, or another has the terminal: nothing is drawn then. */
  let away = false;
  /** Ends the program that has the terminal. */
  let visitor: AbortController | undefined;
  /** The lines that wait for its end. */
  let waiting = "";
  let title = "";

  const device = terminalDevice(input, output, env, {
    typed(chunk) {
      if (process.platform === "win32") return user.typed(chunk);
      for (const part of cutAtStops(chunk)) {
        if (over) return;
        if (part === undefined) stop();
        else user.typed(part);
      }
    },
    ended: user.ended,
    resized() {
      screen.resized();
      if (!away) user.redraw();
    },
    continued() {
      if (away) return;
      // A shell has written below the frame since then, and its output stays.
      screen.forget();
      device.write(`\r\u001b[J${modes.again()}${modes.has("title") ? title : ""}`);
      user.redraw();
    },
  });
  const screen = createScreen(device, modes);

  function leave(): void {
    over = true;
    visitor?.abort();
    device.write(screen.erase() + waiting + user.rest() + modes.allOff());
    device.raw(false);
  }
  function stop(): void {
    away = true;
    const titled = modes.has("title");
    device.write(screen.erase() + modes.allOff());
    device.stop();
    away = false;
    again(titled);
  }
  function again(titled: boolean): void {
    device.write(modes.on("paste") + (titled ? modes.on("title") + title : ""));
    user.redraw();
  }
  async function lendOut<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const titled = modes.has("title");
    visitor = new AbortController();
    away = true;
    device.write(screen.erase() + modes.allOff());
    device.yield(true);
    try {
      return await run(visitor.signal);
    } finally {
      visitor = undefined;
      away = false;
      if (!over) {
        device.yield(false);
        const lines = waiting;
        waiting = "";
        if (lines !== "") screen.above(lines);
        again(titled);
      }
    }
  }
  function wait(lines: string): void {
    waiting = (waiting + lines).slice(-MOST_WAITING);
  }

  process.on("exit", leave);
  device.raw(true);
  device.write(modes.on("paste"));

  return {
    get size() {
      return device.size;
    },
    measure: device.measure,
    show(frame, above = "") {
      if (away) wait(above);
      else if (!over) screen.show(frame, above);
    },
    above(text) {
      if (away) wait(text);
      else screen.above(text);
    },
    signal(sequence) {
      const isTitle = TITLE.test(sequence);
      if (isTitle) title = sequence;
      if (away) return;
      device.write((isTitle ? modes.on("title") : "") + sequence);
    },
    untitle: () => device.write(modes.off("title")),
    away: lendOut,
    wipe() {
      screen.forget();
      device.write("\u001b[H\u001b[2J");
    },
    close() {
      if (over) return;
      process.off("exit", leave);
      leave();
      device.close();
    },
  };
}
