import { byteSource, TerminalDevice } from "../device/terminal-device.js";
import { HalfLine } from "./half-line.js";
import type { InputEnd, LineReaders, LineSource, Reader } from "./line-readers.js";
import { ReadlinePrompt } from "./readline-prompt.js";
import { untilTrue } from "./until-true.js";

/** Reads lines from a terminal without drawing: a screen reader's, or a terminal that knows characters only. */
export class PromptLines implements LineSource {
  readonly draws = false;
  readonly lent = false;
  readonly lastKeyAt = Number.NEGATIVE_INFINITY;
  readonly #output: NodeJS.WriteStream;
  readonly #readers: LineReaders;
  readonly #told: { interrupted(): void; gone(): void };
  readonly #device: TerminalDevice;
  readonly #keys: ReturnType<typeof byteSource>;
  readonly #prompt: ReadlinePrompt;
  /** Other text, held while a person is asked. */
  readonly #half = new HalfLine();
  readonly #sent = untilTrue(() => !this.typing);
  /** Set while other text stands on the cursor's line. */
  #isTaken = false;
  /** The end of the input if readline closes now: its own reason is a typed Ctrl-D. */
  #ending: InputEnd = "typed";

  constructor(
    input: NodeJS.ReadStream,
    output: NodeJS.WriteStream,
    env: NodeJS.ProcessEnv,
    readers: LineReaders,
    told: { interrupted(): void; gone(): void },
  ) {
    this.#output = output;
    this.#readers = readers;
    this.#told = told;
    this.#device = new TerminalDevice(input, output, env, {
      typed: (chunk) => this.#typed(chunk),
      ended: (how) => this.#ended(how),
      resized: () => this.#prompt.resized(),
      continued: () => this.#prompt.again(),
    });
    this.#keys = byteSource((on) => this.#device.raw(on));
    const streams = { input: this.#keys.stream, output };
    this.#prompt = new ReadlinePrompt(streams, this.#device, env.TERM === "dumb", {
      sent: (line, wasShown) => this.#sentLine(line, wasShown),
      left: () => {
        this.#isTaken = false;
      },
      interrupted: () => this.#interrupted(),
      stopped: () => this.#stopped(),
      closed: () => this.#closed(),
    });
  }

  /** Set also for words that stand at no prompt now, since other text has their line. */
  get typing(): boolean {
    const { ended, carried } = this.#readers;
    const texts = [this.#prompt.text, carried, this.#readers.top()?.typed ?? ""];
    return ended === undefined && texts.some((text) => text.trim() !== "");
  }

  lend(): undefined {}

  shows(): void {}

  suggests(): void {}

  changed(): void {}

  endText(): void {}

  untilSent(signal: AbortSignal): Promise<void> {
    return this.#sent.until(signal);
  }

  ask(reader: Reader): void {
    // Readline would keep reading.
    if (this.#readers.ended !== undefined || this.#prompt.isShown) return;
    if (this.#isTaken && reader.below) return;
    this.#prompt.show(reader.prompt, reader.typed);
    reader.typed = "";
  }

  suspend(): void {
    const typed = this.#prompt.take();
    const reader = this.#readers.top();
    if (reader === undefined) this.#readers.carried += typed;
    else reader.typed += typed;
  }

  abandon(): void {
    this.#prompt.leave();
    this.#release();
    this.#sent.look();
  }

  left(): void {
    this.#sent.look();
  }

  /** Shows the earlier text behind the prompt. */
  took(line: string): void {
    if (!this.#prompt.isDrawn) return;
    this.#prompt.type(line);
    this.#prompt.leave();
  }

  dropTyped(): void {
    this.suspend();
    this.#readers.keepTyped();
  }

  write(all: string): void {
    const text = this.#half.rest(all);
    if (text === "") return;
    if (this.#readers.asker() !== undefined) return this.#writeAsked(text);
    const reader = this.#readers.top();
    if (reader !== undefined) this.suspend();
    this.#output.write(text);
    this.#isTaken = !text.endsWith("\n");
    if (reader !== undefined && !this.#isTaken) this.ask(reader);
  }

  async answered(): Promise<void> {}

  close(): void {
    this.#ending = "closed";
    this.#prompt.close();
  }

  #typed(chunk: Buffer): void {
    this.#showTyped();
    this.#keys.give(chunk);
    this.#sent.look();
  }

  /** Shows words typed before other text took the cursor's line again behind that text. */
  #showTyped(): void {
    const reader = this.#readers.top();
    const typed = reader?.typed ?? this.#readers.carried;
    if (this.#prompt.isShown || typed === "") return;
    this.#prompt.type(typed);
    if (reader === undefined) this.#readers.carried = "";
    else reader.typed = "";
  }

  #ended(how: "gone" | "typed"): void {
    // A terminal that is gone says so at each call.
    if (this.#readers.ended !== undefined || this.#ending !== "typed") return;
    this.#ending = how;
    if (how === "gone") this.#told.gone();
    this.#keys.end();
  }

  #sentLine(line: string, wasShown: boolean): void {
    const reader = this.#readers.top();
    // Readline itself shows text typed behind that text again.
    if (!wasShown && reader?.below && line !== "") this.#output.write(`${reader.prompt}${line}\n`);
    this.#isTaken = false;
    this.#release();
    this.#readers.push(line);
  }

  #interrupted(): void {
    // A line with a reader is abandoned when the listener stops that.
    if (this.#readers.top()?.passing !== false && !this.#prompt.wipe()) this.#prompt.leave();
    this.#told.interrupted();
  }

  #stopped(): void {
    this.suspend();
    this.#device.stop();
    this.#restore();
  }

  #closed(): void {
    this.#release();
    this.#readers.end(this.#ending);
    this.#device.close();
    this.#sent.look();
  }

  /** Asks again after an interruption. Text without a reader stands there unchanged. */
  #restore(): void {
    const reader = this.#readers.top();
    if (reader !== undefined) return this.ask(reader);
    if (this.#readers.carried !== "") this.#prompt.type(this.#readers.carried);
    this.#readers.carried = "";
  }

  /** Writes the held text on the free line, since nobody is asked now. */
  #release(): void {
    const held = this.#half.release();
    if (held === "") return;
    this.#output.write(held);
    this.#isTaken = true;
  }

  /** Writes while a person is asked. */
  #writeAsked(text: string): void {
    this.#writeAbove(this.#half.take(text));
    this.#half.endSoon((line) => this.#writeAbove(line));
  }

  /** Writes whole lines above the prompt. */
  #writeAbove(lines: string): void {
    if (lines === "") return;
    this.suspend();
    this.#output.write(lines);
    this.#isTaken = false;
    if (this.#readers.asker() !== undefined) this.#restore();
  }
}
