import { type Context, createContext, Script } from "node:vm";

/** Runs work within a time limit, such as a foreign regular expression. */
export type BoundedTime = (work: () => void) => boolean;

/** The number of attempts at work that was stopped while this process had no processor. */
const ATTEMPTS = 4;

/**
 * Makes a runner that stops its work after the time limit, also inside a regular expression. The runner returns true
 * for finished work, and throws the exceptions of the work. Stopped work may begin again.
 *
 * @param ms the time for which one run may hold the event loop.
 */
export function boundedTime(ms: number): BoundedTime {
  const room: { work: () => void } = { work: nothing };
  let made: { readonly context: Context; readonly script: Script } | undefined;

  function attempt({ context, script }: NonNullable<typeof made>, work: () => void): boolean {
    room.work = work;
    try {
      script.runInContext(context, { timeout: ms });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
      throw error;
    } finally {
      room.work = nothing;
    }
  }

  return (work) => {
    // Takes longer than most work, and does not count as its time.
    made ??= { context: createContext(room), script: new Script("work()") };
    for (let left = ATTEMPTS; left > 0; left -= 1) {
      const before = process.cpuUsage();
      if (attempt(made, work)) return true;
      // The time is that of the clock on the wall, which also runs while others have the processor.
      const { user, system } = process.cpuUsage(before);
      if (user + system > (ms * 1000) / 4) return false;
    }
    return false;
  };
}

const nothing = () => {};
