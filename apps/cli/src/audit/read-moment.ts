import { usageFailure } from "../input/failure.js";
import { readAge } from "../sessions/amounts.js";

/**
 * Reads a time: an age such as `30d`, a day, which begins at midnight here, or a time in ISO 8601.
 *
 * @param now milliseconds since 1970, as is the result.
 * @throws Failure for another text.
 */
export function readMoment(option: string, text: string, now: number): number {
  const age = readAge(text);
  const at = age === undefined ? (dayAt(text) ?? timeAt(text)) : now - age;
  if (at !== undefined) return at;
  throw usageFailure(
    `audit ${option} ${text}: expected an age such as 30d or 12h, a day such as 2026-11-01, or a time such as 2026-11-01T09:30Z`,
  );
}

function dayAt(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // The 31st of a shorter month would be a day of the next one.
  return date.getDate() === Number(day) && date.getMonth() === Number(month) - 1 ? date.getTime() : undefined;
}

function timeAt(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
