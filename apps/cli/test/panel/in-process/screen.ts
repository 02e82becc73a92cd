import type { FormState } from "@askwire/client/form";
import { type Language, languages, terminalWords } from "@askwire/client/words";
import type { PanelContent } from "../../../src/panel/content.js";
import { panelView } from "../../../src/panel/view.js";
import { content } from "./forms.js";

const plain = (_style: string, text: string) => text;
/** Never closed: files of tests share them. */
const views = Object.fromEntries(
  languages.map((one) => [one, panelView({ words: terminalWords[one].panel, paint: plain })]),
) as Record<Language, ReturnType<typeof panelView>>;

interface Screen {
  readonly columns?: number;
  readonly rows?: number;
  readonly language?: Language;
}

/** A form as it is drawn, in English and 80x24 where nothing else is said. */
export const drawn = (state: FormState, more: Partial<PanelContent> = {}, screen: Screen = {}) =>
  views[screen.language ?? "en"].draw(content(state, more), {
    columns: screen.columns ?? 80,
    rows: screen.rows ?? 24,
  });

/** The frame as text, with a line end before and after. */
export const frame = (...args: Parameters<typeof drawn>) => `\n${drawn(...args).lines.join("\n")}\n`;
