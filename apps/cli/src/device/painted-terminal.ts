import { processClock } from "./clock.js";
import type { Frame } from "./loan.js";
import { createScreen, type Screen } from "./screen.js";
import { SizeRest } from "./size-rest.js";
import { createStopKey } from "./stop-key.js";
import { TerminalDevice } from "./terminal-device.js";
import { terminalModes } from "./terminal-modes.js";

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

/**
 * A terminal in raw mode, with one frame below everything else that is written.
 * At every end of this process the terminal is left as found: without the frame, its modes off.
 */
export class PaintedTerminal {
  readonly #user: User;
  readonly #modes = terminalModes();
  readonly #cutAtStops = createStopKey(() => performance.now());
  readonly #device: TerminalDevice;
  readonly #screen: Screen;
  readonly #sizeRest: SizeRest;
  readonly #isInTmux: boolean;
  /** Nothing is drawn while this process is stopped, or another has the terminal ("away"). */
  #state: "here" | "away" | "left" = "here";
  /** Ends the program that has the terminal. */
  #visitor: AbortController | undefined;
  /** The lines that wait for its end. */
  #waiting = "";
  #title = "";

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream, env: NodeJS.ProcessEnv, user: User) {
    this.#user = user;
    this.#device = new TerminalDevice(input, output, env, {
      typed: (chunk) => this.#typed(chunk),
      ended: (how) => user.ended(how),
      resized: () => this.#resized(),
      continued: () => this.#continued(),
    });
    this.#screen = createScreen(this.#device, this.#modes);
    this.#isInTmux = Boolean(env.TMUX);
    this.#sizeRest = new SizeRest(processClock, env, () => this.#redraw());
    process.on("exit", this.#leave);
    this.#device.raw(true);
    this.#device.write(this.#modes.on("paste"));
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return this.#device.size;
  }

  /**
   * The rows by which the frame may become higher when the terminal wraps it at another width. tmux keeps the empty rows
   * below the frame then, and what has no room above them leaves the window.
   */
  get mayGrow(): number {
    return this.#isInTmux ? this.#screen.ahead : Number.MAX_SAFE_INTEGER;
  }

  /** Set while the size changes. No frame is shown then, and a new one is asked for after it. */
  get isSettling(): boolean {
    return this.#sizeRest.isAwaited;
  }

  /** Reads the current size. */
  measure(): void {
    this.#device.measure();
  }

  /** Paints a frame in place of the last one, with whole lines above it. */
  show(frame: Frame, above = ""): void {
    if (this.#state === "away") this.#wait(above);
    else if (this.#state === "here" && !(this.isSettling && above === "")) this.#screen.show(frame, above);
  }

  /** Writes whole lines above the frame. */
  above(lines: string): void {
    if (this.#state === "away") this.#wait(lines);
    else this.#screen.above(lines);
  }

  /** Writes bytes that are no text: a bell, a title, a notification. The frame stays in place. */
  signal(sequence: string): void {
    const isTitle = TITLE.test(sequence);
    if (isTitle) this.#title = sequence;
    if (this.#state === "away") return;
    this.#device.write((isTitle ? this.#modes.on("title") : "") + sequence);
  }

  /** Restores the earlier title of the window. */
  untitle(): void {
    this.#device.write(this.#modes.off("title"));
  }

  /**
   * Lets another program have the terminal. Whole lines that are written meanwhile follow when it has ended; the signal
   * is aborted when the terminal is left.
   */
  async away<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const isTitled = this.#goAway();
    this.#device.yield(true);
    this.#visitor = new AbortController();
    try {
      return await run(this.#visitor.signal);
    } finally {
      this.#visitor = undefined;
      this.#takeBack(isTitled);
    }
  }

  /** Wipes the screen; the frame is painted anew. */
  wipe(): void {
    // Terminals may keep what they wipe.
    const frame = this.#screen.erase();
    this.#device.write(`${frame}\u001b[H\u001b[2J`);
  }

  /** Writes the rest in place of the frame, and leaves the terminal. */
  close(): void {
    if (this.#state === "left") return;
    process.off("exit", this.#leave);
    this.#leave();
    this.#device.close();
  }

  #typed(chunk: Buffer): void {
    if (process.platform === "win32") return this.#user.typed(chunk);
    for (const part of this.#cutAtStops(chunk)) {
      if (this.#state === "left") return;
      if (part === undefined) this.#stop();
      else this.#user.typed(part);
    }
  }

  #resized(): void {
    this.#screen.resized();
    if (this.#state === "here") this.#sizeRest.await();
  }

  #redraw(): void {
    if (this.#state === "here") this.#user.redraw();
  }

  #continued(): void {
    if (this.#state === "away") return;
    // A shell has written below the frame since then, and its output stays.
    this.#screen.forget();
    const title = this.#modes.has("title") ? this.#title : "";
    this.#device.write(`\r\u001b[J${this.#modes.again()}${title}`);
    this.#user.redraw();
  }

  readonly #leave = (): void => {
    this.#state = "left";
    this.#sizeRest.stop();
    this.#visitor?.abort();
    this.#device.write(this.#screen.erase() + this.#waiting + this.#user.rest() + this.#modes.allOff());
    this.#device.raw(false);
  };

  #stop(): void {
    const isTitled = this.#goAway();
    this.#device.stop();
    this.#state = "here";
    this.#comeBack(isTitled);
  }

  /** Leaves the terminal as found for a time. Returns true if the window has a title of ours. */
  #goAway(): boolean {
    const isTitled = this.#modes.has("title");
    this.#state = "away";
    this.#sizeRest.stop();
    this.#device.write(this.#screen.erase() + this.#modes.allOff());
    return isTitled;
  }

  /** Resumes after another program had the terminal, unless the terminal was left meanwhile. */
  #takeBack(isTitled: boolean): void {
    if (this.#state === "left") return;
    this.#state = "here";
    this.#device.yield(false);
    const lines = this.#waiting;
    this.#waiting = "";
    if (lines !== "") this.#screen.above(lines);
    this.#comeBack(isTitled);
  }

  #comeBack(isTitled: boolean): void {
    const title = isTitled ? this.#modes.on("title") + this.#title : "";
    this.#device.write(this.#modes.on("paste") + title);
    this.#user.redraw();
  }

  #wait(lines: string): void {
    this.#waiting = (this.#waiting + lines).slice(-MOST_WAITING);
  }
}
