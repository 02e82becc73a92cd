/**
 * Counts how often each id has come in one run, so that what comes again under an id is asked again, and does not get the
 * answer that was given before.
 *
 * @returns the ids that tell an ask from all before it.
 */
export function occasions(): (...ids: readonly string[]) => string[] {
  const times = new Map<string, number>();
  return (...ids) => {
    const name = JSON.stringify(ids);
    const before = times.get(name) ?? 0;
    times.set(name, before + 1);
    return before === 0 ? [...ids] : [...ids, String(before)];
  };
}
