import type { PanelWords } from "@askwire/client/words";
import type { MeasuredTexts } from "../device/measured-texts.js";
import type { Paint } from "../device/paint.js";

/** The means of drawing a panel. */
export interface Drawing {
  readonly words: PanelWords;
  readonly paint: Paint;
  readonly texts: MeasuredTexts;
  readonly columns: number;
  /** Set once keys count. Until then no key is named. */
  readonly ready: boolean;
}

/** Lines of a frame, with the position of the caret. */
export interface Block {
  readonly lines: readonly string[];
  readonly caret?: { readonly row: number; readonly column: number };
}
