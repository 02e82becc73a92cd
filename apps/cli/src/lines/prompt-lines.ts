import { clearLine, createInterface, cursorTo } from "node:readline";
import { columnsTaken } from "../device/columns-taken.js";
import { byteSource, terminalDevice } from "../device/terminal-device.js";
import type { InputEnd, LineReaders, LineSource, Reader } from "./line-readers.js";
import { promptEdge } from "./prompt-edge.js";
import { untilTrue } from "./until-true.js";

/** The time that half a line waits for its rest while a person is asked, in milliseconds. */
const PAUSE_MS = 200;
/** The most characters of half a line; a longer line is ended there. */
const MOST_HELD = 65_536;

/** Reads lines from a terminal without drawing: a screen reader's, or a terminal that knows characters only. */
export function promptLines(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  readers: LineReaders,
  told: { interrupted(): void; gone(): void },
): LineSource {
  /** Set while the prompt is on the cursor's line. */
  let shown = false;
  /** Set while other text stands on the cursor's line. */
  let taken = false;
  let leaving = false;
  /** Half a line of other text, held while a person is asked. */
  let held = "";
  let pause: NodeJS.Timeout | undefined;
  /** Set if the last line was ended by its pause. */
  let cut = false;
  /** The end of the input if readline closes now: its own reason is a typed Ctrl-D. */
  let ending: InputEnd = "typed";

  const device = terminalDevice(input, output, env, {
    typed(chunk) {
      behindOthers();
      keys.give(chunk);
      sent.look();
    },
    ended(how) {
      // A terminal that is gone says so at each call.
      if (readers.ended !== undefined || ending !== "typed") return;
      ending = how;
      if (how === "gone") told.gone();
      keys.end();
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

  /** Holds also for words that stand at no prompt now, since other text has their line. */
  const isTyping = () =>
    readers.ended === undefined &&
    [terminal.line, readers.carried, readers.top()?.typed ?? ""].some((text) => text.trim() !== "");
  const sent = untilTrue(() => !isTyping());

  terminal.on("line", (line) => {
    const reader = readers.top();
    // Readline itself shows text typed behind that text again.
    if (!leaving && !shown && reader?.below && line !== "") output.write(`${reader.prompt}${line}\n`);
    shown = false;
    taken = false;
    if (leaving) return;
    release();
    readers.push(line);
  });
  terminal.on("close", () => {
    // After Ctrl-D, or a close while a prompt is there, the next output has its own line.
    if (shown) output.write("\n");
    shown = false;
    release();
    readers.end(ending);
    device.close();
    sent.look();
  });
  terminal.on("SIGINT", () => {
    // A line with a reader is abandoned when the listener stops that.
    if (readers.top()?.passing !== false && !wiped()) takeTyped();
    told.interrupted();
  });
  terminal.on("SIGTSTP", () => {
    suspend();
    device.stop();
    restore();
  });

  /**
   * Takes the text on the line, and leaves the line by an Enter that nobody hears.
   * Otherwise readline would carry the text over to the next prompt, and wipe rows above it.
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
    // Readline would go on reading.
    if (readers.ended !== undefined || shown || (taken && reader.below)) return;
    terminal.setPrompt(reader.prompt);
    terminal.prompt();
    if (reader.typed !== "") terminal.write(reader.typed);
    reader.typed = "";
    shown = true;
  }
  /** Asks again after an interruption. Text without a reader stands there unchanged. */
  function restore(): void {
    const reader = readers.top();
    if (reader !== undefined) return ask(reader);
    if (readers.carried !== "") terminal.write(readers.carried);
    readers.carried = "";
  }
  /** Shows words typed before other text took the cursor's line again behind that text. */
  function behindOthers(): void {
    const reader = readers.top();
    const typed = reader?.typed ?? readers.carried;
    if (shown || typed === "") return;
    terminal.write(typed);
    if (reader === undefined) readers.carried = "";
    else reader.typed = "";
  }
  /** Wipes a prompt without text: nothing is lost. */
  function wiped(): boolean {
    if (!terminal.terminal || !shown || terminal.line !== "" || terminal.getCursorPos().rows > 0)
      return false;
    if (env.TERM === "dumb") {
      // The terminal knows only characters, so the prompt is written over.
      output.write(`\r${" ".repeat(terminal.getCursorPos().cols)}\r`);
    } else {
      cursorTo(output, 0);
      clearLine(output, 0);
    }
    shown = false;
    return true;
  }
  /** Takes a prompt and its text away without a trace, if both are on one row. Otherwise returns undefined. */
  function lifted(): string | undefined {
    if (!terminal.terminal || !shown || env.TERM === "dumb") return undefined;
    const typed = terminal.line;
    if (columnsTaken(terminal.getPrompt() + typed) >= device.size.columns) return undefined;
    for (const name of ["e", "u"]) terminal.write(null, { ctrl: true, name });
    return wiped() ? typed : undefined;
  }
  /** Takes the line away from its reader. */
  function suspend(): void {
    if (wiped()) return;
    const typed = lifted() ?? takeTyped();
    const reader = readers.top();
    if (reader === undefined) readers.carried += typed;
    else reader.typed += typed;
  }
  /** Writes the held text on the free line, since nobody is asked any more. */
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
    // Held text has no line feed, so it is not searched again with each piece.
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
    get typing() {
      return isTyping();
    },
    lastKeyAt: Number.NEGATIVE_INFINITY,
    lend: () => undefined,
    untilSent: sent.until,
    ask,
    suspend,
    abandon() {
      takeTyped();
      release();
      sent.look();
    },
    left: sent.look,
    /** Shows the earlier text behind the prompt. */
    took(line) {
      if (!terminal.terminal) return;
      terminal.write(line);
      takeTyped();
    },
    dropTyped() {
      suspend();
      readers.keepTyped();
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
    close() {
      ending = "closed";
      terminal.close();
    },
  };
}
