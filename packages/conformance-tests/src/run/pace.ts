import { spawn } from "node:child_process";

/** The time in which a quiet machine of today starts and ends Node, in milliseconds, with room to spare. */
const QUIET_START_MS = 150;
/** A machine that is slower than this many quiet machines gets no more time. */
const SLOWEST = 20;
const SAMPLES = 3;

/**
 * Measures how much longer than a quiet machine this machine takes, by starting Node a few times. A single executable
 * refuses the words of that start, and takes as long for it.
 *
 * @returns a factor from 1 to 20, by which waits grow.
 */
export async function measurePace(): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) times.push(await startTime());
  const [, median = 0] = times.toSorted((a, b) => a - b);
  return Math.min(SLOWEST, Math.max(1, median / QUIET_START_MS));
}

function startTime(): Promise<number> {
  const from = performance.now();
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["-e", ""], { env, stdio: "ignore", timeout: 10_000 });
    const done = () => resolve(performance.now() - from);
    child.once("error", done).once("exit", done);
  });
}
