import type { NamedKey } from "../device/typed-keys.js";
import type { Motion } from "./draft.js";

/** A key of the prompt: moves the caret, takes text away, or acts on the prompt. */
export type PromptKey =
  | { readonly move: Motion }
  | { readonly kill: Motion }
  | "send"
  | "new_line"
  | "up"
  | "down"
  | "yank"
  | "tab"
  | "unfold"
  | "show"
  | "interrupt"
  | "escape"
  | "end_of_input"
  | "wipe";

/** Keys by Node's names. */
const plain = new Map<string, PromptKey>([
  ["return", "send"],
  ["enter", "new_line"],
  ["tab", "tab"],
  ["escape", "escape"],
  ["up", "up"],
  ["down", "down"],
  ["left", { move: "left" }],
  ["right", { move: "right" }],
  ["home", { move: "line_start" }],
  ["end", { move: "line_end" }],
  ["backspace", { kill: "left" }],
  ["delete", { kill: "right" }],
]);
const withCtrl = new Map<string, PromptKey>([
  ["a", { move: "line_start" }],
  ["b", { move: "left" }],
  ["c", "interrupt"],
  ["d", "end_of_input"],
  ["e", { move: "line_end" }],
  ["f", { move: "right" }],
  ["h", { kill: "left" }],
  ["j", "new_line"],
  ["k", { kill: "line_end" }],
  ["l", "wipe"],
  ["n", "down"],
  ["o", "show"],
  ["p", "up"],
  ["t", "unfold"],
  ["u", { kill: "line_start" }],
  ["w", { kill: "word_left" }],
  ["y", "yank"],
  ["left", { move: "word_left" }],
  ["right", { move: "word_right" }],
  ["backspace", { kill: "word_left" }],
  ["delete", { kill: "word_right" }],
]);
const withAlt = new Map<string, PromptKey>([
  ["return", "new_line"],
  ["enter", "new_line"],
  ["left", { move: "word_left" }],
  ["right", { move: "word_right" }],
  ["b", { move: "word_left" }],
  ["f", { move: "word_right" }],
  ["d", { kill: "word_right" }],
  ["backspace", { kill: "word_left" }],
]);

/** The meaning of a key at the prompt; undefined if there is none. */
export function promptKey({ name, ctrl, alt, shift }: NamedKey): PromptKey | undefined {
  if (name === "tab" && shift) return undefined;
  if (ctrl) return withCtrl.get(name);
  return (alt ? withAlt : plain).get(name);
}
