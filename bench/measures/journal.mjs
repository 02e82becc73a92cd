/** @import { Measure, Sample, Settings } from "../contract.js" */
/** @import { Pair } from "../pair.mjs" */
/** @import { KeptSession } from "@askwire/server" */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepIn, standardErrorLog } from "@askwire/server";
import { startPair } from "../pair.mjs";
import { questions } from "../payload.mjs";
import { spread } from "../report.mjs";

/** The questions whose records are written together, and the number of rounds, to keep the shortest journal short. */
const block = 25;
const rounds = 20;
/** Questions recorded before, so that the code is compiled. */
const warm = 20_000;

/** @type {(settings: Settings) => number[]} */
const levels = ({ quick }) => (quick ? [100, 1000] : [100, 1000, 10_000, 100_000]);

/** @type {Measure} */
export const journal = {
  name: "journal",
  title: "Cost of the journal",
  note: `What one question adds to a journal that had so many records when it was opened (two more, gathered and written in blocks of ${block} questions); how long the longest takes to open; a round trip over stdio, one by one, both processes on one core, not kept, kept for the end of its process and kept for a power cut: p50, and the CPU of both processes, which has the writes in it.`,
  columns: (settings) => [
    ...levels(settings).map((records) => ({
      key: `us_${records}`,
      label: `${records.toLocaleString("en")} records, µs`,
    })),
    { key: "growth", label: "last / first" },
    { key: "openMs", label: "open the last, ms" },
    { key: "none", label: "p50 not kept, µs" },
    { key: "process", label: "p50 `process`, µs" },
    { key: "disk", label: "p50 `disk`, µs" },
    { key: "ratio", label: "`process` / not kept" },
    { key: "cpuRatio", label: "CPU, `process` / not kept" },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 3)),
  async sample(_peer, settings) {
    const share = mkdtempSync(join(tmpdir(), "askwire-bench-"));
    try {
      return { ...(await costs(share, settings)), ...(await roundTrips(share, settings)) };
    } finally {
      rmSync(share, { recursive: true, force: true });
    }
  },
};

/** The journal alone, in this process. @type {(share: string, settings: Settings) => Promise<Record<string, number>>} */
async function costs(share, settings) {
  const keep = keepIn({ share, workDir: process.cwd(), flush: "process", log: standardErrorLog() });
  await filled(keep, "warm", 2 * warm);
  /** @type {{ level: number, kept: KeptSession, times: number[] }[]} */
  const runs = [];
  let openMs = 0;
  for (const level of levels(settings)) {
    await filled(keep, `of ${level}`, level);
    const start = performance.now();
    runs.push({ level, kept: keep(`of ${level}`), times: [] });
    openMs = performance.now() - start;
  }
  for (let round = 0; round < rounds; round++) {
    for (const { kept, times } of runs) {
      const start = performance.now();
      record(kept, block);
      await kept.journal.flush();
      times.push(((performance.now() - start) * 1000) / block);
    }
  }
  for (const { kept } of runs) await kept.journal.close();
  const medians = runs.map(({ level, times }) => ({ level, us: spread(times).median }));
  return {
    ...Object.fromEntries(medians.map(({ level, us }) => [`us_${level}`, us])),
    growth: (medians.at(-1)?.us ?? 0) / (medians[0]?.us ?? 1),
    openMs,
  };
}

/** @type {(keep: (id: string) => KeptSession, id: string, records: number) => Promise<void>} */
async function filled(keep, id, records) {
  const kept = keep(id);
  for (let left = records / 2; left > 0; left -= block) {
    record(kept, Math.min(block, left));
    if (left % 1000 === 0) await kept.journal.flush();
  }
  await kept.journal.close();
}

/** Records so many questions as the server does. @type {(kept: KeptSession, count: number) => void} */
function record({ journal }, count) {
  for (let n = 0; n < count; n++) {
    const { question, header, options, expected } = /** @type {typeof questions[0]} */ (
      questions[n % questions.length]
    );
    const id = crypto.randomUUID();
    const payload = { id, tool_call_id: "c1", questions: [{ question, header, options: [...options] }] };
    journal.record({ type: "QuestionRequest", payload });
    const outcome = { status: "answered", by: "human", at: new Date().toISOString() };
    const response = { answers: { [question]: expected } };
    journal.settled({
      request_id: id,
      kind: "question",
      outcome: /** @type {any} */ (outcome),
      response,
    });
  }
}

/** All by turns, so that a disturbance hits all. @type {(share: string, settings: Settings) => Promise<Sample>} */
async function roundTrips(share, { quick, cores }) {
  const clientCores = cores.slice(0, 1);
  /** @type {Pair[]} */
  const pairs = [];
  try {
    pairs.push(await startPair({ peer: "askwire", transport: "stdio", clientCores }));
    // The agent reads them, two processes further down.
    process.env.ASKWIRE_HOME = share;
    for (const flush of ["process", "disk"]) {
      process.env.ASKWIRE_BENCH_FLUSH = flush;
      pairs.push(await startPair({ peer: "askwire-journal", transport: "stdio", clientCores }));
    }
    for (const pair of pairs) {
      await pair.call("agent", "trips", { inFlight: 64, warmMs: quick ? 400 : 900, ms: 0 });
      await pair.call("agent", "trips", { inFlight: 1, warmMs: 400, ms: 0 });
    }
    /** @type {{ p50s: number[], cpus: number[] }[]} */
    const runs = pairs.map(() => ({ p50s: [], cpus: [] }));
    for (let round = 0; round < (quick ? 3 : 12); round++) {
      for (const [n, pair] of pairs.entries()) {
        const trips = await pair.call("agent", "trips", { inFlight: 1, warmMs: 20, ms: 120 });
        runs[n]?.p50s.push(trips.p50Us);
        if (trips.cpuPer100k !== null) runs[n]?.cpus.push(trips.cpuPer100k);
      }
    }
    const [none = 0, written = 0, synced = 0] = runs.map(({ p50s }) => spread(p50s).median);
    const [cpuNone = 0, cpuWritten = 0] = runs.map(({ cpus }) => spread(cpus).median);
    return {
      none,
      process: written,
      disk: synced,
      ratio: written / none,
      cpuRatio: cpuWritten / cpuNone || null,
    };
  } finally {
    delete process.env.ASKWIRE_HOME;
    delete process.env.ASKWIRE_BENCH_FLUSH;
    for (const pair of pairs) pair.end();
  }
}
