import type { ConnectOptions } from "@askwire/client";

/** The first waits before the next attempt are below this; a client looks less often for whether the server lives. */
const PATIENCE_MS = 9_000;

/** The clock of a client that connects again at once, and whose patience ends at the test's word. */
export function promptTiming(): NonNullable<ConnectOptions["timing"]> & { silence(): void } {
  const patient = new Set<() => void>();
  return {
    after(ms, action, holds = true) {
      // A timer that keeps no process alive only looks for signs of life.
      if (ms > PATIENCE_MS || !holds) {
        // A function may wait several times.
        const wait = () => action();
        patient.add(wait);
        return () => void patient.delete(wait);
      }
      const soon = setImmediate(action);
      return () => clearImmediate(soon);
    },
    random: () => 0,
    silence() {
      for (const wait of [...patient]) if (patient.delete(wait)) wait();
    },
  };
}
