/** The signals that end the command. */
const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Does work that SIGINT and SIGTERM give up. The signal ends this process once the work has rejected, so that no process
 * which the work started outlives the command.
 *
 * @param work gives up and ends what it has started when its signal is aborted.
 */
export async function unlessSignalled<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  let came: NodeJS.Signals | undefined;
  const give = (name: NodeJS.Signals) => {
    came = name;
    stop.abort();
  };
  for (const name of signals) process.once(name, give);
  try {
    return await work(stop.signal);
  } finally {
    for (const name of signals) process.off(name, give);
    if (came !== undefined) process.kill(process.pid, came);
  }
}
