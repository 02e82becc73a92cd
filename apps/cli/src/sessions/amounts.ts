const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const sizes = { kB: 1e3, MB: 1e6, GB: 1e9 } as const;

/** Reads an age such as `30d`, in milliseconds; undefined for another text. */
export function readAge(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * units[unit as keyof typeof units];
}

/** Reads a size such as `100MB`, in bytes; undefined for another text. */
export function readSize(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,9})(k|M|G)B?$/i.exec(text) ?? [];
  const name = `${unit === "" || /k/i.test(unit) ? "k" : unit.toUpperCase()}B`;
  return amount === undefined ? undefined : Number(amount) * sizes[name as keyof typeof sizes];
}

/** A time that has passed, in one unit: `3 min`. */
export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / units.m));
  if (minutes < 1) return "< 1 min";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

/** A size in the unit that leaves few digits: `12 kB`. */
export function sizeText(bytes: number): string {
  const unit = bytes < sizes.MB ? "kB" : bytes < sizes.GB ? "MB" : "GB";
  const amount = bytes / sizes[unit];
  return `${amount < 10 ? Math.ceil(amount * 10) / 10 : Math.round(amount)} ${unit}`;
}

/** A number of things, with the word for them. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
