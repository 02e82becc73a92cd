import type { Clock } from "../runtime/clock.js";
import { headerLine, openingLine } from "./entries.js";
import { titleIn } from "./first-prompt.js";
import type { HistoryLines, KeptLines } from "./kept-lines.js";
import type { Lane } from "./lane.js";
import { BEGINNING, type FileLine, type LinePart } from "./lines.js";
import { storedOpenList } from "./stored-open-list.js";
import type { StoredSession } from "./stored-session.js";

/** The lines of a journal in a store. Their places are counted in lines. */
export function storedLines(stored: StoredSession, lane: Lane, clock: Clock): KeptLines {
  let lead = [...(stored.count === 0 ? [headerLine] : []), openingLine(clock, stored.generation)];
  let isTitled = false;

  function add(lines: readonly string[]): boolean {
    if (!lane.addLines([...lead, ...lines])) return false;
    lead = [];
    for (const line of isTitled ? [] : lines) {
      const title = titleIn(line);
      if (title === undefined) continue;
      lane.setTitle(title);
      isTitled = true;
    }
    return true;
  }

  function addNow(...lines: readonly string[]): boolean {
    const isKept = add(lines);
    lane.demand();
    return isKept;
  }

  return {
    name: stored.name,
    append(line) {
      if (add([line])) lane.soon();
    },
    // A record that is told at once waits for its commit as one that is kept does: a killed process has written nothing.
    appendNow: addNow,
    appendKept: addNow,
    synced: () => lane.synced(),
    onLost: (listener) => lane.onLost(listener),
    flush: () => lane.demand(),
    place: () => ({ at: lane.count + lead.length, release() {} }),
    async *read(part) {
      lane.demand();
      await lane.synced()?.catch(() => {});
      const { count } = lane;
      // A place may be behind lines that come with the next one, and that a store has not yet.
      yield* linesOfPart(stored, count, { ...part, end: Math.min(part.end ?? count, count) });
    },
    keepOpen(read) {
      const list = storedOpenList(read, stored.count === 0);
      lane.openFrom(list.changedOpen);
      lane.soon();
      return {
        changed() {
          list.changed();
          lane.soon();
        },
        close() {
          list.close();
          lane.soon();
        },
      };
    },
    close: () => lane.close(),
  };
}

/** The lines of a history in a store. They are closed with those of the journal. */
export const storedHistory = (lane: Lane): HistoryLines => ({
  append(line) {
    lane.addHistory([line], false);
    lane.soon();
  },
  replace(lines) {
    lane.addHistory(lines, true);
    lane.soon();
  },
  flush: () => lane.demand(),
  save() {
    lane.demand();
    return lane.synced()?.catch(() => {});
  },
  async close() {},
});

/** The lines of a part of a journal, numbered from its beginning. */
export async function* linesOfPart(
  stored: Pick<StoredSession, "read">,
  count: number,
  { from = 0, end = count, without = { from: end, to: end }, wants }: LinePart,
): AsyncGenerator<FileLine> {
  let number = 0;
  const parts = [
    { first: from, last: Math.min(without.from, end) },
    { first: Math.max(from, without.to), last: end },
  ];
  for (const { first, last } of parts) {
    if (first >= last) continue;
    let at = first;
    for await (const text of stored.read(first, last)) {
      number += 1;
      if (wants?.(text.slice(0, BEGINNING)) ?? true) yield { number, at, text };
      at += 1;
    }
  }
}
