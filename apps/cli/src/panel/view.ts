import type { PanelWords } from "@askwire/client/words";
import { MeasuredTexts } from "../device/measured-texts.js";
import type { Paint } from "../device/paint.js";
import { draftRows } from "../prompt/draft-rows.js";
import type { PanelView } from "./content.js";
import { panelPage } from "./page.js";
import { keptReading } from "./reading.js";

interface ViewOptions {
  readonly words: PanelWords;
  readonly paint: Paint;
  /** Keeps what was measured from frame to frame. */
  readonly texts?: MeasuredTexts;
}

/** Draws panels, and keeps the lines of a long full text and the measures of the last frame. */
export function panelView({ words, paint, texts = new MeasuredTexts() }: ViewOptions): PanelView {
  const reading = keptReading();
  const rowsOf = draftRows();
  return {
    draw(content, size) {
      texts.next();
      return panelPage(content, size, { words, paint, texts, rowsOf, reading });
    },
  };
}
