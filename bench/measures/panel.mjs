/** @import { Measure, TerminalModule } from "../contract.js" */
import { inTerminal } from "./in-terminal.mjs";

/** Keys that are pressed and answered one after the other. */
const KEYS = 200;
const [DOWN, UP] = ["\u001b[B", "\u001b[A"];
/** @type {Measure} */
export const panel = {
  name: "panel",
  title: "A question in a terminal",
  note: `From spawning the program in a pseudo-terminal until the question is on it, and from a key until the other option is marked (${KEYS} keys); not pinned. The floor draws two options by hand. The first start, after which the command keeps its compiled code, does not count.`,
  columns: () => [
    { key: "frame", label: "first frame, ms", ratio: true },
    { key: "key", label: "a key, ms", ratio: true },
    { key: "bytes", label: "bytes a key" },
  ],
  reps: ({ quick }) => (quick ? 3 : 10),
  async open(peer) {
    /** @type {TerminalModule} */
    const { terminalLine } = await import(`../peers/${peer.name}/terminal.mjs`);
    const line = terminalLine();
    const { child, written } = inTerminal(line.args);
    await written(line.marks[0]);
    // A program that is to keep something for its next start has to end by itself.
    const ended = new Promise((resolve) => child.onExit(resolve));
    if (line.ends === undefined) child.kill("SIGKILL");
    else child.write(line.ends);
    await ended;
    return line;
  },
  async sample(_peer, _settings, state) {
    const { args, marks } = /** @type {ReturnType<TerminalModule["terminalLine"]>} */ (state);
    const begin = performance.now();
    const { child, bytes, written } = inTerminal(args);
    try {
      await written(marks[0]);
      const shown = performance.now();
      const before = bytes();
      for (let pressed = 0; pressed < KEYS; pressed++) {
        child.write(pressed % 2 === 0 ? DOWN : UP);
        await written(pressed % 2 === 0 ? marks[1] : marks[0]);
      }
      return {
        frame: shown - begin,
        key: (performance.now() - shown) / KEYS,
        bytes: (bytes() - before) / KEYS,
      };
    } finally {
      child.kill("SIGKILL");
    }
  },
};
