import type { ListedRequest, RequestNumbers } from "@askwire/protocol";
import type { RequestFilter } from "../connection/request-lists.js";

type Wanted = Pick<RequestFilter, "kinds" | "text" | "state">;

/** Tells the rows that a client wants from others (P-XRQ-1). */
export function isWantedRow({ kinds, text = "" }: Wanted): (row: ListedRequest) => boolean {
  const words = text.trim().toLowerCase();
  const hasWords = words === "" ? () => true : wordsFinder(words);
  if (kinds === undefined) return hasWords;
  return (row) => kinds.includes(row.kind) && hasWords(row);
}

/** Finds words in a row, in any case. Rows one after the other often have the folder and the agent in common. */
function wordsFinder(words: string): (row: ListedRequest) => boolean {
  const has = (text: string | undefined) => text?.toLowerCase().includes(words) === true;
  const inFolder = remembering(has);
  const inAgent = remembering(has);
  const inProgram = remembering(has);
  return ({ text, title, folder, program, agent }) =>
    has(text) || has(title) || inFolder(folder) || inProgram(program) || inAgent(agent);
}

function remembering(has: (text: string | undefined) => boolean): typeof has {
  let last: string | undefined;
  let had = false;
  return (text) => {
    if (text !== last) {
      last = text;
      had = has(text);
    }
    return had;
  };
}

/** Two lists in one order as one in that order. */
export function* merged<Row>(
  left: Iterator<Row>,
  right: Iterator<Row>,
  compare: (left: Row, right: Row) => number,
): Generator<Row, void, undefined> {
  let [one, other] = [left.next(), right.next()];
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && compare(one.value, other.value) < 0)) {
      yield one.value as Row;
      one = left.next();
    } else {
      yield other.value;
      other = right.next();
    }
  }
}

/** Counts rows by their kind and their state (P-XRQ-4). */
export class CountedRows {
  readonly #counts: Record<ListedRequest["state"], Record<ListedRequest["kind"], number>> = {
    open: { question: 0, approval: 0 },
    kept: { question: 0, approval: 0 },
  };

  count({ state, kind }: ListedRequest, by = 1): void {
    this.#counts[state][kind] += by;
  }

  /** The sums of the wanted kinds; of all where none are named. */
  sums(kinds: Wanted["kinds"] = ["question", "approval"]): RequestNumbers {
    const { open, kept } = this.#counts;
    const wanted = new Set(kinds);
    const of = (counts: typeof open) => [...wanted].reduce((sum, kind) => sum + counts[kind], 0);
    const ofKind = (kind: ListedRequest["kind"]) => (wanted.has(kind) ? open[kind] + kept[kind] : 0);
    const states = { open: of(open), kept: of(kept) };
    return {
      all: states.open + states.kept,
      kinds: { question: ofKind("question"), approval: ofKind("approval") },
      states,
    };
  }

  /** A copy, to be counted on. */
  copy(): CountedRows {
    const copy = new CountedRows();
    for (const state of ["open", "kept"] as const) Object.assign(copy.#counts[state], this.#counts[state]);
    return copy;
  }
}
