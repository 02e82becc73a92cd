import { visibleText } from "@askwire/client/text";
import type { Style } from "../device/paint.js";
import type { Growing } from "../lines/live-rows.js";
import { type Look, wrapSpans } from "./spans.js";

/** A text that grows until its end. */
export interface GrowingText extends Growing {
  readonly source: string;
  add(text: string): void;
  /** Ends the text: all rows stay unchanged. */
  end(): void;
}

/**
 * A text while it comes, as it was written.
 *
 * @param lead stands in front of each row.
 */
export function growingLines(look: Look, lead = "", styles: readonly Style[] = []): GrowingText {
  let source = "";
  let state = { at: 0, ended: false };
  /** The end of what no longer changes: whole lines. */
  const settled = () => (state.ended ? source.length : source.lastIndexOf("\n") + 1);
  const rowsIn = (text: string, columns: number) =>
    text.trim() === ""
      ? []
      : wrapSpans([{ text: visibleText(text.trimEnd()), styles }], Math.max(1, columns - lead.length), look, {
          first: lead,
          rest: lead,
        });
  return {
    get source() {
      return source;
    },
    add(text) {
      source += text;
    },
    end() {
      state = { ...state, ended: true };
    },
    rows(columns) {
      const firm = rowsIn(source.slice(state.at, settled()), columns);
      return { rows: [...firm, ...rowsIn(source.slice(settled()), columns)], firm: firm.length };
    },
    wrote() {
      state = { ...state, at: settled() };
    },
  };
}
