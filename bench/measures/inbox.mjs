/** @import { Measure } from "../contract.js" */
import { startHost, toldBy } from "./host-process.mjs";

/** A heap that is measured, and has room for all rows. */
const flags = ["--expose-gc", "--max-old-space-size=6000"];

/** The places of rows: sessions that left memory in this process, and those that a store has. */
const states = /** @type {const} */ (["parked", "kept"]);

/** The calls of the lists, in the order of the report. */
const calls = {
  page: "a page, ms",
  next: "at row 1,000",
  common: "of common words",
  rare: "of words that one has",
  counts: "with counts",
  textCounts: "of words, with counts",
  changed: "after a change",
  sessions: "of sessions",
};

/** @type {Measure} */
export const inbox = {
  name: "inbox",
  title: "Lists of 100,000 open requests",
  note: "Server and client in one process, over a channel in memory; the median of a call in milliseconds with 100,000 questions in as many sessions (1,000 in a quick run), a fifth with a deadline, and the bytes of the heap and the timers that the parked ones take.",
  columns: () => [
    ...states.flatMap((state) =>
      Object.entries(calls).map(([key, label]) => ({ key: `${state}_${key}`, label: `${state}: ${label}` })),
    ),
    { key: "parked_bytes", label: "parked: bytes each" },
    { key: "parked_timers", label: "parked: timers" },
  ],
  reps: () => 1,
  async sample(_peer, { quick, cores }) {
    /** @type {Record<string, number>} */
    const found = {};
    for (const state of states) {
      const order = { rows: quick ? 1000 : 100_000, state, reps: 15 };
      const figures = await toldBy(startHost(cores.slice(0, 1), "inbox", order, flags));
      for (const [key, value] of Object.entries(figures)) found[`${state}_${key}`] = value;
    }
    return found;
  },
};
