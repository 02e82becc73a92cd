/** The signals by which somebody asks a command to end. */
export const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls a function once for each signal that asks this command to end. */
export function onEndSignal(end: () => void): void {
  for (const signal of endSignals) process.once(signal, () => end());
}
