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
  /**
   * Writes to the output; an open prompt is shown again below it, with what was typed. While a person is asked, half a
   * line waits for its end, or for a pause: it then ends there, and the line feed that is to end it is dropped.
   */
  write(text: string): void;
  /** Whether somebody waits for a line who asked for it: text that has no end of its own may not stand there. */
  readonly asking: boolean;
  /** Told of Ctrl-C. */
  onInterrupt(listener: () => void): void;
  /** Leaves the terminal as it was found. */
  close(): void;
}

/** Bytes of one line from a pipe. */
const LINE_LIMIT = 1024 * 1024;
/** Lines from a pipe that may wait to be read; beyond them its writer waits. */
const WAITING_LINES = 256;
/** How long half a line waits for more of it while a person is asked, in milliseconds. */
const PAUSE_MS = 200;

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
  /** Who asked for the line that is typed now. A passing reader and one that waits below take what there is. */
  const asker = () => {
    const reader = readers.at(-1);
    return reader?.below === false ? reader : undefined;
  };
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
    /** Half a line of others, while a person is asked. */
    let held = "";
    let pause: NodeJS.Timeout | undefined;
    /** Whether the last line was ended by its pause. */
    let cut = false;
    terminal.on("line", (line) => {
      const reader = readers.at(-1);
      // What was typed behind that text is shown again by itself.
      if (!leaving && !shown && reader?.below && line !== "") output.write(`${reader.prompt}${line}\n`);
      shown = false;
      taken = false;
      if (leaving) return;
      release();
      push(line);
    });
    terminal.on("close", () => {
      // Ctrl-D, or who closes it while a prompt is there: what comes next has a line of its own.
      if (shown) output.write("\n");
      shown = false;
      release();
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
      // Readline would read on.
      if (ended || shown || (taken && reader.below)) return;
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
    /** Nobody is asked any more: what was held back goes on the line that is free now. */
    function release(): void {
      clearTimeout(pause);
      if (held !== "") output.write(held);
      taken ||= held !== "";
      held = "";
    }
    /** Writes whole lines above the prompt. */
    function writeAbove(text: string, reader: Reader): void {
      suspend();
      output.write(text);
      taken = false;
      ask(reader);
    }
    /** Writes while a person is asked. */
    function writeAsked(text: string, reader: Reader): void {
      clearTimeout(pause);
      const end = (held + text).lastIndexOf("\n") + 1;
      const whole = (held + text).slice(0, end);
      held = (held + text).slice(end);
      if (whole !== "") writeAbove(whole, reader);
      if (held === "") return;
      pause = setTimeout(() => {
        const line = held;
        held = "";
        cut = true;
        writeAbove(`${line}\n`, reader);
      }, PAUSE_MS);
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
      abandon() {
        takeTyped();
        release();
      },
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
      write(all: string) {
        const text = cut && all.startsWith("\n") ? all.slice(1) : all;
        cut = false;
        if (text === "") return;
        const asked = asker();
        if (asked !== undefined) return writeAsked(text, asked);
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
    get asking() {
      return asker() !== undefined;
    },
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
