import { visibleLine, visibleText } from "@askwire/client/text";
import { cut, rowsIn, widthOf } from "../device/fitted-text.js";
import type { Borrower, Frame, Loan } from "../device/loan.js";
import { paintedTerminal } from "../device/painted-terminal.js";
import { readTypedKeys, type TypedKey } from "../device/typed-keys.js";
import { promptEditor } from "../prompt/prompt-editor.js";
import { promptView } from "../prompt/prompt-view.js";
import { halfLine } from "./half-line.js";
import type { InputEnd, LineReaders, LineSource, Reader } from "./line-readers.js";
import { untilTrue } from "./until-true.js";

/** The time that half a line waits for its rest while a panel is open, in milliseconds. */
const PAUSE_MS = 200;
/** The prompt of words without a reader. */
const BARE = "> ";
/** The most sent lines shown while they wait for a reader. */
const MOST_WAITING = 3;

interface Told {
  /** Ctrl-C at an empty prompt. */
  interrupted(): void;
  /** The terminal is gone. */
  gone(): void;
  /** A draft had no room for all of a text. */
  full(): void;
}

/**
 * Keeps the prompt in one place: a frame below all output, with the unfinished line, lines that wait for a reader,
 * and the draft.
 * Words stay in the draft until they are sent or wiped, whoever reads them.
 */
