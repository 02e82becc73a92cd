/** @import { Measure } from "../contract.js" */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nodeOn } from "../system.mjs";

const host = fileURLToPath(new URL("../host/inbox.mjs", import.meta.url));

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
      const figures = await listed(cores.slice(0, 1), { rows: quick ? 1000 : 100_000, state, reps: 15 });
      for (const [key, value] of Object.entries(figures)) found[`${state}_${key}`] = value;
    }
    return found;
  },
};

/** @type {(cores: readonly number[], order: object) => Promise<Record<string, number>>} */
async function listed(cores, order) {
  const line = ["--expose-gc", "--max-old-space-size=6000", host, JSON.stringify(order)];
  const child = spawn(...nodeOn(cores, line), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the process of the lists ended (${code})`);
  });
  const [figures] = await Promise.race([once(child, "message"), ended]);
  ended.catch(() => {});
  return figures;
}
