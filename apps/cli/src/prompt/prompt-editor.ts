import { emptyField, type TextField } from "@askwire/client/form";
import type { TypedKey } from "../device/typed-keys.js";
import { caretAfter, DRAFT_LENGTH, inserted, killed } from "./draft.js";
import { Pastes, withoutMarks } from "./pastes.js";
import { type KeptTexts, promptHistory } from "./prompt-history.js";
import { promptKey } from "./prompt-keys.js";
import { SuggestionList, type Suggests } from "./suggestion-list.js";

/** A draft that a person edits, with the texts sent before. */
export interface PromptEditor {
  /** The draft as it is edited: one character stands for each long paste. */
  readonly draft: TextField;
  /** The draft with its pastes in full. */
  readonly text: string;
  /** The words suggested for the one before the caret. */
  readonly suggested: ReturnType<SuggestionList["shown"]>;
  /** Applies a key to the draft. Returns the name of a key for the prompt. */
  key(key: TypedKey): "send" | "interrupt" | "escape" | "end_of_input" | "wipe" | "show" | undefined;
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
  /** The long pastes. Default: those of this draft alone. */
  readonly pastes?: Pastes;
  /** Texts that outlive the process. Default: none. */
  readonly kept?: KeptTexts | undefined;
  /** Finds words for one that begins with `/` or `@`. Default: none is suggested. */
  readonly suggests?: Suggests;
}

export function promptEditor({
  vertical,
  full,
  pastes = new Pastes(),
  kept,
  suggests = () => [],
}: Around): PromptEditor {
  const history = promptHistory(kept);
  const suggestions = new SuggestionList(suggests);
  let draft = emptyField;
  let lastKilled = "";

  function insert(text: string): void {
    const { field, cut } = inserted(draft, text);
    draft = field;
    if (cut) full();
  }
  function paste(all: string): void {
    const room = Math.max(0, DRAFT_LENGTH - pastes.whole(draft.text).length);
    const text = all.slice(0, room);
    insert(pastes.fold(text, draft.text));
    if (text.length < all.length) full();
  }
  function put(whole: string): void {
    const text = pastes.folded(whole);
    draft = { text, caret: text.length };
  }
  function unfold(): void {
    const found = pastes.at(draft.text, draft.caret);
    if (found === undefined) return;
    draft = { text: draft.text.slice(0, found.at) + draft.text.slice(found.at + 1), caret: found.at };
    insert(withoutMarks(found.text));
  }
  function upOrDown(by: -1 | 1): void {
    const caret = vertical(draft, by);
    if (caret !== undefined) {
      draft = inserted({ text: draft.text, caret }, "").field;
      return;
    }
    const other = history.turn(by, pastes.whole(draft.text));
    if (other !== undefined) put(other);
  }

  return {
    get draft() {
      return draft;
    },
    get text() {
      return pastes.whole(draft.text);
    },
    get suggested() {
      return suggestions.shown(draft);
    },
    key(typed) {
      const suggested = suggestions.key(typed, draft);
      if (suggested !== undefined) {
        draft = inserted(suggested, "").field;
        return undefined;
      }
      suggestions.typed(typed);
      const key = "name" in typed ? promptKey(typed) : undefined;
      if ("text" in typed) insert(withoutMarks(typed.text));
      else if ("paste" in typed) paste(typed.paste);
      else if (key === "unfold") unfold();
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
      suggestions.close();
      const text = pastes.whole(draft.text);
      put(history.add(text));
      return text;
    },
    put,
  };
}
