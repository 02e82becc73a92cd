import { emitKeypressEvents, type Key } from "node:readline";
import { StringDecoder } from "node:string_decoder";
import type { FormKey } from "@askwire/client/form";
import { byteSource } from "../terminal/terminal-device.js";
import { keyTokens } from "./key-tokens.js";

type KeyName = Extract<FormKey, { key: unknown }>["key"];

/** Decodes what a terminal sends. */
export interface KeyReader {
  push(chunk: Buffer): void;
  /** Gives what still waits for its end: an Escape, a paste. */
  close(): void;
}

/** Node's names of keys. */
const plain = new Map<string, KeyName>([
  ["up", "up"],
  ["down", "down"],
  ["left", "left"],
  ["right", "right"],
  ["home", "home"],
  ["end", "end"],
  ["pageup", "page_up"],
  ["pagedown", "page_down"],
  ["tab", "tab"],
  ["return", "enter"],
  ["enter", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "delete"],
]);
const withCtrl = new Map<string, KeyName>([
  ["a", "home"],
  ["c", "interrupt"],
  ["d", "end_of_input"],
  ["e", "read"],
  ["h", "backspace"],
  ["k", "delete_to_end"],
  ["n", "down"],
  ["p", "up"],
  ["u", "delete_to_start"],
  ["w", "delete_word"],
  ["left", "word_left"],
  ["right", "word_right"],
  ["backspace", "delete_word"],
]);
const withAlt = new Map<string, KeyName>([
  ["left", "word_left"],
  ["right", "word_right"],
  ["b", "word_left"],
  ["f", "word_right"],
  ["backspace", "delete_word"],
]);

/** The numeric keypad of a terminal that tells its keys from the others: ESC O and a letter. */
const keypad = new Map<string, FormKey>([
  ["M", { key: "enter" }],
  ["I", { key: "tab" }],
  ["X", { text: "=" }],
  ..."0123456789".split("").map((digit) => keypadText("p", digit, Number(digit))),
  ..."*+,-./".split("").map((sign, index) => keypadText("j", sign, index)),
]);

function keypadText(first: string, text: string, offset: number): [string, FormKey] {
  return [String.fromCharCode(first.charCodeAt(0) + offset), { text }];
}

/**
 * Reads keys as they are pressed: a character is a text, also where several come at once; a paste in brackets is one key,
 * with its line ends as line feeds, at most 1 MiB of it, and given after two seconds where its end does not come. An
 * Escape counts when nothing has followed it for 50 ms. Reports of the mouse and of focus, answers of the terminal and
 * keys that mean nothing here give nothing.
 */
export function createKeyReader(onKey: (key: FormKey) => void): KeyReader {
  const decoder = new StringDecoder("utf8");
  const named = keyNamer();
  const tokens = keyTokens({
    key(token) {
      const key = keyOf(token, named);
      if (key !== undefined) onKey(key);
    },
    paste: (text) => onKey({ paste: text }),
  });
  return {
    push: (chunk) => tokens.push(decoder.write(chunk)),
    close() {
      tokens.push(decoder.end());
      tokens.close();
    },
  };
}

function keyOf(token: string, named: (token: string) => Key | undefined): FormKey | undefined {
  if (token === "\u001b") return { key: "escape" };
  if (!token.startsWith("\u001b") && !isControl(token)) return { text: token };
  if (token.startsWith("\u001bO") && keypad.has(token.slice(2))) return keypad.get(token.slice(2));
  // Some terminals send an Escape before what the key sends without Alt.
  const withEscape = token.startsWith("\u001b\u001b");
  const {
    name,
    ctrl = false,
    meta = false,
    shift = false,
  } = named(withEscape ? token.slice(1) : token) ?? {};
  if (name === undefined) return undefined;
  const key = nameOf(name, { ctrl, meta: meta || withEscape, shift });
  return key && { key };
}

function nameOf(
  name: string,
  { ctrl, meta, shift }: { ctrl: boolean; meta: boolean; shift: boolean },
): KeyName | undefined {
  if (name === "tab" && shift) return "back_tab";
  if (ctrl) return withCtrl.get(name);
  if (meta) return withAlt.get(name);
  return plain.get(name);
}

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is no text.
const isControl = (character: string) => /^[\u0000-\u001f\u007f-\u009f]$/.test(character);

/** Node's table of what keys send. It knows none of a sequence that it would cut elsewhere. */
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
    // It may wait for more.
    source = start();
    return undefined;
  };
}
