import { visibleText } from "@askwire/client/text";
import type { TerminalWords } from "@askwire/client/words";
import type { InboxRow, PlaceState, Waiting } from "./waiting.js";
import { spokenLine } from "./words-of-row.js";

export interface PrintedForm {
  readonly json?: boolean | undefined;
  readonly count?: boolean | undefined;
}

/** The waiting requests as text for a script or a status bar; each line ends. Empty with `count` while nothing waits. */
export function printed(
  { rows, all, places }: Pick<Waiting, "rows" | "all" | "places">,
  { json, count }: PrintedForm,
  { now, words }: { readonly now: number; readonly words: TerminalWords["inbox"] },
): string {
  if (count) return all === 0 ? "" : `${all}\n`;
  if (json) return `${jsonOf(rows, places)}\n`;
  return rows.map((row, index) => `${spokenLine(row, index + 1, now, words)}\n`).join("");
}

/** One line, which no control character of foreign text ends or steers. */
const jsonOf = (rows: readonly InboxRow[], places: readonly PlaceState[]) =>
  visibleText(
    JSON.stringify({
      requests: rows.map(({ request, place }) => ({ ...request, server: place.name })),
      servers: places,
    }),
  );
