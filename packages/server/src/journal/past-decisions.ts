import { statSync } from "node:fs";
import { join } from "node:path";
import { type ListedDecision, WireError } from "@askwire/protocol";
import type { DecisionFinder, DecisionPage, DecisionQuery } from "./decision-query.js";
import { type DecisionPlace, JournalTail } from "./journal-tail.js";
import { DecisionRows, hasWords, isDecidedBy } from "./listed-decision.js";
import { JOURNAL_FILE, sessionPlaces } from "./places.js";

/** The bytes of journals that are read for a page, at most, once it has gone back in time at all. */
const PAGE_BYTES = 64 * 1024 * 1024;

/**
 * Makes a finder of the decisions in the kept sessions of one work directory, or of all, for `decisions` of
 * `createServer` (P-XPD-1). Journals are read from their ends, no further than a page needs: for one page 64 MiB, and the
 * words of its rows. A journal that cannot be read is left out.
 */
export const decisionsIn =
  (place: { readonly share: string; readonly workDir?: string }): DecisionFinder =>
  async (query, signal) =>
    new PageOfJournals(query, signal).read(place);

/** The place where a page begins: behind a decision, or at a time, from which on nothing was looked at. */
type Beginning = DecisionPlace | readonly [at: number];

class PageOfJournals {
  readonly #query: DecisionQuery;
  readonly #signal: AbortSignal;
  readonly #after: Beginning | undefined;
  readonly #isWanted: (row: ListedDecision) => boolean;
  readonly #rows: DecisionRows;
  /** By the time of what is left in each, the latest last. */
  readonly #tails: JournalTail[] = [];
  #read = 0;
  #last: Beginning | undefined;

  constructor(query: DecisionQuery, signal: AbortSignal) {
    this.#query = query;
    this.#signal = signal;
    this.#after = query.after === undefined ? undefined : beginning(query.after);
    this.#last = this.#after;
    this.#isWanted = wanted(query);
    this.#rows = new DecisionRows(query.limit);
  }

  async read(place: Parameters<typeof sessionPlaces>[0]): Promise<DecisionPage> {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = this.#query;
    const from = Math.min(until, this.#after?.[0] ?? Number.POSITIVE_INFINITY);
    for (const session of sessionPlaces(place)) {
      const { mtimeMs } = statSync(join(session.folder, JOURNAL_FILE), { throwIfNoEntry: false }) ?? {};
      if (mtimeMs === undefined) continue;
      const after = session.id === this.#after?.[1] ? (this.#after as DecisionPlace) : undefined;
      this.#tails.push(new JournalTail(session, { writtenAt: mtimeMs, until: from, after }));
    }
    this.#tails.sort(latestLast);
    for (let tail = this.#tails.pop(); tail !== undefined; tail = this.#tails.pop()) {
      this.#signal.throwIfAborted();
      if (tail.time < since) break;
      if (this.#read > PAGE_BYTES && tail.time < from) return this.#page(this.#placeAt(tail.time));
      if (tail.found === undefined) this.#read += await tail.look();
      else if (!(await this.#take(tail))) return this.#page(this.#last);
      if (!tail.isOver) insert(this.#tails, tail);
    }
    return this.#page(undefined);
  }

  /** Takes the decision that was found. Returns false where the page has no room for it. */
  async #take(tail: JournalTail): Promise<boolean> {
    const place = tail.found as DecisionPlace;
    const { row, read } = await tail.take();
    this.#read += read;
    if (row !== undefined && isBehind(place, this.#after) && this.#isWanted(row) && !this.#rows.take(row))
      return false;
    this.#last = place;
    return true;
  }

  #placeAt(time: number): Beginning {
    return this.#last?.[0] === time ? this.#last : [time];
  }

  #page(next: Beginning | undefined): DecisionPage {
    return { decisions: this.#rows.rows, ...(next !== undefined && { next: JSON.stringify(next) }) };
  }
}

/** A journal that is not looked at yet comes before what was found at the same time, and that by its session. */
const latestLast = (one: JournalTail, other: JournalTail): number =>
  one.time - other.time ||
  Number(one.found === undefined) - Number(other.found === undefined) ||
  (one.session.id < other.session.id ? 1 : one.session.id > other.session.id ? -1 : 0);

function insert(tails: JournalTail[], tail: JournalTail): void {
  let [from, to] = [0, tails.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (latestLast(tails[middle] as JournalTail, tail) <= 0) from = middle + 1;
    else to = middle;
  }
  tails.splice(from, 0, tail);
}

function isBehind([at, session, line]: DecisionPlace, after: Beginning | undefined): boolean {
  if (after === undefined || at < after[0]) return true;
  if (at > after[0]) return false;
  if (after.length === 1) return true;
  return session > after[1] || (session === after[1] && line < after[2]);
}

function wanted({
  text = "",
  kinds,
  who,
  status,
  since,
  until,
}: DecisionQuery): (row: ListedDecision) => boolean {
  const isFound = hasWords(text);
  return (row) => {
    const at = Date.parse(row.at);
    return (
      (kinds === undefined || kinds.includes(row.kind)) &&
      (status === undefined || row.status === status) &&
      (since === undefined || at >= since) &&
      (until === undefined || at < until) &&
      (who === undefined || isDecidedBy(row, who)) &&
      isFound(row)
    );
  };
}

/** @throws WireError InvalidParams for a text that no page gave. */
function beginning(after: string): Beginning {
  try {
    const place: unknown = JSON.parse(after);
    if (Array.isArray(place) && isBeginning(place)) return place as unknown as Beginning;
  } catch {
    // As below.
  }
  throw new WireError("InvalidParams", "after: expected the `next` of the page before");
}

const isBeginning = ([at, session, line, ...more]: readonly unknown[]) =>
  Number.isFinite(at) &&
  more.length === 0 &&
  (session === undefined || (typeof session === "string" && Number.isFinite(line)));
