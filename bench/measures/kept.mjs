/** @import { Column, Measure } from "../contract.js" */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHost, toldBy } from "./host-process.mjs";

/** The ways to keep a session: not at all, for the end of its process, for a power cut. */
const ways = /** @type {const} */ (["none", "process", "disk"]);

const loads = [
  { name: "alone", label: "1 session, one by one", sessions: 1, inFlight: 1 },
  { name: "many", label: "1 session, 64 in flight", sessions: 1, inFlight: 64 },
  { name: "crowd", label: "100 sessions, one by one", sessions: 100, inFlight: 1 },
];

/** @type {Measure} */
export const kept = {
  name: "kept",
  title: "A question of a kept session",
  note: "Server and client in one process, over a channel in memory; p50 of a question, questions a second, and syncs of the disk for each; not kept, kept for the end of its process (`process`), kept for a power cut (`disk`). The disk is that of the folder for temporary files.",
  columns: () =>
    loads.flatMap(({ name, label }) => [
      ...ways.flatMap((way) => [
        { key: `${name}_${way}`, label: `${label}, ${way}: p50 µs` },
        { key: `${name}_${way}_rate`, label: "a second" },
      ]),
      { key: `${name}_syncs`, label: `${label}: syncs a question` },
    ]),
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  async sample(_peer, { quick, cores }) {
    const share = mkdtempSync(join(tmpdir(), "askwire-bench-"));
    const duration = quick ? { warmMs: 300, ms: 300 } : { warmMs: 1500, ms: 1000 };
    /** @type {Record<string, number>} */
    const found = {};
    try {
      for (const { name, sessions, inFlight } of loads) {
        for (const flush of ways) {
          const order = { share, flush, sessions, inFlight, ...duration };
          const { p50Us, perSecond, syncs } = await toldBy(startHost(cores.slice(0, 1), "kept", order));
          found[`${name}_${flush}`] = p50Us;
          found[`${name}_${flush}_rate`] = perSecond;
          if (flush === "disk") found[`${name}_syncs`] = syncs;
        }
      }
      return found;
    } finally {
      rmSync(share, { recursive: true, force: true });
    }
  },
};
