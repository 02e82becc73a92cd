import { useEffect, useState } from "react";

/**
 * The whole seconds for which something runs, by the clock of the page: the wire tells no times. Stands still once it
 * has ended; 0 for what had ended before it was shown.
 */
export function useSeconds(isRunning: boolean): number {
  const [since] = useState(() => performance.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - since) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [isRunning, since]);
  return seconds;
}
