import type { Borrower, Loan } from "./loan.js";
import { createScreen } from "./screen.js";
import { createStopKey } from "./stop-key.js";
import type { TerminalDevice } from "./terminal-device.js";
import { terminalModes } from "./terminal-modes.js";

/** A loan, as the lender sees it. */
export interface LentTerminal extends Loan {
  typed(chunk: Buffer): void;
  /** Writes whole lines above the frame. */
  above(text: string): void;
  resized(): void;
  /** This process was stopped by somebody else, and goes on. */
  continued(): void;
  /** Takes the terminal back: the borrower is told that nobody will type any more. */
  gone(): void;
}

/** What sets the title of a window, and what follows is the terminal's until it gets it back. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it begins with one.
const TITLE = /^\u001b\][012];/;

/**
 * Lends a terminal that is in raw mode, with the cursor at the start of a line. However this process ends, the terminal
 * is as it was found: without the frame, its modes off.
 *
 * @param returned told when the borrower has given it back.
 */
export function lendTerminal(device: TerminalDevice, borrower: Borrower, returned: () => void): LentTerminal {
  const modes = terminalModes();
  const screen = createScreen(device, modes);
  const cutAtStops = createStopKey(() => performance.now());
  let over = false;
  /** Whether this process is being stopped: nothing is drawn then. */
  let away = false;
  let title = "";

  const leave = () => device.write(screen.erase() + modes.allOff());
  const leaveAtExit = () => {
    leave();
    device.raw(false);
  };
  function finish(): boolean {
    if (over) return false;
    over = true;
    process.off("exit", leaveAtExit);
    leave();
    return true;
  }
  function stop(): void {
    away = true;
    const titled = modes.has("title");
    leave();
    device.stop();
    away = false;
    device.write(modes.on("paste") + (titled ? modes.on("title") + title : ""));
    borrower.redraw();
  }

  process.on("exit", leaveAtExit);
  device.write(modes.on("paste"));

  return {
    get columns() {
      return device.size.columns;
    },
    get rows() {
      return device.size.rows;
    },
    show(frame) {
      if (!over) screen.show(frame);
    },
    signal(sequence) {
      if (over) return;
      const isTitle = TITLE.test(sequence);
      if (isTitle) title = sequence;
      device.write((isTitle ? modes.on("title") : "") + sequence);
    },
    end() {
      if (finish()) returned();
    },
    typed(chunk) {
      if (process.platform === "win32") return borrower.input(chunk);
      for (const part of cutAtStops(chunk)) {
        if (over) return;
        if (part === undefined) stop();
        else borrower.input(part);
      }
    },
    above(text) {
      device.measure();
      screen.above(text);
    },
    resized() {
      screen.resized();
      if (!away) borrower.redraw();
    },
    continued() {
      // A shell has written below the frame since, and what it wrote stays.
      screen.forget();
      device.write(`\r\u001b[J${modes.again()}${modes.has("title") ? title : ""}`);
      borrower.redraw();
    },
    gone() {
      if (finish()) borrower.gone();
    },
  };
}
