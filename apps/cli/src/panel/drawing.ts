import type { Paint } from "../device/paint.js";
import type { PanelWords } from "../words/panel-words.js";

/** What all that draws a panel needs besides what it draws. */
export interface Drawing {
  readonly words: PanelWords;
  readonly paint: Paint;
  readonly columns: number;
  /** Whether keys count already: until they do, none is named. */
  readonly ready: boolean;
}

/** Lines of a frame, and where the caret stands in them. */
export interface Block {
  readonly lines: readonly string[];
  readonly caret?: { readonly row: number; readonly column: number };
}
