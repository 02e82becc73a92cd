import { setTimeout } from "node:timers/promises";

/** The number of the process that has a session open, if that is why an agent did not start. */
export const heldBy = (error: unknown): string | undefined =>
  error instanceof Error ? /session is in use by process (\d+)/.exec(error.message)?.[1] : undefined;

/** The longest time that an ending process is waited for, and the time between looks, in milliseconds. */
const END_MS = 10_000;
const LOOK_MS = 100;

/** Resolves once a process has ended, or has taken too long for that. */
export async function leftBy(holder: string): Promise<void> {
  for (let waited = 0; waited < END_MS && isThere(Number(holder)); waited += LOOK_MS)
    await setTimeout(LOOK_MS);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
