import { createInterface } from "node:readline";
import { LineDecoder } from "@askwire/protocol";

/** Lines that a person types, or that come from a pipe. */
export interface Lines {
  /** Whether a person at a terminal types them, and sees there what is written. */
  readonly interactive: boolean;
  /**
   * The next line; undefined at the end of the input. Throws the signal's reason when it is aborted.
   *
   * @param options.below for who waits for any line: what is asked already is asked first.
   * @param options.passing the same for who takes a line if there is one, while others write: its prompt is only where the
   * cursor's line is free, leaves no trace, and what is half typed at its end is there at the next prompt.
   */
  next(
    prompt: string,
    signal?: AbortSignal,
    options?: { below?: boolean; passing?: boolean },
  ): Promise<string | undefined>;
  /** Drops what a person typed before they were asked, so that it answers nothing. A pipe keeps all. */
  dropTyped(): void;
  /** Writes to the output; an open prompt is shown again below it, with what was typed. */
  write(text: string): void;
  /** Told of Ctrl-C. */
  onInterrupt(listener: () => void): void;
  /** Leaves the terminal as it was found. */
  close(): void;
}

/** Bytes of one line from a pipe. */
const LINE_LIMIT = 1024 * 1024;
/** Lines from a pipe that may wait to be read; beyond them its writer waits. */
const WAITING_LINES = 256;

/** Somebody who waits for a line. The last who asked is the one who gets it, but for who waits below the others. */
interface Reader {
  readonly prompt: string;
  readonly passing: boolean;
  /** Its prompt waits until nobody's text stands on the cursor's line. */
  readonly below: boolean;
  /** What was typed for this reader before another came in between. */
  typed: string;
  readonly resolve: (line: string | undefined) => void;
}

