import type { FormState } from "@askwire/client/form";
import type { PanelContent } from "../../../src/panel/content.js";
import { panelView } from "../../../src/panel/view.js";
import type { TerminalLanguage } from "../../../src/words/language.js";
import { panelWords } from "../../../src/words/panel-words.js";
import { content } from "./forms.js";

const plain = (_style: string, text: string) => text;
/** Never closed: files of tests share them. */
const views = {
  en: panelView({ words: panelWords.en, paint: plain }),
  zh: panelView({ words: panelWords.zh, paint: plain }),
};

interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  readonly language?: TerminalLanguage;
}

/** A form as it is drawn, in English and 80x24 where nothing else is said. */
export const drawn = (state: FormState, more: Partial<PanelContent> = {}, screen: Screen = {}) =>
  views[screen.language ?? "en"].draw(content(state, more), {
    columns: screen.columns ?? 80,
    rows: screen.rows ?? 24,
  });

/** The frame as text, with a line end before and after. */
export const frame = (...args: Parameters<typeof drawn>) => `\n${drawn(...args).lines.join("\n")}\n`;
