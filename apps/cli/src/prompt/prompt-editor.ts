import { emptyField, type TextField } from "@askwire/client/form";
import type { TypedKey } from "../device/typed-keys.js";
import { caretAfter, inserted, killed } from "./draft.js";
import { type KeptTexts, promptHistory } from "./prompt-history.js";
import { promptKey } from "./prompt-keys.js";

/** A draft that a person edits, with the texts sent before. */
export interface PromptEditor {
  readonly draft: TextField;
  /** Applies a key to the draft. Returns the name of a key for the prompt. */
  key(key: TypedKey): "send" | "interrupt" | "end_of_input" | "wipe" | undefined;
  /** Takes the text away, into the history. Words begun before browsing the history come back. */
  take(): string;
  /** Replaces the draft by a text. */
  put(text: string): void;
}

interface Around {
  /** The caret's position in the row above or below; undefined at either end. */
  vertical(draft: TextField, by: -1 | 1): number | undefined;
  /** Called when a text did not fit whole. */
  full(): void;
  /** Texts that outlive the process. Default: none. */
  readonly kept?: KeptTexts | undefined;
}

export function promptEditor({ vertical, full, kept }: Around): PromptEditor {
  const history = promptHistory(kept);
  let draft = emptyField;
  let lastKilled = "";

  function insert(text: string): void {
    const { field, cut } = inserted(draft, text);
    draft = field;
    if (cut) full();
  }
  function put(text: string): void {
    draft = { text, caret: text.length };
  }
  function upOrDown(by: -1 | 1): void {
    const caret = vertical(draft, by);
    if (caret !== undefined) {
      draft = inserted({ text: draft.text, caret }, "").field;
      return;
    }
    const other = history.turn(by, draft.text);
    if (other !== undefined) put(other);
  }

  return {
    get draft() {
      return draft;
    },
    key(typed) {
      const key = "name" in typed ? promptKey(typed) : undefined;
      if ("text" in typed) insert(typed.text);
      else if ("paste" in typed) insert(typed.paste);
      else if (key === "new_line") insert("\n");
      else if (key === "tab") insert("\t");
      else if (key === "yank") insert(lastKilled);
      else if (key === "up" || key === "down") upOrDown(key === "up" ? -1 : 1);
      else if (key === "end_of_input" && draft.text !== "") draft = killed(draft, "right").field;
      else if (typeof key !== "object") return key;
      else if ("move" in key) draft = { text: draft.text, caret: caretAfter(draft, key.move) };
      else {
        const { field, text } = killed(draft, key.kill);
        draft = field;
        if (key.kill !== "left" && key.kill !== "right" && text !== "") lastKilled = text;
      }
      return undefined;
    },
    take() {
      const { text } = draft;
      put(history.add(text));
      return text;
    },
    put,
  };
}
