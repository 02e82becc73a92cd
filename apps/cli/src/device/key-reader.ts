import type { FormKey } from "@askwire/client/form";
import { type KeyReader, type NamedKey, readTypedKeys } from "./typed-keys.js";

type KeyName = Extract<FormKey, { key: unknown }>["key"];

/** The form's names for Node's names of keys. */
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
  ["enter", "new_line"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "delete"],
]);
const withCtrl = new Map<string, KeyName>([
  ["a", "home"],
  ["c", "interrupt"],
  ["d", "end_of_input"],
  ["e", "read"],
  ["f", "find"],
  ["g", "put_aside"],
  ["h", "backspace"],
  ["j", "new_line"],
  ["k", "delete_to_end"],
  ["n", "down"],
  ["o", "next_request"],
  ["p", "up"],
  ["r", "previous_request"],
  ["t", "note"],
  ["u", "delete_to_start"],
  ["w", "delete_word"],
  ["y", "bring_back"],
  ["x", "leave_out"],
  ["left", "word_left"],
  ["right", "word_right"],
  ["backspace", "delete_word"],
]);
const withAlt = new Map<string, KeyName>([
  ["return", "new_line"],
  ["enter", "new_line"],
  ["left", "word_left"],
  ["right", "word_right"],
  ["b", "word_left"],
  ["f", "word_right"],
  ["backspace", "delete_word"],
]);

/**
 * Reads the keys of a panel. Keys without a meaning there are dropped.
 *
 * @param onStatus called for the terminal's answer about its status. Default: it gives nothing.
 */
export function createKeyReader(onKey: (key: FormKey) => void, onStatus?: () => void): KeyReader {
  return readTypedKeys((typed) => {
    if (!("name" in typed)) return onKey(typed);
    const key = nameOf(typed);
    if (key !== undefined) onKey({ key });
  }, onStatus);
}

function nameOf({ name, ctrl, alt, shift }: NamedKey): KeyName | undefined {
  if (name === "tab" && shift) return "back_tab";
  if (ctrl) return withCtrl.get(name);
  if (alt) return withAlt.get(name);
  return plain.get(name);
}
