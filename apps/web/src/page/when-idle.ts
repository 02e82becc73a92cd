/** The longest time that a page which is never idle waits, in milliseconds. */
const LONGEST_MS = 2_000;

/** The wait where the browser does not say when it is idle, in milliseconds. */
const WAIT_MS = 300;

/** Acts once the page has been painted and the browser has nothing else to do. @returns takes it back. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act, WAIT_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(act, { timeout: LONGEST_MS });
  return () => cancelIdleCallback(idle);
}
