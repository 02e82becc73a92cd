import { closeSync, openSync } from "node:fs";
import { isatty, ReadStream, WriteStream } from "node:tty";

/** The terminal of the person, independent of standard input and output. */
export interface ControllingTerminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  close(): void;
}

/**
 * Opens the terminal of this process: standard input and output if both are terminals, else /dev/tty. Undefined if
 * there is none.
 */
export function openControllingTerminal(): ControllingTerminal | undefined {
  if (isatty(0) && isatty(1)) return { input: process.stdin, output: process.stdout, close() {} };
  const input = openTty();
  const output = openTty();
  if (input === undefined || output === undefined) return undefined;
  const streams = { input: new ReadStream(input), output: new WriteStream(output) };
  return {
    ...streams,
    close() {
      streams.input.destroy();
      streams.output.destroy();
    },
  };
}

/** Reports if the terminal of this process is there, whoever reads it. */
export function hasControllingTerminal(): boolean {
  const descriptor = openTty();
  if (descriptor !== undefined) closeSync(descriptor);
  return descriptor !== undefined;
}

function openTty(): number | undefined {
  try {
    const descriptor = openSync("/dev/tty", "r+");
    if (isatty(descriptor)) return descriptor;
    closeSync(descriptor);
  } catch {
    // ENXIO, ENOENT: this process has no terminal.
  }
  return undefined;
}
