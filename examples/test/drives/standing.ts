import type { Page } from "playwright-core";
import { parse } from "yaml";

/** A row of the accessibility tree. */
interface Row {
  readonly role: string;
  readonly name: string;
  readonly is: readonly string[];
  readonly text: string;
  readonly rows: readonly Row[];
}

/** What stands on a card, as its accessibility tree has it. White space is as there: one space for any of it. */
export interface Standing {
  /** The names of the options that are chosen. */
  readonly chosen: readonly string[];
  /** The text boxes by their names. */
  readonly boxes: ReadonlyMap<string, string>;
  /** The lines that a person can read beside the controls. */
  readonly lines: readonly string[];
  readonly pictures: number;
  /** The tabs: none for a single question. */
  readonly tabs: readonly { readonly isShown: boolean }[];
  /** The answers on the page to review, by their questions. */
  readonly review: ReadonlyMap<string, string>;
}

/** What stands on the last card before the person: nothing where it is put aside. */
export async function readStanding(page: Page): Promise<Standing> {
  // A box for a date of Firefox shows the part that is being typed before it is its value.
  await page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLInputElement) || at.type !== "date") return;
    at.blur();
    at.focus();
  });
  const card = page.locator(".dock section.askwire-card").last();
  return standingOf(rowsOf((parse(await card.ariaSnapshot()) ?? []) as unknown[]));
}

function standingOf(top: readonly Row[]): Standing {
  const all = top.flatMap(withInner);
  const isChoice = ({ role }: Row) => role === "radio" || role === "checkbox";
  const terms = all.filter(({ role }) => role === "term");
  const definitions = all.filter(({ role }) => role === "definition");
  return {
    chosen: all.filter((row) => isChoice(row) && row.is.includes("checked")).map(({ name }) => name),
    boxes: new Map(
      all.filter(({ role }) => role === "textbox").map((row) => [row.name, textOf(row)] as const),
    ),
    lines: all
      .filter(({ role }) => ["text", "paragraph", "status", "group"].includes(role))
      .map((row) => (row.role === "group" ? row.text : textOf(row))),
    pictures: all.filter(({ role, name }) => role === "img" && name.startsWith("Picture")).length,
    tabs: all.filter(({ role }) => role === "tab").map(({ is }) => ({ isShown: is.includes("selected") })),
    review: new Map(
      terms.map(
        (term, at) => [textOf(term).replace(/ Change$/, ""), textOf(definitions[at] as Row)] as const,
      ),
    ),
  };
}

const withInner = (row: Row): Row[] => [row, ...row.rows.flatMap(withInner)];

/** The text of a row and all below it. */
const textOf = (row: Row): string =>
  [row.text, ...row.rows.map((inner) => (inner.role === "button" ? inner.name : textOf(inner)))]
    .filter((text) => text !== "")
    .join(row.role === "list" ? ", " : " ");

const rowsOf = (list: readonly unknown[]): Row[] =>
  list.flatMap((one) => {
    if (typeof one === "string") return [rowOf(one, [])];
    return Object.entries(one as object).map(([key, value]) => rowOf(key, value));
  });

/** A row from its line, `role "name" [state]`. Properties such as `/placeholder` are none. */
function rowOf(key: string, value: unknown): Row {
  const [, role = key, name = '""', is = ""] =
    /^(\S+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)$/.exec(key) ?? [];
  const inner = Array.isArray(value) ? rowsOf(value) : [];
  return {
    role,
    name: JSON.parse(name) as string,
    is: [...is.matchAll(/\[([^\]]*)\]/g)].map(([, state]) => state as string),
    text: Array.isArray(value) || value === null || role.startsWith("/") ? "" : String(value),
    rows: inner,
  };
}
