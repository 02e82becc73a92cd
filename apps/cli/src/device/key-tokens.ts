// Cuts the output of a terminal into sequences. Only the cuts are made here; typed-keys.ts knows the keys.

import { Paste } from "./paste.js";

const ESCAPE = "\u001b";
const BELL = "\u0007";
const PASTE_BEGIN = "\u001b[200~";
/**
 * The time in which a begun sequence may continue, a lone Escape too, in milliseconds: a slow line brings an arrow key
 * in two parts, up to 150 ms apart (measured), and an Escape decides.
 */
const PAUSE_MS = 500;
/** The time after an Escape that counted in which the rest of a key is still that key, in milliseconds. */
const LATE_MS = 2_000;
/** The rest of a key that a terminal sends behind an Escape: whole, as nobody types it in one go. */
const LATE_REST = /^(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])/;
/** The time in which a character belongs to the Escape before it, as Alt sends the two. */
const ALT_MS = 50;
/** The characters that Alt makes a separate key, and those that begin a sequence. */
const BEHIND_ESCAPE = "[ObfBF]PX^_\u0008\u007f\u001b";
/** The longest silence within a paste, in milliseconds. Input after that counts as keys, Enter too. */
const PASTE_PAUSE_MS = 2_000;
/** The most characters of a terminal's answer. A longer text is no answer, and the rest counts as typed. */
const ANSWER_LIMIT = 4_096;

export interface TokenSink {
  /** A character, a control character, or a whole sequence that begins with an escape character. */
  key(token: string): void;
  paste(text: string): void;
}

/** The beginnings of sequences that may follow one escape character or two. */
const open = [
  /^$/,
  // ESC [ M is followed by the three bytes of a mouse report.
  /^\[(?:\[?|\[?[0-?]+[ -/]*|[ -/]+|M.{0,2})$/s,
  /^O[0-9;]*$/,
];

/** Cuts input into keys and pastes. */
export class KeyTokens {
  readonly #sink: TokenSink;
  /** A sequence that has begun. */
  #sequence = "";
  #paste: Paste | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The time of the last input, and of the last Escape that counted alone, in milliseconds. */
  #inputAt = Number.NEGATIVE_INFINITY;
  #escapedAt = Number.NEGATIVE_INFINITY;
  /** Set while an Escape has stood by itself for longer than Alt and its key need. */
  #isAlone = false;
  /** Text that is not read yet. */
  #unread = "";
  /** A key may close the reader while more input waits. */
  #isClosed = false;

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  /** Set while a paste has begun and not ended. */
  get isPasting(): boolean {
    return this.#paste !== undefined;
  }

  push(text: string): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#unread = text;
    if (text !== "") this.#continueEscape(text);
    while (this.#unread !== "") this.#read();
    if (this.#isClosed || (this.#paste === undefined && this.#sequence === "")) return;
    const wait = this.#paste === undefined ? PAUSE_MS : PASTE_PAUSE_MS;
    this.#timer = setTimeout(() => this.#finish(), wait);
  }

  /**
   * Returns the unread text behind a key that closed the reader. Pending input is delivered first, and nothing after
   * that.
   */
  close(): string {
    this.#finish();
    this.#isClosed = true;
    const rest = this.#unread;
    this.#unread = "";
    return rest;
  }

  /** Finds out if input follows an Escape as Alt or the rest of a key does. */
  #continueEscape(text: string): void {
    const now = performance.now();
    this.#isAlone = this.#sequence === ESCAPE && now - this.#inputAt >= ALT_MS;
    const isLate = this.#sequence === "" && now - this.#escapedAt < LATE_MS && LATE_REST.test(text);
    if (isLate) this.#sequence = ESCAPE;
    this.#inputAt = now;
    this.#escapedAt = Number.NEGATIVE_INFINITY;
  }

  #read(): void {
    if (this.#paste !== undefined) return this.#readPaste(this.#paste);
    const [character = ""] = this.#unread;
    this.#unread = this.#unread.slice(character.length);
    this.#type(character);
  }

  #readPaste(paste: Paste): void {
    const rest = paste.take(this.#unread);
    this.#unread = rest ?? "";
    if (rest !== undefined) this.#finishPaste(paste);
  }

  #type(character: string): void {
    if (this.#sequence === "" && character !== ESCAPE) return this.#sink.key(character);
    // An Escape that something follows is not lone, and decides nothing; what follows it was typed.
    if (this.#sequence === ESCAPE && this.#isAlone && !BEHIND_ESCAPE.includes(character)) {
      this.#sequence = "";
      this.#isAlone = false;
      return this.#sink.key(character);
    }
    if (isCutBy(this.#sequence, character)) return this.#typeBehindCut(character);
    this.#sequence += character;
    if (!isOpen(this.#sequence)) this.#take(this.#takeSequence());
  }

  /** Types a character that neither continues nor ends the sequence: an Escape came ahead of it, or a cut sequence. */
  #typeBehindCut(character: string): void {
    const isEscaped = isString(this.#sequence) && this.#sequence.endsWith(ESCAPE);
    this.#flush();
    if (isEscaped) this.#type(ESCAPE);
    this.#type(character);
  }

  /** Takes a whole sequence. */
  #take(whole: string): void {
    if (!whole.endsWith(PASTE_BEGIN)) {
      if (!isString(whole)) this.#sink.key(whole);
      return;
    }
    // An Escape may precede a paste.
    if (whole !== PASTE_BEGIN) this.#sink.key(ESCAPE);
    this.#paste = new Paste();
  }

  #takeSequence(): string {
    const sequence = this.#sequence;
    this.#sequence = "";
    return sequence;
  }

  /** Delivers a begun sequence or paste without its rest. */
  #finish(): void {
    if (this.#paste === undefined) this.#flush();
    else this.#finishPaste(this.#paste);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    const rest = this.#takeSequence();
    if (!isEscape(rest)) return;
    this.#escapedAt = performance.now();
    for (const character of rest) this.#sink.key(character);
  }

  #finishPaste({ text }: Paste): void {
    clearTimeout(this.#timer);
    this.#paste = undefined;
    if (text !== "") this.#sink.paste(text);
  }
}

const isEscape = (sequence: string) => sequence === ESCAPE || sequence === ESCAPE + ESCAPE;

/** Recognizes an answer of the terminal, which ends with BEL or ESC \\. */
const isString = (sequence: string) => sequence[0] === ESCAPE && "]PX^_".includes(sequence[1] || " ");

function isOpen(sequence: string): boolean {
  if (sequence.length > ANSWER_LIMIT) return false;
  if (isString(sequence)) return !sequence.endsWith(BELL) && !sequence.endsWith(`${ESCAPE}\\`);
  const behind = sequence.slice(sequence[1] === ESCAPE ? 2 : 1);
  return open.some((pattern) => pattern.test(behind));
}

function isCutBy(sequence: string, character: string): boolean {
  if (sequence.length < 2) return false;
  if (!isString(sequence)) return character < " ";
  if (sequence.endsWith(ESCAPE)) return character !== "\\";
  return character < " " && character !== ESCAPE && character !== BELL;
}
