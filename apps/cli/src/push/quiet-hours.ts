import * as z from "zod/mini";

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const Time = z.string().check(z.regex(TIME));

/** True for a time zone that this machine knows, such as `Europe/Berlin`. */
function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The hours of each day in which a device is told nothing: from a time until another, `HH:MM` in its time zone. */
export const QuietHours = z.object({
  from: Time,
  until: Time,
  zone: z.string().check(z.maxLength(64), z.refine(isZone)),
});
export type QuietHours = z.output<typeof QuietHours>;

const minutesOf = (time: string) => {
  const [, hours, minutes] = TIME.exec(time) ?? [];
  return Number(hours) * 60 + Number(minutes);
};

/**
 * True within the hours. They may pass midnight; from and until the same time are no hours at all.
 *
 * @param now milliseconds since 1970.
 */
export function isQuiet({ from, until, zone }: QuietHours, now: number): boolean {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  const [at, start, end] = [minutesOf(clock.format(now)), minutesOf(from), minutesOf(until)];
  return start <= end ? start <= at && at < end : at >= start || at < end;
}
