import { clearLine, createInterface, cursorTo, type Interface } from "node:readline";
import { columnsTaken } from "../device/columns-taken.js";
import type { TerminalDevice } from "../device/terminal-device.js";
import { type PromptEdge, promptEdge } from "./prompt-edge.js";

interface Told {
  /**
   * The person sent a line.
   *
   * @param wasShown set if the line stood behind its prompt.
   */
  sent(line: string, wasShown: boolean): void;
  /** The cursor's line was left without sending anything. */
  left(): void;
  /** Ctrl-C. */
  interrupted(): void;
  /** Ctrl-Z. */
  stopped(): void;
  closed(): void;
}

/** A prompt by readline on the cursor's line, which can be taken away and shown again. */
export class ReadlinePrompt {
  readonly #output: NodeJS.WriteStream;
  readonly #device: TerminalDevice;
  readonly #isDumb: boolean;
  readonly #told: Told;
  readonly #edge: PromptEdge;
  readonly #readline: Interface;
  /** Set while the prompt is on the cursor's line. */
  #isShown = false;
  #isLeaving = false;

  /** @param isDumb set for a terminal that knows characters only. */
  constructor(
    { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WriteStream },
    device: TerminalDevice,
    isDumb: boolean,
    told: Told,
  ) {
    this.#output = output;
    this.#device = device;
    this.#isDumb = isDumb;
    this.#told = told;
    // Readline has streams of its own: it draws only where a prompt is shown.
    this.#edge = promptEdge(output, device);
    const terminal = output.isTTY === true;
    this.#readline = createInterface({ input, output: this.#edge.stream, terminal, historySize: 100 });
    this.#readline.on("line", (line) => this.#ended(line));
    this.#readline.on("close", () => this.#closed());
    this.#readline.on("SIGINT", told.interrupted);
    this.#readline.on("SIGTSTP", told.stopped);
  }

  /** Set if readline draws the line, and can take it away. */
  get isDrawn(): boolean {
    return this.#readline.terminal;
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** The text on the line. */
  get text(): string {
    return this.#readline.line;
  }

  show(prompt: string, typed: string): void {
    this.#readline.setPrompt(prompt);
    this.#readline.prompt();
    if (typed !== "") this.type(typed);
    this.#isShown = true;
  }

  /** Puts a text on the line, as if typed. */
  type(text: string): void {
    this.#readline.write(text);
  }

  /** Takes the prompt and its text off the line. Returns the text. */
  take(): string {
    return this.wipe() ? "" : (this.#lift() ?? this.leave());
  }

  /** Wipes a prompt without text: nothing is lost. */
  wipe(): boolean {
    if (!this.isDrawn || !this.#isShown || this.text !== "") return false;
    const { rows, cols } = this.#readline.getCursorPos();
    if (rows > 0) return false;
    if (this.#isDumb) {
      this.#output.write(`\r${" ".repeat(cols)}\r`);
    } else {
      cursorTo(this.#output, 0);
      clearLine(this.#output, 0);
    }
    this.#isShown = false;
    return true;
  }

  /**
   * Takes the text on the line, and leaves the line by an Enter that nobody hears.
   * Otherwise readline would carry the text over to the next prompt, and wipe rows above it.
   */
  leave(): string {
    const typed = this.text;
    if (!this.isDrawn) this.#isShown = false;
    else if (this.#isShown || typed !== "") {
      this.#isLeaving = true;
      this.#readline.write(null, { name: "return" });
      this.#isLeaving = false;
    }
    return typed;
  }

  /** Reports a new size of the terminal. */
  resized(): void {
    this.#edge.resized(this.#isShown);
  }

  /** Draws the prompt again after another program had the terminal. */
  again(): void {
    if (this.#isShown) this.#edge.again(this.#readline);
  }

  close(): void {
    this.#readline.close();
  }

  /** Takes a prompt and its text away without a trace, if both are on one row. Otherwise returns undefined. */
  #lift(): string | undefined {
    if (!this.isDrawn || !this.#isShown || this.#isDumb) return undefined;
    const typed = this.text;
    if (columnsTaken(this.#readline.getPrompt() + typed) >= this.#device.size.columns) return undefined;
    for (const name of ["e", "u"]) this.#readline.write(null, { ctrl: true, name });
    return this.wipe() ? typed : undefined;
  }

  #ended(line: string): void {
    const wasShown = this.#isShown;
    this.#isShown = false;
    if (this.#isLeaving) this.#told.left();
    else this.#told.sent(line, wasShown);
  }

  #closed(): void {
    // After Ctrl-D, or a close while a prompt is there, the next output has its own line.
    if (this.#isShown) this.#output.write("\n");
    this.#isShown = false;
    this.#told.closed();
  }
}
