import type { Principal, RequestDraft } from "@askwire/protocol";
import { personKey } from "../requests/person-key.js";
import type { Clock } from "../runtime/clock.js";

/** UTF-16 units of one draft as JSON, at most. */
export const MOST_OF_DRAFT = 16_384;
/** The most drafts of one person, and of all; those that were changed longest ago go. */
const MOST_OF_PERSON = 64;
const MOST = 10_000;
/** UTF-16 units of all drafts. */
const MOST_UNITS = 16 * 1_048_576;

/** The request that a draft is about. */
export interface DraftPlace {
  readonly session: string;
  readonly request: string;
}

interface Row {
  readonly person: string;
  readonly session: string;
  readonly place: string;
  readonly units: number;
  readonly draft: RequestDraft;
  /** On the monotonic clock, in milliseconds. */
  readonly at: number;
}

/**
 * The unsent work of persons on open requests, by request and person (P-XDR-1 to P-XDR-3). It lies in the memory of the
 * server, beside the sessions: a parked one finds its drafts again, and the next process has none.
 */
export class DraftTable {
  readonly #clock: Clock;
  /** The one that was changed longest ago first, as in the sets of persons. */
  readonly #all = new Set<Row>();
  readonly #byPerson = new Map<string, Set<Row>>();
  readonly #byPlace = new Map<string, Map<string, Row>>();
  readonly #placesOfSession = new Map<string, Set<string>>();
  #units = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Keeps the work of a person in the place of their last one on that request. The oldest make room for it. */
  keep(at: DraftPlace, of: Principal, draft: RequestDraft): void {
    const { place, person } = namesOf(at, of);
    this.#remove(this.#byPlace.get(place)?.get(person));
    const units = JSON.stringify(draft).length;
    const row: Row = { person, place, session: at.session, units, draft, at: this.#clock.elapsed() };
    this.#units += units;
    this.#all.add(row);
    added(this.#byPerson, person, () => new Set<Row>()).add(row);
    added(this.#byPlace, place, () => new Map<string, Row>()).set(person, row);
    added(this.#placesOfSession, at.session, () => new Set<string>()).add(place);
    const own = this.#byPerson.get(person);
    if (own !== undefined && own.size > MOST_OF_PERSON) this.#remove(first(own));
    while (this.#all.size > MOST || this.#units > MOST_UNITS) this.#remove(first(this.#all));
  }

  /** The work of a person on a request, and its age in milliseconds. Undefined where nothing is kept. */
  read(at: DraftPlace, of: Principal): { readonly draft: RequestDraft; readonly age_ms: number } | undefined {
    const { place, person } = namesOf(at, of);
    const row = this.#byPlace.get(place)?.get(person);
    return row && { draft: row.draft, age_ms: Math.max(0, this.#clock.elapsed() - row.at) };
  }

  /** Forgets the work of a person on a request. */
  forget(at: DraftPlace, of: Principal): void {
    const { place, person } = namesOf(at, of);
    this.#remove(this.#byPlace.get(place)?.get(person));
  }

  /** Forgets the work of everybody on a request, as at its end. */
  settled(at: DraftPlace): void {
    for (const row of this.#byPlace.get(placeOf(at))?.values() ?? []) this.#remove(row);
  }

  /** Forgets all work on the requests of a session, as where another process has it. */
  ended(session: string): void {
    for (const place of this.#placesOfSession.get(session) ?? [])
      for (const row of this.#byPlace.get(place)?.values() ?? []) this.#remove(row);
  }

  #remove(row: Row | undefined): void {
    if (row === undefined || !this.#all.delete(row)) return;
    this.#units -= row.units;
    const { person, place, session } = row;
    dropped(this.#byPerson, person, (rows) => rows.delete(row));
    dropped(this.#byPlace, place, (rows) => rows.delete(person));
    if (!this.#byPlace.has(place)) dropped(this.#placesOfSession, session, (places) => places.delete(place));
  }
}

const placeOf = ({ session, request }: DraftPlace) => JSON.stringify([session, request]);

const namesOf = (at: DraftPlace, of: Principal) => ({ place: placeOf(at), person: personKey(of) });

function added<V>(map: Map<string, V>, key: string, make: () => V): V {
  const there = map.get(key);
  if (there !== undefined) return there;
  const made = make();
  map.set(key, made);
  return made;
}

/** Takes something out of the part of a map, and the part too once it is empty. */
function dropped<V extends { readonly size: number }>(
  map: Map<string, V>,
  key: string,
  take: (part: V) => void,
): void {
  const part = map.get(key);
  if (part === undefined) return;
  take(part);
  if (part.size === 0) map.delete(key);
}

const first = <T>(rows: Set<T>): T | undefined => rows.values().next().value;
