/** The number of a model's queries in each turn. */
export interface TurnQueries {
  /**
   * Counts a query.
   *
   * @param asked the key that equal queries share.
   * @returns the number of queries in the turn, and of equal queries.
   */
  count(turn: AbortSignal, asked: string): { readonly all: number; readonly equal: number };
}

/** Of one session. A turn is known by its signal. */
export function turnQueries(): TurnQueries {
  const turns = new WeakMap<AbortSignal, { all: number; equal: Map<string, number> }>();
  return {
    count(turn, asked) {
      const counts = turns.get(turn) ?? { all: 0, equal: new Map() };
      turns.set(turn, counts);
      counts.all += 1;
      const equal = (counts.equal.get(asked) ?? 0) + 1;
      counts.equal.set(asked, equal);
      return { all: counts.all, equal };
    },
  };
}