export function promptPlace(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  readers: LineReaders,
  { interrupted, gone, full }: Told,
): LineSource {
  const view = promptView();
  const newEditor = () => promptEditor({ vertical: view.vertical, full });
  const main = newEditor();
  /** The editor of answers by lines, apart from the words at the prompt. */
  let asked = newEditor();
  const begun = halfLine();
  let pause: NodeJS.Timeout | undefined;
  /** Whole lines, not written yet. */
  let above = "";
  let isStale = false;
  let isOpen = true;
  let isNew = true;
  let isAhead = true;
  setImmediate(() => {
    isAhead = false;
  });
  let borrower: Borrower | undefined;
  let lastKeyAt = Number.NEGATIVE_INFINITY;
  const sent = untilTrue(() => !isTyping());

  const keys = readTypedKeys(typedKey);
  const terminal = paintedTerminal(input, output, env, {
    typed,
    redraw() {
      if (borrower !== undefined) return borrower.redraw();
      isStale = true;
      draw();
    },
    ended(how) {
      if (readers.ended !== undefined) return;
      if (how === "gone") gone();
      endInput(how);
    },
    rest,
  });

  const editor = () => (readers.asker() === undefined ? main : asked);
  const isTyping = () =>
    readers.ended === undefined &&
    (keys.isPasting || [main, asked].some(({ draft }) => draft.text.trim() !== ""));

  function typed(chunk: Buffer): void {
    lastKeyAt = performance.now();
    if (borrower !== undefined) return borrower.input(chunk);
    keys.push(isAhead ? endedByEnter(chunk) : chunk);
    sent.look();
  }
  function typedKey(key: TypedKey): void {
    const meant = editor().key(key);
    if (meant === "send") send();
    else if (meant === "interrupt") interrupt();
    else if (meant === "wipe") terminal.wipe();
    else if (meant === "end_of_input") endInput("typed");
    drawSoon();
    sent.look();
  }
  function send(): void {
    const reader = readers.top();
    const from = editor();
    const isAnswer = from === asked;
    if (!isAnswer && from.draft.text.trim() === "") return from.put("");
    const line = from.take();
    if (isAnswer) asked = newEditor();
    if (reader !== undefined) echo(line, reader);
    readers.push(line);
  }
  function interrupt(): void {
    const from = editor();
    if (from.draft.text === "") interrupted();
    else from.take();
  }

  function echo(line: string, { prompt }: Reader): void {
    endBegun();
    above += behind(prompt, line);
    drawSoon();
  }
  function endBegun(): void {
    clearTimeout(pause);
    above += begun.end();
    drawSoon();
  }

  /** Draws once for all changes of one moment. */
  function drawSoon(): void {
    if (isStale) return;
    isStale = true;
    queueMicrotask(draw);
  }
  function draw(): void {
    if (!isStale) return;
    isStale = false;
    if (!isOpen) return;
    terminal.measure();
    const frame = borrower === undefined ? promptFrame() : undefined;
    const lines = takeAbove();
    if (frame !== undefined) terminal.show(frame, lines);
    else if (lines !== "") terminal.above(lines);
  }
  function takeAbove(): string {
    // The terminal itself has shown text there, typed before this process read keys.
    const lines = isNew ? `\r\u001b[J${above}` : above;
    isNew = false;
    above = "";
    return lines;
  }

  function promptFrame(): Frame {
    const { columns, rows } = terminal.size;
    const room = Math.max(1, rows - 1);
    const { draft } = editor();
    const waiting = readers.queue
      .slice(-Math.min(MOST_WAITING, room - 1))
      .map((line) => cut(BARE + visibleLine(line), columns));
    const prompt = readers.top()?.prompt ?? (draft.text === "" && waiting.length === 0 ? undefined : BARE);
    if (prompt === undefined) {
      // An empty line is a place for the cursor.
      const lines = begun.text === "" ? [""] : begunRows(columns, room);
      return { lines, caret: { row: lines.length - 1, column: widthOf(lines.at(-1) ?? "") } };
    }
    // A tall draft leaves a third of the rows to the words of others.
    const kept = Math.min(rowsIn(begun.text, columns).length, Math.ceil(room / 3));
    const forDraft = room - waiting.length - (begun.text === "" ? 0 : kept);
    const drawn = view.draw(prompt, draft, { columns, room: Math.max(1, forDraft) });
    const free = room - waiting.length - drawn.lines.length;
    const before = begun.text === "" ? waiting : [...begunRows(columns, free), ...waiting];
    const { row, column } = drawn.caret;
    return { lines: [...before, ...drawn.lines], caret: { row: before.length + row, column } };
  }
  function begunRows(columns: number, room: number): readonly string[] {
    const fitted = begun.fit(columns, room);
    above += fitted.above;
    return fitted.rows;
  }

  /** The text that stays when the terminal is left: the last words of others, and words without a reader. */
  function rest(): string {
    const { text } = main.draft;
    const unread = [...readers.queue, ...(text.trim() === "" ? [] : [text])];
    const words = unread.map((line) => behind(BARE, line)).join("");
    return above + begun.text + (begun.text === "" || words === "" ? "" : "\n") + words;
  }
  function endInput(how: InputEnd): void {
    const borrowed = borrower;
    borrower = undefined;
    borrowed?.gone();
    readers.end(how);
    if (!isOpen) return;
    keys.close();
    isOpen = false;
    clearTimeout(pause);
    terminal.close();
    sent.look();
  }

  function lend(to: Borrower): Loan | undefined {
    if (borrower !== undefined || readers.ended !== undefined) return undefined;
    endBegun();
    borrower = to;
    terminal.show({ lines: [] }, takeAbove());
    const isMine = () => borrower === to;
    return {
      get columns() {
        return terminal.size.columns;
      },
      get rows() {
        return terminal.size.rows;
      },
      show(frame) {
        if (isMine()) terminal.show(frame);
      },
      signal(sequence) {
        if (isMine()) terminal.signal(sequence);
      },
      away: (run) => terminal.away(run),
      end(unread = "") {
        if (!isMine()) return;
        takeBack();
        // The lines about the panel's outcome stand before these words.
        if (unread !== "") queueMicrotask(() => typed(Buffer.from(unread)));
      },
    };
  }
  function takeBack(): void {
    borrower = undefined;
    clearTimeout(pause);
    terminal.untitle();
    readers.resume();
    isStale = true;
    draw();
  }

  return {
    draws: true,
    get lent() {
      return borrower !== undefined;
    },
    get typing() {
      return isTyping();
    },
    get lastKeyAt() {
      return lastKeyAt;
    },
    lend,
    untilSent: sent.until,
    ask: drawSoon,
    suspend: drawSoon,
    abandon() {
      asked = newEditor();
      drawSoon();
    },
    left() {
      drawSoon();
      sent.look();
    },
    took: echo,
    dropTyped() {
      asked = newEditor();
      const lines = readers.queue.splice(0);
      if (lines.length > 0) main.put([...lines, main.draft.text].join("\n"));
      drawSoon();
    },
    write(text) {
      if (text === "") return;
      if (!isOpen) return void output.write(text);
      clearTimeout(pause);
      above += begun.take(text);
      if (borrower !== undefined && begun.text !== "") pause = setTimeout(endBegun, PAUSE_MS);
      drawSoon();
    },
    close: () => endInput("closed"),
  };
}

/** A sent line behind its prompt. */
const behind = (prompt: string, line: string) => `${prompt}${visibleText(line).replaceAll("\n", "\n  ")}\n`;

/** Reads lines typed while a terminal gave whole lines, with line feeds instead of Enters. */
const endedByEnter = (chunk: Buffer) =>
  chunk.includes("\r") ? chunk : Buffer.from(chunk.toString("latin1").replaceAll("\n", "\r"), "latin1");