/** Opens a terminal or a pipe for reading line by line. */
export function openLines(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Lines {
  const readers: Reader[] = [];
  const queue: string[] = [];
  /** What was half typed while nobody waited, or for a passing reader: it is there at the next prompt. */
  let carried = "";
  let ended = false;
  const interrupted: (() => void)[] = [];

  function push(line: string): void {
    const reader = readers.pop();
    if (reader === undefined) queue.push(line);
    else reader.resolve(line);
    showAgain();
  }
  function end(): void {
    ended = true;
    for (const reader of readers.splice(0)) reader.resolve(undefined);
  }
  /** Shows the prompt of who waits below, unless somebody else asks first. */
  function showAgain(): void {
    const reader = readers.at(-1);
    if (reader === undefined) return;
    setImmediate(() => {
      if (readers.at(-1) === reader && !ended) source.ask(reader);
    });
  }

  const source = input.isTTY ? fromTerminal() : fromPipe();

  function fromTerminal() {
    const terminal = createInterface({ input, output, historySize: 100 });
    /** Whether the prompt is on the cursor's line. */
    let shown = false;
    /** Whether somebody else's text stands on the cursor's line. */
    let taken = false;
    let leaving = false;
    terminal.on("line", (line) => {
      const reader = readers.at(-1);
      // What was typed behind that text is shown again by itself.
      if (!leaving && !shown && reader?.below && line !== "") output.write(`${reader.prompt}${line}\n`);
      shown = false;
      taken = false;
      if (!leaving) push(line);
    });
    terminal.on("close", () => {
      // Ctrl-D, or who closes it while a prompt is there: what comes next has a line of its own.
      if (shown) output.write("\n");
      shown = false;
      end();
    });
    terminal.on("SIGINT", () => {
      // A line that somebody waits for is abandoned when the listener stops that.
      if (readers.at(-1)?.passing !== false && !wiped()) takeTyped();
      for (const listener of interrupted) listener();
    });
    terminal.on("SIGTSTP", stop);
    /**
     * Takes what stands on the line, and leaves the line by an Enter that nobody hears: readline would carry the
     * text over to the next prompt, and wipe rows above it.
     */
    function takeTyped(): string {
      const typed = terminal.line;
      if (shown || typed !== "") {
        leaving = true;
        terminal.write(null, { name: "return" });
        leaving = false;
      }
      return typed;
    }
    function ask(reader: Reader): void {
      if (shown || (taken && reader.below)) return;
      terminal.setPrompt(reader.prompt);
      terminal.prompt();
      if (reader.typed !== "") terminal.write(reader.typed);
      reader.typed = "";
      shown = true;
    }
    /** Wipes a prompt with nothing typed: nothing is lost with it. */
    function wiped(): boolean {
      if (!shown || terminal.line !== "" || terminal.getCursorPos().rows > 0) return false;
      output.cursorTo(0);
      output.clearLine(0);
      shown = false;
      return true;
    }
    /** Takes the line away from who waits for it now. */
    function suspend(): void {
      if (wiped()) return;
      const typed = takeTyped();
      const reader = readers.at(-1);
      if (reader === undefined) carried += typed;
      else reader.typed += typed;
    }
    /** Ctrl-Z, which must stop a script that waits for this process too: readline would stop this process alone. */
    function stop(): void {
      suspend();
      input.setRawMode(false);
      process.kill(0, "SIGTSTP");
      // Continued, or not stopped at all: a shell protects what runs in its own $(…).
      input.setRawMode(true);
      const reader = readers.at(-1);
      if (reader !== undefined) ask(reader);
    }
    return {
      ask,
      suspend,
      abandon: takeTyped,
      /** Shows behind the prompt what was typed before it. */
      took(line: string) {
        terminal.write(line);
        takeTyped();
      },
      dropTyped() {
        queue.length = 0;
        suspend();
        carried = "";
        for (const reader of readers) if (reader.passing) reader.typed = "";
      },
      write(text: string) {
        const reader = readers.at(-1);
        if (reader !== undefined) suspend();
        output.write(text);
        taken = !text.endsWith("\n");
        if (reader !== undefined && !taken) ask(reader);
      },
      close: () => terminal.close(),
    };
  }

  function fromPipe() {
    const decoder = new LineDecoder(LINE_LIMIT);
    const sink = { line: push, oversized: () => push("") };
    input.on("data", (chunk: Buffer) => {
      decoder.push(chunk, sink);
      if (queue.length > WAITING_LINES) input.pause();
    });
    input.on("end", () => {
      decoder.end(sink);
      end();
    });
    input.on("error", end);
    return {
      ask: (reader: Reader) => void output.write(`${reader.prompt}\n`),
      suspend() {},
      abandon() {},
      /** There is room for another line. */
      took() {
        if (queue.length <= WAITING_LINES && input.isPaused()) input.resume();
      },
      dropTyped() {},
      write: (text: string) => void output.write(text),
      close: () => {
        end();
        input.destroy();
      },
    };
  }

  return {
    interactive: input.isTTY === true && output.isTTY === true,
    next(prompt, signal, { passing = false, below = passing } = {}) {
      signal?.throwIfAborted();
      const waits = below && readers.length > 0;
      if (!waits) source.suspend();
      return new Promise((resolve, reject) => {
        const abort = () => {
          const top = readers.at(-1) === reader;
          if (top && passing) source.suspend();
          readers.splice(readers.indexOf(reader), 1);
          if (top && !passing) source.abandon();
          if (passing) carried = reader.typed;
          reject(signal?.reason);
          showAgain();
        };
        const reader: Reader = {
          prompt,
          passing,
          below,
          typed: carried,
          resolve(line) {
            signal?.removeEventListener("abort", abort);
            resolve(line);
          },
        };
        carried = "";
        if (waits) readers.unshift(reader);
        else {
          source.ask(reader);
          const ahead = queue.shift();
          if (ahead !== undefined && !ended) source.took(ahead);
          if (ahead !== undefined || ended) return resolve(ahead);
          readers.push(reader);
        }
        signal?.addEventListener("abort", abort, { once: true });
      });
    },
    onInterrupt: (listener) => void interrupted.push(listener),
    dropTyped: () => source.dropTyped(),
    write: (text) => source.write(text),
    close: source.close,
  };
}
