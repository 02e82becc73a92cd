import type { Paint } from "../device/paint.js";
import type { PanelWords } from "../words/panel-words.js";
import type { PanelView } from "./content.js";
import { panelPage } from "./page.js";
import { keptReading } from "./reading.js";

/** Draws panels, and keeps the lines of a long full text. */
export function panelView({ words, paint }: { words: PanelWords; paint: Paint }): PanelView {
  const reading = keptReading();
  return { draw: (content, size) => panelPage(content, size, { words, paint, reading }) };
}
