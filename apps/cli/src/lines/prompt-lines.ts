import { clearLine, createInterface, cursorTo } from "node:readline";
import { columnsTaken } from "../device/columns-taken.js";
import { byteSource, terminalDevice } from "../device/terminal-device.js";
import type { LineReaders, LineSource, Reader } from "./line-readers.js";
import { promptEdge } from "./prompt-edge.js";

/** How long half a line waits for more of it while a person is asked, in milliseconds. */
const PAUSE_MS = 200;
/** Characters of such a half line; a longer one ends there. */
const MOST_HELD = 65_536;

/** Lines that a person types at a terminal that is not drawn on: a screen reader's, or one that knows characters only. */
export function promptLines(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  readers: LineReaders,
  interrupted: () => void,
): LineSource {
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

  const device = terminalDevice(input, output, env, {
    typed(chunk) {
      behindOthers();
      keys.give(chunk);
    },
    gone() {
      if (!readers.ended) keys.end();
    },
    resized: () => edge.resized(shown),
    continued() {
      if (shown) edge.again(terminal);
    },
  });
  // Readline has streams of its own: it draws only where a prompt is shown.
  const keys = byteSource(device.raw);
  const edge = promptEdge(output, device);
  const terminal = createInterface({
    input: keys.stream,
    output: edge.stream,
    terminal: output.isTTY === true,
    historySize: 100,
  });

  terminal.on("line", (line) => {
    const reader = readers.top();
    // What was typed behind that text is shown again by itself.
    if (!leaving && !shown && reader?.below && line !== "") output.write(`${reader.prompt}${line}\n`);
    shown = false;
    taken = false;
    if (leaving) return;
    release();
    readers.push(line);
  });
  terminal.on("close", () => {
    // Ctrl-D, or who closes it while a prompt is there: what comes next has a line of its own.
    if (shown) output.write("\n");
    shown = false;
    release();
    readers.end();
    device.close();
  });
  terminal.on("SIGINT", () => {
    // A line that somebody waits for is abandoned when the listener stops that.
    if (readers.top()?.passing !== false && !wiped()) takeTyped();
    interrupted();
  });
  terminal.on("SIGTSTP", () => {
    suspend();
    device.stop();
    restore();
  });

  /**
   * Takes what stands on the line, and leaves the line by an Enter that nobody hears: readline would carry the
   * text over to the next prompt, and wipe rows above it.
   */
  function takeTyped(): string {
    const typed = terminal.line;
    if (!terminal.terminal) shown = false;
    else if (shown || typed !== "") {
      leaving = true;
      terminal.write(null, { name: "return" });
      leaving = false;
    }
    return typed;
  }
  function ask(reader: Reader): void {
    // Readline would read on.
    if (readers.ended || shown || (taken && reader.below)) return;
    terminal.setPrompt(reader.prompt);
    terminal.prompt();
    if (reader.typed !== "") terminal.write(reader.typed);
    reader.typed = "";
    shown = true;
  }
  /** Asks again, after what came in between. What nobody waited for stands there as it was typed. */
  function restore(): void {
    const reader = readers.top();
    if (reader !== undefined) return ask(reader);
    if (readers.carried !== "") terminal.write(readers.carried);
    readers.carried = "";
  }
  /** Words that were typed before others took the cursor's line stand behind their text again, before what follows. */
  function behindOthers(): void {
    const reader = readers.top();
    const typed = reader?.typed ?? readers.carried;
    if (shown || typed === "") return;
    terminal.write(typed);
    if (reader === undefined) readers.carried = "";
    else reader.typed = "";
  }
  /** Wipes a prompt with nothing typed: nothing is lost with it. */
  function wiped(): boolean {
    if (!terminal.terminal || !shown || terminal.line !== "" || terminal.getCursorPos().rows > 0)
      return false;
    if (env.TERM === "dumb") {
      // It knows nothing but characters: the prompt is written over.
      output.write(`\r${" ".repeat(terminal.getCursorPos().cols)}\r`);
    } else {
      cursorTo(output, 0);
      clearLine(output, 0);
    }
    shown = false;
    return true;
  }
  /** Takes a prompt and what is typed there away without a trace, where both are on one row. Else undefined. */
  function lifted(): string | undefined {
    if (!terminal.terminal || !shown || env.TERM === "dumb") return undefined;
    const typed = terminal.line;
    if (columnsTaken(terminal.getPrompt() + typed) >= device.size.columns) return undefined;
    for (const name of ["e", "u"]) terminal.write(null, { ctrl: true, name });
    return wiped() ? typed : undefined;
  }
  /** Takes the line away from who waits for it now. */
  function suspend(): void {
    if (wiped()) return;
    const typed = lifted() ?? takeTyped();
    const reader = readers.top();
    if (reader === undefined) readers.carried += typed;
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
  function writeAbove(text: string): void {
    suspend();
    output.write(text);
    taken = false;
    if (readers.asker() !== undefined) restore();
  }
  /** Writes while a person is asked. */
  function writeAsked(text: string): void {
    clearTimeout(pause);
    // What is held has no line feed: it is not searched again with each piece.
    const end = text.lastIndexOf("\n") + 1;
    const whole = end === 0 ? "" : held + text.slice(0, end);
    held = end === 0 ? held + text : text.slice(end);
    if (whole !== "") writeAbove(whole);
    if (held.length > MOST_HELD) return cutHeld();
    if (held !== "") pause = setTimeout(cutHeld, PAUSE_MS);
  }
  function cutHeld(): void {
    const line = held;
    held = "";
    cut = true;
    writeAbove(`${line}\n`);
  }

  return {
    draws: false,
    lent: false,
    typing: false,
    lastKeyAt: Number.NEGATIVE_INFINITY,
    lend: () => undefined,
    untilSent: async (signal) => signal.throwIfAborted(),
    ask,
    suspend,
    abandon() {
      takeTyped();
      release();
    },
    left() {},
    /** Shows behind the prompt what was typed before it. */
    took(line) {
      if (!terminal.terminal) return;
      terminal.write(line);
      takeTyped();
    },
    dropTyped() {
      readers.queue.length = 0;
      suspend();
      readers.carried = "";
      for (const reader of readers.all()) if (reader.passing) reader.typed = "";
    },
    write(all) {
      const text = cut && all.startsWith("\n") ? all.slice(1) : all;
      cut = false;
      if (text === "") return;
      if (readers.asker() !== undefined) return writeAsked(text);
      const reader = readers.top();
      if (reader !== undefined) suspend();
      output.write(text);
      taken = !text.endsWith("\n");
      if (reader !== undefined && !taken) ask(reader);
    },
    close: () => terminal.close(),
  };
}
