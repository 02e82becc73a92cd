/** @import { Measure, MeasureResult, Peer, PeerResult, Settings } from "./contract.js" */

/**
 * Runs every peer once per repetition, starting with another peer each time. A disturbance of the machine then hits the
 * peers alike. A failed peer is left out afterwards and keeps its error.
 * @type {(measure: Measure<any>, peers: readonly Peer[], settings: Settings, progress: (text: string) => void) =>
 * Promise<MeasureResult>}
 */
export async function repeat(measure, peers, settings, progress) {
  const columns = measure.columns(settings);
  /** @type {{ result: PeerResult, state: unknown }[]} */
  const runs = peers.map((peer) => ({ result: { peer, samples: [] }, state: undefined }));
  /** @type {(run: { result: PeerResult, state: unknown }, step: () => Promise<void>) => Promise<void>} */
  async function guarded({ result }, step) {
    if (result.error !== undefined) return;
    try {
      await step();
    } catch (error) {
      result.error = error instanceof Error ? error.message : String(error);
    }
  }

  try {
    for (const run of runs) {
      await guarded(run, async () => {
        run.state = await measure.open?.(run.result.peer, settings);
      });
    }
    const reps = measure.reps(settings);
    for (let rep = 0; rep < reps; rep++) {
      for (let n = 0; n < runs.length; n++) {
        const run = runs[(n + rep) % runs.length];
        if (run === undefined) continue;
        progress(`${measure.name} ${rep + 1}/${reps}: ${run.result.peer.name}`);
        await guarded(run, async () => {
          run.result.samples.push(await measure.sample(run.result.peer, settings, run.state));
        });
      }
    }
  } finally {
    for (const { state } of runs) if (state !== undefined) measure.close?.(state);
  }
  const { name, title, note } = measure;
  return { measure: { name, title, note }, columns, peers: runs.map(({ result }) => result) };
}
