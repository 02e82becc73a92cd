/** What a panel switches on in a terminal, and how that is switched off. */
const sequences = {
  /** A paste comes in brackets, so that its line ends are none that were typed. */
  paste: { on: "\u001b[?2004h", off: "\u001b[?2004l" },
  hiddenCursor: { on: "\u001b[?25l", off: "\u001b[?25h" },
  /** A title of our own: the terminal keeps the one before. */
  title: { on: "\u001b[22;0t", off: "\u001b[23;0t" },
} as const;

export type TerminalMode = keyof typeof sequences;

/** Which modes are on. It writes nothing: each function gives what is to be written, for one write with other things. */
export interface TerminalModes {
  /** Empty if it is on already. */
  on(mode: TerminalMode): string;
  /** Empty unless it is on. */
  off(mode: TerminalMode): string;
  /** Switches all off, the last first. */
  allOff(): string;
  /** Switches on again what another program may have switched off; a title is kept by the terminal. */
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
