import { EventEmitter } from "node:events";
import type { Interface } from "node:readline";
import type { TerminalDevice } from "../device/terminal-device.js";

/** The output as readline gets it, which would draw its prompt again with every new size, shown or not. */
export interface PromptEdge {
  readonly stream: NodeJS.WritableStream;
  /** The terminal has another size. */
  resized(shown: boolean): void;
  /** Draws the prompt again where the cursor is, with what was typed, and leaves what is above it. */
  again(terminal: Interface): void;
}

export function promptEdge(output: NodeJS.WriteStream, device: TerminalDevice): PromptEdge {
  const events = new EventEmitter();
  const stream = Object.defineProperties(events, {
    columns: { get: () => device.size.columns },
    write: { value: (text: string, then?: () => void) => output.write(text, then) },
  }) as unknown as NodeJS.WritableStream;
  return {
    stream,
    resized(shown) {
      if (shown) events.emit("resize");
    },
    again(terminal) {
      // The rows of readline's own that were above the cursor are somewhere else by now.
      Object.assign(terminal, { prevRows: 0 });
      terminal.prompt(true);
    },
  };
}
