import { createInterface } from "node:readline";
import { LineDecoder } from "@askwire/protocol";

/** Lines that a person types, or that come from a pipe. */
export interface Lines {
  readonly interactive: boolean;
  /** The next line; undefined at the end of the input. Throws the signal's reason when it is aborted. */
  next(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Told of Ctrl-C. */
  onInterrupt(listener: () => void): void;
  /** Leaves the terminal as it was found. */
  close(): void;
}

/** Bytes of one line from a pipe. */
const LINE_LIMIT = 1024 * 1024;

/** Opens a terminal or a pipe for reading line by line. */
export function openLines(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Lines {
  const waiting: { resolve: (line: string | undefined) => void }[] = [];
  const queue: string[] = [];
  let ended = false;
  const interrupted: (() => void)[] = [];

  function push(line: string): void {
    const reader = waiting.shift();
    if (reader === undefined) queue.push(line);
    else reader.resolve(line);
  }
  function end(): void {
    ended = true;
    for (const reader of waiting.splice(0)) reader.resolve(undefined);
  }

  const source = input.isTTY ? fromTerminal() : fromPipe();

  function fromTerminal() {
    const terminal = createInterface({ input, output, historySize: 100 });
    terminal.on("line", push);
    terminal.on("close", end);
    terminal.on("SIGINT", () => {
      output.write("\n");
      for (const listener of interrupted) listener();
    });
    return {
      ask(prompt: string) {
        terminal.setPrompt(prompt);
        terminal.prompt();
      },
      close: () => terminal.close(),
    };
  }

  function fromPipe() {
    const decoder = new LineDecoder(LINE_LIMIT);
    const sink = { line: push, oversized: () => push("") };
    input.on("data", (chunk: Buffer) => decoder.push(chunk, sink));
    input.on("end", () => {
      decoder.end(sink);
      end();
    });
    input.on("error", end);
    return {
      ask: (prompt: string) => void output.write(`${prompt}\n`),
      close: () => {
        end();
        input.destroy();
      },
    };
  }

  return {
    interactive: input.isTTY === true,
    next(prompt, signal) {
      signal?.throwIfAborted();
      source.ask(prompt);
      if (queue.length > 0) return Promise.resolve(queue.shift());
      if (ended) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const reader = { resolve: done(resolve) };
        waiting.push(reader);
        const abort = () => {
          waiting.splice(waiting.indexOf(reader), 1);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", abort, { once: true });
        function done(settle: (line: string | undefined) => void) {
          return (line: string | undefined) => {
            signal?.removeEventListener("abort", abort);
            settle(line);
          };
        }
      });
    },
    onInterrupt: (listener) => void interrupted.push(listener),
    close: source.close,
  };
}
