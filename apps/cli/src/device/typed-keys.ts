import { emitKeypressEvents, type Key } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import { KeyTokens } from "./key-tokens.js";
import { byteSource } from "./terminal-device.js";

/** A key with a name, as Node calls it: "return" is Enter, "enter" is Ctrl-J. */
export interface NamedKey {
  readonly name: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** A character that was typed, a text that was pasted, or a key with a name. */
export type TypedKey = { readonly text: string } | { readonly paste: string } | NamedKey;

/** Decodes the bytes that a terminal sends. */
export interface KeyReader {
  push(chunk: Buffer): void;
  /** Set while a paste has begun and not ended. */
  readonly isPasting: boolean;
  /**
   * Delivers pending input, such as an Escape or a paste. Returns the unread text behind a key that closed the
   * reader.
   */
  close(): string;
}

/** Asks the terminal for its status. Its answer comes behind all keys that were pressed before it showed what precedes. */
export const STATUS_QUERY = "\u001b[5n";
export const STATUS_ANSWER = "\u001b[0n";

/** The numeric keypad of a terminal that distinguishes its keys: ESC O and a letter. */
const keypad = new Map<string, TypedKey>([
  ["M", unmodified("return")],
  ["I", unmodified("tab")],
  ["X", { text: "=" }],
  ..."0123456789".split("").map((digit) => keypadText("p", digit, Number(digit))),
  ..."*+,-./".split("").map((sign, index) => keypadText("j", sign, index)),
]);

function unmodified(name: string): NamedKey {
  return { name, ctrl: false, alt: false, shift: false };
}

function keypadText(first: string, text: string, offset: number): [string, TypedKey] {
  return [String.fromCharCode(first.charCodeAt(0) + offset), { text }];
}

/**
 * Reads keys as they are pressed. Each character is a text, even if several come at once.
 * A paste in brackets is one key of at most 1 MiB, with line feeds as line ends. A paste without an end is given
 * after two seconds.
 * An Escape counts when nothing has followed it for half a second. The rest of a key that comes later is still that key.
 * Reports of the mouse and of focus, and answers of the terminal, give nothing.
 *
 * @param onStatus called for the terminal's answer to {@link STATUS_QUERY}. Default: it gives nothing.
 */
export function readTypedKeys(onKey: (key: TypedKey) => void, onStatus = () => {}): KeyReader {
  const decoder = new StringDecoder("utf8");
  const named = keyNamer();
  const tokens = new KeyTokens({
    key(token) {
      if (token === STATUS_ANSWER) return onStatus();
      const key = keyOf(token, named);
      if (key !== undefined) onKey(key);
    },
    paste: (text) => onKey({ paste: text }),
  });
  return {
    push: (chunk) => tokens.push(decoder.write(chunk)),
    get isPasting() {
      return tokens.isPasting;
    },
    close: () => tokens.close(),
  };
}

function keyOf(token: string, named: (token: string) => Key | undefined): TypedKey | undefined {
  if (token === "\u001b") return unmodified("escape");
  if (!token.startsWith("\u001b") && !isControl(token)) return { text: token };
  if (token.startsWith("\u001bO") && keypad.has(token.slice(2))) return keypad.get(token.slice(2));
  // Some terminals send an Escape before the sequence of the key without Alt.
  const withEscape = token.startsWith("\u001b\u001b");
  const {
    name,
    ctrl = false,
    meta = false,
    shift = false,
  } = named(withEscape ? token.slice(1) : token) ?? {};
  return name === undefined ? undefined : { name, ctrl, alt: meta || withEscape, shift };
}

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is no text.
const isControl = (character: string) => /^[\u0000-\u001f\u007f-\u009f]$/.test(character);

/** Names keys by Node's table. Sequences that Node would cut elsewhere have no name. */
function keyNamer(): (token: string) => Key | undefined {
  let keys: Key[] = [];
  const start = () => {
    const source = byteSource();
    emitKeypressEvents(source.stream);
    source.stream.on("keypress", (_text, key: Key) => void keys.push(key));
    return source;
  };
  let source = start();
  return (token) => {
    keys = [];
    source.give(Buffer.from(token));
    const [key] = keys;
    if (keys.length === 1 && key?.sequence === token) return key;
    // Node's parser may wait for more.
    source = start();
    return undefined;
  };
}
