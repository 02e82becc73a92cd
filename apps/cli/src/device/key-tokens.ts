// Cuts the output of a terminal into sequences. Only the cuts are made here; typed-keys.ts knows the keys.

const ESCAPE = "\u001b";
const BELL = "\u0007";
const PASTE_BEGIN = "\u001b[200~";
const PASTE_END = "\u001b[201~";
/**
 * The time in which a begun sequence may go on, a lone Escape too, in milliseconds: a slow line brings an arrow key in two
 * parts, up to 150 ms apart (measured), and an Escape decides.
 */
const PAUSE_MS = 500;
/** The time after an Escape that counted in which the rest of a key is still that key, in milliseconds. */
const LATE_MS = 2_000;
/** The rest of a key that a terminal sends behind an Escape: whole, as nobody types it in one go. */
const LATE_REST = /^(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])/;
/** The time in which a character belongs to the Escape before it, as Alt sends the two. */
const ALT_MS = 50;
/** The characters that Alt makes a key of its own, and those that begin a sequence. */
const BEHIND_ESCAPE = "[ObfBF]PX^_\u0008\u007f\u001b";
/** The longest silence within a paste, in milliseconds. Input after that counts as keys, Enter too. */
const PASTE_PAUSE_MS = 2_000;
/** The most characters of a paste; the rest is dropped. */
const PASTE_LIMIT = 1024 * 1024;
/** The most characters of a terminal's answer. A longer text is no answer, and the rest counts as typed. */
const ANSWER_LIMIT = 4_096;

export interface TokenSink {
  /** A character, a control character, or a whole sequence that begins with an escape character. */
  key(token: string): void;
  paste(text: string): void;
}

export interface KeyTokens {
  push(text: string): void;
  /** Set while a paste has begun and not ended. */
  readonly isPasting: boolean;
  /**
   * Returns the unread text behind a key that closed the reader. Pending input is delivered first, and nothing after
   * that.
   */
  close(): string;
}

/** The beginnings of sequences that may follow one escape character or two. */
const open = [
  /^$/,
  // ESC [ M is followed by the three bytes of a mouse report.
  /^\[(?:\[?|\[?[0-?]+[ -/]*|[ -/]+|M.{0,2})$/s,
  /^O[0-9;]*$/,
];

export function keyTokens({ key, paste: pasted }: TokenSink): KeyTokens {
  let sequence = "";
  let paste: { text: string; tail: string } | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The time of the last input, and of the last Escape that counted alone, in milliseconds. */
  let inputAt = Number.NEGATIVE_INFINITY;
  let escapedAt = Number.NEGATIVE_INFINITY;
  /** True while an Escape has stood by itself for longer than Alt and its key need. */
  let isAlone = false;
  /** Text that is not read yet. */
  let unread = "";
  /** A key may close the reader while more input waits. */
  let isClosed = false;

  function type(character: string): void {
    if (sequence === "" && character !== ESCAPE) return key(character);
    // An Escape that something follows is not lone, and decides nothing; what follows it was typed.
    if (sequence === ESCAPE && isAlone && !BEHIND_ESCAPE.includes(character)) {
      sequence = "";
      isAlone = false;
      return key(character);
    }
    // The character neither continues nor ends the sequence: an Escape before another key, or a cut sequence.
    if (isCutBy(sequence, character)) {
      const escaped = isString(sequence) && sequence.endsWith(ESCAPE);
      flush();
      if (escaped) type(ESCAPE);
      return type(character);
    }
    sequence += character;
    if (isOpen(sequence)) return;
    const whole = sequence;
    sequence = "";
    if (whole.endsWith(PASTE_BEGIN)) {
      // An Escape may stand before a paste.
      if (whole !== PASTE_BEGIN) key(ESCAPE);
      paste = { text: "", tail: "" };
    } else if (!isString(whole)) key(whole);
  }
  /** Delivers a begun sequence without its rest. */
  function flush(): void {
    clearTimeout(timer);
    const rest = sequence;
    sequence = "";
    if (!isEscape(rest)) return;
    escapedAt = performance.now();
    for (const character of rest) key(character);
  }
  function collect(into: { text: string; tail: string }): void {
    const all = into.tail + unread;
    const end = all.indexOf(PASTE_END);
    const cut = end === -1 ? Math.max(0, all.length - PASTE_END.length + 1) : end;
    into.text += all.slice(0, Math.min(cut, PASTE_LIMIT - into.text.length));
    into.tail = all.slice(cut, cut + PASTE_END.length - 1);
    unread = end === -1 ? "" : all.slice(end + PASTE_END.length);
    if (end === -1) return;
    into.tail = "";
    finishPaste();
  }
  function finishPaste(): void {
    clearTimeout(timer);
    const { text, tail } = paste ?? { text: "", tail: "" };
    paste = undefined;
    const whole = (text + tail)
      .slice(0, PASTE_LIMIT)
      .replace(/[\ud800-\udbff]$/, "")
      .replace(/\r\n?/g, "\n");
    if (whole !== "") pasted(whole);
  }
  function finish(): void {
    if (paste === undefined) flush();
    else finishPaste();
  }

  return {
    push(text) {
      if (isClosed) return;
      clearTimeout(timer);
      unread = text;
      const now = performance.now();
      isAlone = sequence === ESCAPE && now - inputAt >= ALT_MS;
      if (sequence === "" && now - escapedAt < LATE_MS && LATE_REST.test(text)) sequence = ESCAPE;
      if (text !== "") [inputAt, escapedAt] = [now, Number.NEGATIVE_INFINITY];
      while (unread !== "") {
        if (paste !== undefined) collect(paste);
        else {
          const [character = ""] = unread;
          unread = unread.slice(character.length);
          type(character);
        }
      }
      if (isClosed || (paste === undefined && sequence === "")) return;
      timer = setTimeout(finish, paste === undefined ? PAUSE_MS : PASTE_PAUSE_MS);
    },
    get isPasting() {
      return paste !== undefined;
    },
    close() {
      finish();
      isClosed = true;
      const rest = unread;
      unread = "";
      return rest;
    },
  };
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
