import { visibleText } from "@askwire/client/text";
import { processClock } from "../device/clock.js";
import { widthOf, wrapped } from "../device/fitted-text.js";
import type { Borrower, Loan } from "../device/loan.js";
import { OwedAnswers } from "../device/owed-answers.js";
import { PaintedTerminal } from "../device/painted-terminal.js";
import { runningRows } from "../device/running-rows.js";
import { type KeyReader, readTypedKeys, type TypedKey } from "../device/typed-keys.js";
import { Pastes } from "../prompt/pastes.js";
import { type PromptEditor, promptEditor } from "../prompt/prompt-editor.js";
import type { KeptTexts } from "../prompt/prompt-history.js";
import type { Suggests } from "../prompt/suggestion-list.js";
import { HalfLine, PAUSE_MS } from "./half-line.js";
import type { InputEnd, LineReaders, LineSource, Reader } from "./line-readers.js";
import { LeavingRows, type Live } from "./live-rows.js";
import { DrawingPace } from "./pace.js";
import { BARE, PromptFrame } from "./prompt-frame.js";
import { untilTrue } from "./until-true.js";

interface Told {
  /** Ctrl-C at an empty prompt. */
  interrupted(): void;
  /** Esc at an empty prompt. */
  escaped(): void;
  /** The terminal is gone. */
  gone(): void;
  /** A draft had no room for all of a text. */
  full(): void;
  /** The text that is shown for a paste of so many lines. */
  pasted(lines: number): string;
  /** The line that Ctrl-O gives to a reader. */
  readonly shows: string | undefined;
}

/**
 * The time after a panel has gone in which Esc was meant for that panel, in milliseconds: a press is on its way while
 * the panel closes, and comes late over a slow line.
 */
const PANEL_GONE_MS = 1_000;

/** Erases what the terminal itself has shown of text typed before this process read keys. */
const AFRESH = "\r\u001b[J";

/**
 * Keeps the prompt in one place: a frame below all output, with the unfinished line, lines that wait for a reader,
 * and the draft.
 * Words stay in the draft until they are sent or wiped, whoever reads them.
 */
export class PromptPlace implements LineSource {
  readonly draws = true;
  readonly #output: NodeJS.WriteStream;
  readonly #readers: LineReaders;
  readonly #told: Told;
  readonly #terminal: PaintedTerminal;
  readonly #keys: KeyReader;
  readonly #pastes: Pastes;
  readonly #frame: PromptFrame;
  readonly #main: PromptEditor;
  /** The editor of answers by lines, apart from the words at the prompt. */
  #asked: PromptEditor;
  readonly #begun = new HalfLine();
  #live: Live | undefined;
  #suggests: Suggests = () => [];
  readonly #leaving = new LeavingRows();
  #pause: NodeJS.Timeout | undefined;
  /** Whole lines, not written yet. */
  #above = "";
  /** The bytes ahead of the first of them. */
  #before = AFRESH;
  #state: "drawn" | "stale" | "left" = "drawn";
  readonly #pace = new DrawingPace(processClock, () => this.#drawSoon());
  /** Set while the keys come that were typed before this process read any. */
  #isAhead = true;
  #borrower: Borrower | undefined;
  #lastKeyAt = Number.NEGATIVE_INFINITY;
  /** The time at which the last panel gave the terminal back. */
  #takenBackAt = Number.NEGATIVE_INFINITY;
  readonly #owed = new OwedAnswers(processClock);
  readonly #sent = untilTrue(() => !this.typing);

