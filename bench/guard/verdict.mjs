// Whether a line became slower, beyond the noise that the same build has against itself.

/** @typedef {{ ratio: number, least: number, most: number, noise: number, isSlower: boolean }} Verdict */

/** A change that is smaller than this is none, whatever the noise. */
const LEAST_CHANGE = 0.01;
/** The error of a median of normal noise is so much larger than that of a mean, and 95 % lie within so many of it. */
const MEDIAN_ERROR = 1.2533;
const WITHIN = 1.96;

/**
 * @param {readonly number[]} ratios of the new build to the old one, in pairs.
 * @param {readonly number[]} same of the old build to itself, in the same pairs.
 * @returns {Verdict}
 */
export function verdictOn(ratios, same) {
  const logs = same.map(Math.log);
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const spread = Math.sqrt(
    logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, logs.length - 1),
  );
  const noise = (WITHIN * MEDIAN_ERROR * spread) / Math.sqrt(logs.length);
  const ratio = median(ratios);
  const isSlower = Math.log(ratio) > Math.max(noise, Math.log(1 + LEAST_CHANGE));
  return { ratio, least: Math.min(...ratios), most: Math.max(...ratios), noise, isSlower };
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[middle - 1 + (sorted.length % 2)], sorted[middle]];
  return (low + high) / 2;
}
