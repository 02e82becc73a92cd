/**
 * Runs an action after the promises of the running callback, so that what these send leaves in the same write. A next
 * tick alone comes before them.
 */
export function afterPromises(action: () => void): void {
  queueMicrotask(() => process.nextTick(action));
}
