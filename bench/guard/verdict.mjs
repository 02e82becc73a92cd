// Judges whether a line became slower, beyond the noise that the same build has against itself.
import { spread } from "../report.mjs";

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
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const noise = WITHIN * MEDIAN_ERROR * Math.sqrt(variance / logs.length);
  const { median: ratio, min: least, max: most } = spread(ratios);
  // What was not measured is neither slower nor as fast.
  if (!Number.isFinite(ratio) || !Number.isFinite(noise)) throw new Error("a line was not measured");
  const isSlower = Math.log(ratio) > Math.max(noise, Math.log(1 + LEAST_CHANGE));
  return { ratio, least, most, noise, isSlower };
}
