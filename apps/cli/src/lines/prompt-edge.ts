import { EventEmitter } from "node:events";
import type { Interface } from "node:readline";
import type { TerminalDevice } from "../device/terminal-device.js";

/**
 * The output for readline, without redrawing. Readline would draw its prompt again with every new size, even a hidden
 * prompt.
 */
export interface PromptEdge {
  readonly stream: NodeJS.WritableStream;
  /** Reports a new size of the terminal. */
  resized(shown: boolean): void;
  /** Draws the prompt again at the cursor with its draft, and leaves the rows above. */
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
      // Readline's own rows above the cursor have moved elsewhere.
      Object.assign(terminal, { prevRows: 0 });
      terminal.prompt(true);
    },
  };
}
