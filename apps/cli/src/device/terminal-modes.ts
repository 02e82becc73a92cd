/** The modes that this command switches on in a terminal, each with the bytes to switch it off. */
const sequences = {
  /** A paste comes in brackets, so that its line ends do not count as typed. */
  paste: { on: "\u001b[?2004h", off: "\u001b[?2004l" },
  hiddenCursor: { on: "\u001b[?25l", off: "\u001b[?25h" },
  /** Rows of a frame end at the edge, so that each is one row even where the terminal has become narrower. */
  cutRows: { on: "\u001b[?7l", off: "\u001b[?7h" },
  /** A screen of which nothing is kept. A terminal without one ignores it. */
  secondScreen: { on: "\u001b[?1049h", off: "\u001b[?1049l" },
  /** Our own title: the terminal keeps the earlier one. */
  title: { on: "\u001b[22;0t", off: "\u001b[23;0t" },
} as const;

export type TerminalMode = keyof typeof sequences;

/** The modes that are on. Each function returns bytes to write, so that a write can be shared. */
export interface TerminalModes {
  /** Empty if the mode is on already. */
  on(mode: TerminalMode): string;
  /** Empty unless the mode is on. */
  off(mode: TerminalMode): string;
  /** Switches all off, the last first. */
  allOff(): string;
  /** Switches on again the modes that another program may have switched off. The terminal itself keeps a title. */
  again(): string;
  has(mode: TerminalMode): boolean;
}

export function terminalModes(): TerminalModes {
  const active = new Set<TerminalMode>();
  function off(mode: TerminalMode): string {
    return active.delete(mode) ? sequences[mode].off : "";
  }
  return {
    on(mode) {
      if (active.has(mode)) return "";
      active.add(mode);
      return sequences[mode].on;
    },
    off,
    allOff: () => [...active].reverse().map(off).join(""),
    again: () => [...active].map((mode) => (mode === "title" ? "" : sequences[mode].on)).join(""),
    has: (mode) => active.has(mode),
  };
}
