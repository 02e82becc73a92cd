import type { PanelWords } from "@askwire/client/words";
import type { MeasuredTexts } from "../device/measured-texts.js";
import type { Paint } from "../device/paint.js";
import type { DraftRow } from "../prompt/draft-rows.js";

/** The means of drawing a panel. */
export interface Drawing {
  readonly words: PanelWords;
  readonly paint: Paint;
  readonly texts: MeasuredTexts;
  /** Breaks typed text into rows. */
  readonly rowsOf: (text: string, columns: number) => readonly DraftRow[];
  readonly columns: number;
  /** Set once keys count. Until then no key is named. */
  readonly ready: boolean;
}

/** The place of the caret in lines, and its positions in the text a row above and a row below, where there are rows. */
export interface CaretPlace {
  readonly row: number;
  readonly column: number;
  readonly above?: number;
  readonly below?: number;
}

/** Lines of a frame, with the place of the caret. */
export interface Block {
  readonly lines: readonly string[];
  readonly caret?: CaretPlace;
}
