import { claimIn, type TerminalWords } from "@askwire/client/words";
import { cut, oneLine, widthOf } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
import type { InboxRow, PlaceState } from "./waiting.js";
import { ageOf, leftOf, listTitle, whoAsks, wordsOnPeople } from "./words-of-row.js";

type Words = TerminalWords["inbox"];

/** The content of a list. */
interface ListContent {
  readonly rows: readonly InboxRow[];
  /** The number of requests that wait, of which the rows are the first. */
  readonly all: number;
  /** The index of the row with the cursor. */
  readonly current: number;
  /** The index of the first row that was shown. */
  readonly top: number;
  readonly places: readonly PlaceState[];
  /** Set once all places have said what waits there. */
  readonly isWhole: boolean;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
  /** The act that is under way in the place of choosing, in a sentence. */
  readonly doing?: string | undefined;
}

interface Drawing {
  readonly columns: number;
  readonly rows: number;
  readonly words: Words;
  readonly paint: Paint;
}

/** The most places whose trouble has a line. */
const MOST_TROUBLE = 3;
/** The columns of the name of who asks: a share of the width, within bounds. */
const WHO = { share: 0.22, least: 8, most: 28 };
/** The columns below which ages are short. */
const WITH_AGES = 60;
/** The narrowest list with names. */
const WITH_NAMES = 36;
/** The seconds from which a deadline is urgent. */
const URGENT = 60;

/** The frame of the list: fewer lines than rows, none wider than the columns. */
export function listFrame(content: ListContent, drawing: Drawing): { lines: string[]; top: number } {
  const { columns, rows: height, words, paint } = drawing;
  const { rows, places, doing } = content;
  const room = Math.max(1, height - 1);
  const trouble = troubleLines(places, drawing).slice(0, Math.max(0, Math.min(MOST_TROUBLE, room - 4)));
  const head = room > 2 ? [headLine(content, drawing)] : [];
  const foot =
    room > 1 ? [cut(paint("dim", doing ?? footText(rows[content.current], words, columns)), columns)] : [];
  const forRows = Math.max(1, room - head.length - foot.length - trouble.length);
  const { first, last } = shownPart(rows.length, content, forRows);
  const shown = rows
    .slice(first, last)
    .map((row, index) => rowLine(row, first + index === content.current, content.now, drawing));
  const counts = forRows >= WITH_COUNTS;
  const above = counts && first > 0 ? [paint("dim", cut(words.above(first), columns))] : [];
  const below =
    counts && last < rows.length ? [paint("dim", cut(words.below(rows.length - last), columns))] : [];
  const list =
    rows.length === 0
      ? [cut(paint("dim", emptyText(content, words)), columns)]
      : [...above, ...shown, ...below];
  return { lines: [...head, ...list.slice(0, forRows), ...trouble, ...foot], top: first };
}

const emptyText = ({ isWhole }: ListContent, words: Words) => (isWhole ? words.empty : words.looking);

function headLine({ rows, all: waiting, places }: ListContent, { columns, words, paint }: Drawing): string {
  const title = listTitle(rows.length, waiting, words);
  const here = places.filter(({ state }) => state === "here").length;
  const count = ` · ${words.places(here)}`;
  const all = widthOf(title + count) <= columns ? paint("dim", count) : "";
  return `${paint("bold", cut(title, columns))}${all}`;
}

function troubleLines(places: readonly PlaceState[], { columns, words, paint }: Drawing): string[] {
  return places.flatMap(({ name, state, why = "" }) => {
    if (state !== "away" && state !== "unlisted") return [];
    const text = (state === "away" ? words.away : words.unlisted)(oneLine(name), oneLine(why));
    return [cut(paint("yellow", text), columns)];
  });
}

/** The hints that fit, the first ones first. */
function footText(row: InboxRow | undefined, { keys }: Words, columns: number): string {
  const isOwn = claimIn(row?.request.answering)?.isOwn === true;
  const claims = isOwn ? keys.giveBack : keys.take;
  const hints = row === undefined ? [keys.leave] : [keys.open, keys.move, keys.leave, claims];
  let text = "";
  for (const hint of hints) {
    const longer = text === "" ? hint : `${text} · ${hint}`;
    if (widthOf(longer) <= columns) text = longer;
  }
  return text;
}

/** The room from which the requests above and below are counted, in lines of their own. */
const WITH_COUNTS = 3;

/** The part of the rows that is shown, the cursor's among them. */
function shownPart(
  count: number,
  { current, top }: Pick<ListContent, "current" | "top">,
  room: number,
): { first: number; last: number } {
  if (count <= room) return { first: 0, last: count };
  const inside = room < WITH_COUNTS ? room : room - 2;
  const least = Math.max(0, current - inside + 1);
  const first = Math.min(current, Math.max(top, least), count - inside);
  return { first, last: first + inside };
}

/** A request on one line: who asks, what, and its times. What is asked gets the most room. */
function rowLine(row: InboxRow, isCurrent: boolean, now: number, drawing: Drawing): string {
  const { columns, words, paint } = drawing;
  const { request } = row;
  const mark = isCurrent ? paint("cyan", "❯ ") : "  ";
  const isApproval = request.kind === "approval";
  const kind = paint(isApproval ? "yellow" : "cyan", isApproval ? "! " : "? ");
  const times = timesOf(row, now, drawing);
  const who = columns < WITH_NAMES ? "" : padded(whoAsks(row, words), whoWidth(columns));
  const left = columns - 4 - widthOf(who) - (who === "" ? 0 : 2) - widthOf(times) - 2;
  const text = padded(oneLine(request.text), Math.max(1, left));
  const name = who === "" ? "" : `${paint("dim", who)}  `;
  const line = `${mark}${kind}${name}${isCurrent ? paint("bold", text) : text}  ${times}`;
  return cut(line, columns);
}

/** The most columns for who else is at a request. */
const MOST_AT = 24;

const whoWidth = (columns: number) =>
  Math.min(WHO.most, Math.max(WHO.least, Math.floor(columns * WHO.share)));

/** The text cut or filled to a width. */
function padded(text: string, columns: number): string {
  const fitted = cut(text, columns);
  return fitted + " ".repeat(Math.max(0, columns - widthOf(fitted)));
}

/** The age, behind the time that is left and who else is at it, as far as there is room. */
function timesOf({ request }: InboxRow, now: number, { columns, words, paint }: Drawing): string {
  const waits = ageOf(request, now);
  const age = columns < WITH_AGES ? words.shortAge(waits) : words.age(waits);
  const seconds = leftOf(request, now);
  const people = wordsOnPeople(request, words).join(", ");
  const left = seconds === undefined ? undefined : words.left(seconds);
  const painted =
    left === undefined ? [] : [paint(seconds !== undefined && seconds <= URGENT ? "red" : "yellow", left)];
  const at = people === "" ? [] : [paint("green", cut(people, MOST_AT))];
  if (columns >= 70) return [...at, ...painted, paint("dim", age)].join(" · ");
  const [only = paint("dim", age)] = columns >= 50 ? [...painted, ...at] : painted;
  return only;
}
