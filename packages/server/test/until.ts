/**
 * Resolves once the condition holds, looking in every turn of the event loop. Sockets, files and the test's own
 * timeout, which is its bound, go on meanwhile.
 */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
