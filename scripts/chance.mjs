/**
 * Numbers that follow from a seed (mulberry32).
 *
 * @param {number} seed
 * @returns {(below: number) => number} whole numbers from 0.
 */
export function chanceOf(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) * (below / 2 ** 32));
  };
}