  constructor(
    input: NodeJS.ReadStream,
    output: NodeJS.WriteStream,
    env: NodeJS.ProcessEnv,
    readers: LineReaders,
    told: Told,
    kept?: KeptTexts,
  ) {
    this.#output = output;
    this.#readers = readers;
    this.#told = told;
    this.#pastes = new Pastes(told.pasted);
    this.#frame = new PromptFrame((character) => this.#pastes.labelOf(character));
    this.#main = this.#newEditor({ kept, suggests: (begun) => this.#suggests(begun) });
    this.#asked = this.#newEditor();
    this.#keys = readTypedKeys((key) => this.#typedKey(key));
    setImmediate(() => {
      this.#isAhead = false;
    });
    this.#terminal = new PaintedTerminal(input, output, env, {
      typed: (chunk) => this.#typed(chunk),
      redraw: () => this.#redraw(),
      ended: (how) => this.#ended(how),
      rest: () => this.#rest,
    });
  }

  get lent(): boolean {
    return this.#borrower !== undefined;
  }

  get typing(): boolean {
    if (this.#readers.ended !== undefined) return false;
    return this.#keys.isPasting || [this.#main, this.#asked].some(({ draft }) => draft.text.trim() !== "");
  }

  get lastKeyAt(): number {
    return this.#lastKeyAt;
  }

  lend(to: Borrower): Loan | undefined {
    if (this.#borrower !== undefined || this.#readers.ended !== undefined) return undefined;
    this.#takeFirm();
    this.#endBegun();
    this.#borrower = to;
    if (!this.#terminal.isSettling) this.#terminal.show({ lines: [] }, this.#takeAbove());
    return this.#loanTo(to);
  }

  untilSent(signal: AbortSignal): Promise<void> {
    return this.#sent.until(signal);
  }

  ask(): void {
    this.#drawSoon();
  }

  suspend(): void {
    this.#drawSoon();
  }

  abandon(): void {
    this.#asked = this.#newEditor();
    this.#drawSoon();
  }

  left(): void {
    this.#drawSoon();
    this.#sent.look();
  }

  took(line: string, { prompt, apart }: Reader): void {
    this.#endBegun();
    if (apart) this.#writeLines("\n");
    this.#writeLines(behind(prompt, this.#pastes.shown(line), this.#terminal.size.columns));
    this.#drawSoon();
  }

  dropTyped(): void {
    this.#asked = this.#newEditor();
    const lines = this.#readers.queue.splice(0);
    if (lines.length > 0) this.#main.put([...lines, this.#main.text].join("\n"));
    this.#drawSoon();
  }

  write(text: string): void {
    if (text === "") return;
    if (this.#state === "left") return void this.#output.write(text);
    const { isGrowing } = this.#begun;
    const lines = this.#begun.take(text);
    this.#writeLines(isGrowing ? this.#grown(lines) : lines);
    if (this.lent) this.#begun.endSoon((line) => this.#writeLines(line));
  }

  shows(live: Live): void {
    this.#live = live;
  }

  suggests(suggests: Suggests): void {
    this.#suggests = suggests;
  }

  changed(isText = false): void {
    // A panel has the place of everything else that changes.
    if (this.lent && !isText) return;
    if (this.lent) this.#takeRestSoon();
    if (isText) this.#pace.ask();
    else this.#drawSoon();
  }

  endText(): void {
    const text = this.#live?.text;
    if (text === undefined || this.#state === "left") return;
    this.#writeLines(this.#leaving.end(text, this.#terminal.size.columns));
  }

  answered(): Promise<void> {
    return this.#owed.untilGiven();
  }

  close(): void {
    this.#endInput("closed");
  }

  get #editor(): PromptEditor {
    return this.#readers.asker() === undefined ? this.#main : this.#asked;
  }

  #newEditor(own: { kept?: KeptTexts | undefined; suggests?: Suggests } = {}): PromptEditor {
    const { full } = this.#told;
    return promptEditor({ vertical: this.#frame.vertical, full, pastes: this.#pastes, ...own });
  }

  #typed(chunk: Buffer): void {
    this.#lastKeyAt = performance.now();
    this.#owed.came(chunk);
    if (this.#borrower !== undefined) return this.#borrower.input(chunk);
    this.#keys.push(this.#isAhead ? endedByEnter(chunk) : chunk);
    this.#sent.look();
  }

  #typedKey(key: TypedKey): void {
    const meant = this.#editor.key(key);
    if (meant === "send") this.#send();
    else if (meant === "interrupt") this.#interrupt();
    else if (meant === "escape") this.#escape();
    else if (meant === "wipe") this.#terminal.wipe();
    else if (meant === "show") this.#giveShowing();
    else if (meant === "end_of_input") this.#endInput("typed");
    this.#drawSoon();
    this.#sent.look();
  }

  #send(): void {
    const reader = this.#readers.top();
    const from = this.#editor;
    const isAnswer = from === this.#asked;
    if (!isAnswer && from.draft.text.trim() === "") return from.put("");
    const line = from.take();
    if (isAnswer) this.#asked = this.#newEditor();
    if (reader !== undefined) this.took(line, reader);
    this.#readers.push(line);
  }

  /** Gives the line that shows something to a reader of words, never to one that asks. */
  #giveShowing(): void {
    const reader = this.#readers.top();
    const line = this.#told.shows;
    if (reader === undefined || line === undefined || this.#readers.asker() !== undefined) return;
    this.took(line, reader);
    this.#readers.push(line);
  }

  #interrupt(): void {
    const from = this.#editor;
    if (from.draft.text === "") this.#told.interrupted();
    else from.take();
  }

  /** Tells of an Escape that nothing else takes: no words, no question, and no panel that was there just before. */
  #escape(): void {
    const isTaken = this.lent || this.typing || this.#readers.asker() !== undefined;
    if (!isTaken && this.#lastKeyAt - this.#takenBackAt >= PANEL_GONE_MS) this.#told.escaped();
  }

  #ended(how: "gone" | "typed"): void {
    if (this.#readers.ended !== undefined) return;
    if (how === "gone") this.#told.gone();
    this.#endInput(how);
  }

  #endInput(how: InputEnd): void {
    const borrower = this.#borrower;
    this.#borrower = undefined;
    borrower?.gone();
    this.#readers.end(how);
    if (how === "gone") this.#owed.gone();
    if (this.#state === "left") return;
    this.#keys.close();
    this.endText();
    clearTimeout(this.#pause);
    this.#state = "left";
    this.#begun.keep();
    this.#pace.stop();
    this.#terminal.close();
    this.#sent.look();
  }

  #endBegun(): void {
    this.#writeLines(this.#begun.end());
  }

  /** Lines of which the first was shown as it grew, and is broken as then. */
  #grown(lines: string): string {
    const end = lines.indexOf("\n");
    const rows = runningRows(lines.slice(0, Math.max(0, end)), this.#terminal.size.columns);
    return end === -1 ? lines : rows.join("\n") + lines.slice(end);
  }

  /** Writes whole lines above the frame, with the next one. */
  #writeLines(lines: string): void {
    this.#above += lines;
    this.#pace.ask();
  }

  /** Draws once for all changes of one moment. */
  #drawSoon(): void {
    if (this.#state !== "drawn") return;
    this.#state = "stale";
    queueMicrotask(() => this.#draw());
  }

  #redraw(): void {
    this.#borrower?.redraw();
    if (this.#state === "drawn") this.#state = "stale";
    this.#draw();
  }

  #draw(): void {
    if (this.#state !== "stale") return;
    this.#state = "drawn";
    this.#terminal.measure();
    // The terminal asks for a new frame once its size has settled.
    if (this.#terminal.isSettling) return;
    this.#pace.drawn();
    if (this.#borrower === undefined) return this.#drawPrompt();
    this.#takeFirm();
    const lines = this.#takeAbove();
    if (lines !== "") this.#terminal.above(lines);
  }

  #drawPrompt(): void {
    const { queue } = this.#readers;
    const { draft, suggested } = this.#editor;
    const { size } = this.#terminal;
    const live = this.#live;
    const nothing = { above: "", rows: [] };
    const shown = {
      ...{ begun: this.#begun, queue, prompt: this.#readers.top()?.prompt, draft, suggested },
      text: (room: number, mayGrow: number) =>
        live?.text === undefined ? nothing : this.#leaving.take(live.text, size.columns, room, mayGrow),
      mayGrow: this.#terminal.mayGrow,
      work: (room: number) => live?.work(size.columns, room) ?? [],
      status: live?.status(size.columns),
    };
    const { frame, above } = this.#frame.draw(shown, size);
    this.#above += above;
    this.#terminal.show(frame, this.#takeAbove());
  }

  /** Writes the rows of the growing text that stay as they are, and those without room. */
  #takeFirm(room = Number.MAX_SAFE_INTEGER): void {
    const text = this.#live?.text;
    if (text === undefined) return;
    this.#above += this.#leaving.take(text, this.#terminal.size.columns, room).above;
  }

  /** Writes all of the growing text after a pause, while a panel has the place in which it would grow. */
  #takeRestSoon(): void {
    clearTimeout(this.#pause);
    if (this.#live?.text === undefined) return;
    this.#pause = setTimeout(() => {
      if (this.#borrower === undefined || this.#state === "left") return;
      this.#takeFirm(0);
      const lines = this.#takeAbove();
      if (lines !== "") this.#terminal.above(lines);
    }, PAUSE_MS);
  }

  #takeAbove(): string {
    const lines = this.#before + this.#above;
    this.#before = "";
    this.#above = "";
    return lines;
  }

  /** The text that stays when the terminal is left: the last words of other output, and words without a reader. */
  get #rest(): string {
    const { text } = this.#main;
    const begun = this.#begun.text;
    const unread = [...this.#readers.queue, ...(text.trim() === "" ? [] : [text])];
    const words = unread.map((line) => behind(BARE, line, this.#terminal.size.columns)).join("");
    return this.#above + begun + (begun === "" || words === "" ? "" : "\n") + words;
  }

  #loanTo(borrower: Borrower): Loan {
    const terminal = this.#terminal;
    const owed = this.#owed;
    const isLent = () => this.#borrower === borrower;
    return {
      answers: true,
      get columns() {
        return terminal.size.columns;
      },
      get rows() {
        return terminal.size.rows;
      },
      show(frame) {
        if (isLent()) terminal.show({ ...frame, mayStandAlone: true });
      },
      signal(sequence) {
        if (!isLent()) return;
        owed.wrote(sequence);
        terminal.signal(sequence);
      },
      away: (run) => terminal.away(run),
      end: (unread = "") => {
        if (isLent()) this.#takeBack(unread);
      },
    };
  }

  /** @param unread text that belongs to the prompt. */
  #takeBack(unread: string): void {
    this.#borrower = undefined;
    this.#takenBackAt = performance.now();
    this.#begun.keep();
    this.#terminal.untitle();
    this.#readers.resume();
    this.#redraw();
    // The lines about the panel's outcome precede these words.
    if (unread !== "") queueMicrotask(() => this.#typed(Buffer.from(unread)));
  }
}

/** The columns of a prompt without words, and of the rows below it. */
const BESIDE = BARE.length;

/** A sent line behind its prompt, in rows that are broken at blanks. */
function behind(prompt: string, line: string, columns: number): string {
  const isBare = widthOf(prompt) === BESIDE && columns > 4 * BESIDE;
  const text = visibleText(line);
  const rows = isBare ? [...wrapped(text, columns - BESIDE)] : text.split("\n");
  return `${prompt}${rows.join(`\n${" ".repeat(BESIDE)}`)}\n`;
}

/** Reads lines typed while a terminal gave whole lines, with line feeds instead of Enters. */
const endedByEnter = (chunk: Buffer) =>
  chunk.includes("\r") ? chunk : Buffer.from(chunk.toString("latin1").replaceAll("\n", "\r"), "latin1");
