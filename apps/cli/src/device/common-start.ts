import { follow, isWide, SIMPLE_CHARACTER } from "./fitted-text.js";

/** A character that every terminal draws in the same columns, or a change of colour. */
const TOKEN = new RegExp(`\\u001b\\[[0-9;]*m|${SIMPLE_CHARACTER}`, "y");

/**
 * The columns at the start of a row that a later row has too, and the rest of that row. Ends where no colour is open, so
 * that the rest can be written by itself.
 */
export function commonStart(row: string, later: string): { readonly columns: number; readonly rest: string } {
  const most = sharedUnits(row, later);
  const colours: string[] = [];
  let start = { columns: 0, rest: later };
  let columns = 0;
  for (let at = 0; at < most; ) {
    const token = tokenAt(later, at);
    if (token === "" || at + token.length > most) break;
    at += token.length;
    if (token.startsWith("\u001b")) follow(colours, token);
    else columns += isWide(token) ? 2 : 1;
    if (colours.length === 0 && endsThere(row, at) && endsThere(later, at))
      start = { columns, rest: later.slice(at) };
  }
  return start;
}

/** True if no mark follows that would change the character before it. */
const endsThere = (row: string, at: number) => at === row.length || tokenAt(row, at) !== "";

function tokenAt(row: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(row)?.[0] ?? "";
}

function sharedUnits(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
}
